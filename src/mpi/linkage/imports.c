/* Reads the dynamic section of a loaded library: its relocations name what it calls. */
#include "mpi/linkage/imports.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct search {
  uintptr_t address;   /* in the library that is looked for; 0: any */
  const char *library; /* that it is linked with */
  tny_import_visit *visit;
  void *context;
  bool is_settled;
};

/* What is needed of a dynamic section. */
struct tables {
  const ElfW(Dyn) * dynamic;
  const ElfW(Sym) * symbols;
  const char *names;
  struct {
    const ElfW(Rela) * first;
    size_t bytes;
  } relocations[2];             /* of calls, and of addresses */
  uintptr_t sealed, sealed_end; /* whole pages */
};

/* Where the page of an address begins. */
static uintptr_t page_of(uintptr_t address)
{
  return address & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
}

static bool has_address(const struct dl_phdr_info *object, uintptr_t address)
{
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    const uintptr_t start = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && address >= start && address - start < part->p_memsz)
      return true;
  }
  return false;
}

/* An entry's address, which the loader has relocated in place or not. */
static uintptr_t address_of(const struct dl_phdr_info *object, const ElfW(Dyn) * entry)
{
  const uintptr_t given = entry->d_un.d_ptr;
  return given < object->dlpi_addr ? object->dlpi_addr + given : given;
}

static void read_entry(const struct dl_phdr_info *object, const ElfW(Dyn) * entry,
                       struct tables *tables)
{
  switch (entry->d_tag) {
  case DT_SYMTAB:
    tables->symbols = (const ElfW(Sym) *)address_of(object, entry);
    break;
  case DT_STRTAB:
    tables->names = (const char *)address_of(object, entry);
    break;
  case DT_JMPREL:
    tables->relocations[0].first = (const ElfW(Rela) *)address_of(object, entry);
    break;
  case DT_PLTRELSZ:
    tables->relocations[0].bytes = entry->d_un.d_val;
    break;
  case DT_RELA:
    tables->relocations[1].first = (const ElfW(Rela) *)address_of(object, entry);
    break;
  case DT_RELASZ:
    tables->relocations[1].bytes = entry->d_un.d_val;
    break;
  default:
    break;
  }
}

/* False: the library has none that can be read, or relocations of another form. */
static bool read_tables(const struct dl_phdr_info *object, struct tables *tables)
{
  *tables = (struct tables){0};
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    const uintptr_t start = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_GNU_RELRO) {
      tables->sealed = start;
      tables->sealed_end = page_of(start + part->p_memsz);
    }
    if (part->p_type != PT_DYNAMIC)
      continue;
    tables->dynamic = (const ElfW(Dyn) *)start;
    for (const ElfW(Dyn) *entry = tables->dynamic; entry->d_tag != DT_NULL; entry++) {
      if (entry->d_tag == DT_PLTREL && entry->d_un.d_val != DT_RELA)
        return false;
      read_entry(object, entry, tables);
    }
  }
  return tables->symbols && tables->names;
}

/* Visits the imports of a library whose tables are read. */
static void visit_all(const struct dl_phdr_info *object, const struct tables *tables,
                      struct search *search)
{
  for (int which = 0; which < 2; which++) {
    const ElfW(Rela) *first = tables->relocations[which].first;
    const size_t count = first ? tables->relocations[which].bytes / sizeof *first : 0;
    for (size_t i = 0; i < count && !search->is_settled; i++) {
      /* The upper half of the information is the symbol's number, 0 for none. */
      const size_t symbol = first[i].r_info >> (sizeof first->r_info * 4);
      const uintptr_t slot = object->dlpi_addr + first[i].r_offset;
      if (symbol == 0)
        continue;
      const struct tny_import import = {.name = tables->names + tables->symbols[symbol].st_name,
                                        .slot = (void **)slot,
                                        .is_sealed =
                                            slot >= tables->sealed && slot < tables->sealed_end};
      search->is_settled = search->visit(search->context, &import);
    }
  }
}

static int look_at(struct dl_phdr_info *object, size_t size, void *context)
{
  struct search *search = context;
  struct tables tables;
  (void)size;
  if (!has_address(object, search->address))
    return 0;
  if (read_tables(object, &tables))
    visit_all(object, &tables, search);
  return 1;
}

bool tny_imports_visit(const void *address, tny_import_visit *visit, void *context)
{
  struct search search = {.address = (uintptr_t)address, .visit = visit, .context = context};
  dl_iterate_phdr(look_at, &search);
  return search.is_settled;
}

static bool needs(const struct tables *tables, const char *library)
{
  const ElfW(Dyn) *entry = tables->dynamic;
  while (entry->d_tag != DT_NULL &&
         (entry->d_tag != DT_NEEDED || strcmp(tables->names + entry->d_un.d_val, library) != 0))
    entry++;
  return entry->d_tag != DT_NULL;
}

static int look_for_user(struct dl_phdr_info *object, size_t size, void *context)
{
  struct search *search = context;
  struct tables tables;
  (void)size;
  const bool is_one = search->address == 0 || has_address(object, search->address);
  if (!is_one || !read_tables(object, &tables) || !needs(&tables, search->library))
    return 0;
  search->is_settled = !search->visit;
  if (search->visit)
    visit_all(object, &tables, search);
  return search->is_settled;
}

bool tny_imports_need(const void *address, const char *library)
{
  struct search search = {.address = (uintptr_t)address, .library = library};
  dl_iterate_phdr(look_for_user, &search);
  return search.is_settled;
}

bool tny_imports_visit_users(const char *library, tny_import_visit *visit, void *context)
{
  struct search search = {.library = library, .visit = visit, .context = context};
  dl_iterate_phdr(look_for_user, &search);
  return search.is_settled;
}

bool tny_import_set(const struct tny_import *import, void *address)
{
  void *page = (void *)page_of((uintptr_t)import->slot);
  const size_t bytes = sizeof *import->slot;
  if (import->is_sealed && mprotect(page, bytes, PROT_READ | PROT_WRITE) != 0)
    return false;
  *import->slot = address;
  return !import->is_sealed || mprotect(page, bytes, PROT_READ) == 0;
}
