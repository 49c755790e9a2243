/* A library to preload under `tourney lab up`: the process is sent SIGINT at once after it has
   released the lab's keeper, the last moment before the lab is there for others. */
#include <dlfcn.h>
#include <signal.h>
#include <sys/socket.h>

__attribute__((visibility("default"))) ssize_t send(int socket, const void *bytes, size_t length,
                                                    int flags)
{
  ssize_t (*next)(int, const void *, size_t, int);
  *(void **)&next = dlsym(RTLD_NEXT, "send");
  const ssize_t sent = next(socket, bytes, length, flags);
  if (length == 1)
    raise(SIGINT);
  return sent;
}
