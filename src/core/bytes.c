/* Numbers in bytes, written and read. */
#include "core/bytes.h"

#include <string.h>

#include "core/alloc.h"

enum { ROOM_FIRST = 256 };

void tny_bytes_add(struct tny_bytes *into, const void *bytes, size_t count)
{
  if (into->failed || count == 0)
    return;
  if (count > into->room - into->length) {
    size_t room = into->room ? into->room : ROOM_FIRST;
    while (room - into->length < count && room <= SIZE_MAX / 2)
      room *= 2;
    void *grown = room - into->length < count ? NULL : tny_resize(into->bytes, room, 1);
    if (!grown) {
      into->failed = true;
      return;
    }
    into->bytes = grown;
    into->room = room;
  }
  memcpy(into->bytes + into->length, bytes, count);
  into->length += count;
}

void tny_bytes_add_number(struct tny_bytes *into, uint64_t number)
{
  uint8_t digits[10];
  size_t count = 0;
  do {
    digits[count] = (uint8_t)(number & 127);
    number >>= 7;
    if (number > 0)
      digits[count] |= 128;
    count++;
  } while (number > 0);
  tny_bytes_add(into, digits, count);
}

void tny_bytes_add_fixed(struct tny_bytes *into, uint64_t number)
{
  uint8_t digits[8];
  for (unsigned i = 0; i < sizeof digits; i++)
    digits[i] = (uint8_t)(number >> 8 * i);
  tny_bytes_add(into, digits, sizeof digits);
}

void tny_bytes_release(struct tny_bytes *bytes)
{
  tny_free(bytes->bytes);
  *bytes = (struct tny_bytes){0};
}

uint8_t tny_read_byte(struct tny_byte_reader *reader)
{
  const uint8_t *byte = tny_read_bytes(reader, 1);
  return byte ? *byte : 0;
}

uint64_t tny_read_number(struct tny_byte_reader *reader, uint64_t most)
{
  uint64_t number = 0;
  unsigned shift = 0;
  uint8_t digit;
  do {
    digit = tny_read_byte(reader);
    if (shift > 63 || (shift == 63 && digit > 1))
      reader->failed = true;
    if (reader->failed)
      return 0;
    number |= (uint64_t)(digit & 127) << shift;
    shift += 7;
  } while (digit & 128);
  reader->failed = number > most;
  return reader->failed ? 0 : number;
}

uint64_t tny_read_fixed(struct tny_byte_reader *reader)
{
  const uint8_t *digits = tny_read_bytes(reader, 8);
  uint64_t number = 0;
  for (unsigned i = 0; digits && i < 8; i++)
    number |= (uint64_t)digits[i] << 8 * i;
  return number;
}

const uint8_t *tny_read_bytes(struct tny_byte_reader *reader, size_t count)
{
  if (reader->failed || (size_t)(reader->end - reader->at) < count) {
    reader->failed = true;
    return NULL;
  }
  const uint8_t *bytes = reader->at;
  reader->at += count;
  return bytes;
}

uint64_t tny_hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
  const uint8_t *at = bytes;
  for (size_t i = 0; i < count; i++)
    hash = (hash ^ at[i]) * UINT64_C(1099511628211);
  return hash;
}

uint64_t tny_hash_number(uint64_t hash, uint64_t number)
{
  uint8_t digits[8];
  for (unsigned i = 0; i < sizeof digits; i++)
    digits[i] = (uint8_t)(number >> 8 * i);
  return tny_hash_bytes(hash, digits, sizeof digits);
}
