/* libcurl, loaded by its first call: what Foundation's networking calls, in the place of the library.
 *
 * The library brings thirty others along. Loading them takes longer than everything else that a start of the program
 * does, and only a program that asks chains or a server needs them. A function that is missing here is an error of the
 * linker. Handles and results are as wide as in curl.h, on systems where a long is as wide as a pointer.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert(sizeof(long) == sizeof(void *), "an option's value is a long or a pointer");

static void *library;

static void load(void) {
  library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library) return;
  /* As if the linker had not found it when the program started. */
  fprintf(stderr, "error: libcurl is missing: %s\n", dlerror());
  _Exit(127);
}

static void *function(const char *name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  void *found = dlsym(library, name);
  if (found) return found;
  fprintf(stderr, "error: libcurl has no %s\n", name);
  _Exit(127);
}

/* Hidden, or else libcurl's own calls would come here. */
#define HIDDEN __attribute__((visibility("hidden")))

#define FORWARD(result, name, parameters, arguments)          \
  HIDDEN result name parameters {                             \
    return ((result(*) parameters)function(#name)) arguments; \
  }

#define FORWARD_VALUE(name)                                                \
  HIDDEN int name(void *handle, int option, ...) {                         \
    va_list rest;                                                          \
    va_start(rest, option);                                                \
    void *value = va_arg(rest, void *);                                    \
    va_end(rest);                                                          \
    return ((int (*)(void *, int, ...))function(#name))(handle, option, value); \
  }

FORWARD_VALUE(curl_easy_getinfo)
FORWARD_VALUE(curl_easy_setopt)
FORWARD_VALUE(curl_multi_setopt)
FORWARD(void, curl_easy_cleanup, (void *handle), (handle))
FORWARD(void *, curl_easy_init, (void), ())
FORWARD(int, curl_easy_pause, (void *handle, int actions), (handle, actions))
FORWARD(const char *, curl_easy_strerror, (int code), (code))
FORWARD(void, curl_free, (void *memory), (memory))
FORWARD(int, curl_global_init, (long flags), (flags))
FORWARD(int, curl_multi_add_handle, (void *multi, void *handle), (multi, handle))
FORWARD(int, curl_multi_assign, (void *multi, int socket, void *value), (multi, socket, value))
FORWARD(int, curl_multi_cleanup, (void *multi), (multi))
FORWARD(void *, curl_multi_info_read, (void *multi, int *left), (multi, left))
FORWARD(void *, curl_multi_init, (void), ())
FORWARD(int, curl_multi_remove_handle, (void *multi, void *handle), (multi, handle))
FORWARD(int, curl_multi_socket_action, (void *multi, int socket, int events, int *running),
        (multi, socket, events, running))
FORWARD(void *, curl_slist_append, (void *list, const char *text), (list, text))
FORWARD(void, curl_slist_free_all, (void *list), (list))
FORWARD(void *, curl_url, (void), ())
FORWARD(int, curl_url_get, (void *url, int part, char **text, unsigned flags), (url, part, text, flags))
FORWARD(int, curl_url_set, (void *url, int part, const char *text, unsigned flags), (url, part, text, flags))
FORWARD(char *, curl_version, (void), ())
FORWARD(void *, curl_version_info, (int age), (age))
