#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Types and numbers of curl.h, which no version changes.
typedef struct {
  int kind;
  void *easy;
  union {
    void *anything;
    int code;
  } result;
} message;

typedef struct {
  char *name, *value;
} field;

enum {
  POST = 47,
  POSTFIELDSIZE = 60,
  NOSIGNAL = 99,
  TIMEOUT_MS = 155,
  QUICK_EXIT = 322,
  WRITEDATA = 10001,
  URL = 10002,
  POSTFIELDS = 10015,
  USERAGENT = 10018,
  HTTPHEADER = 10023,
  CUSTOMREQUEST = 10036,
  ACCEPT_ENCODING = 10102,
  WRITEFUNCTION = 20011,
  REDIRECT_URL = 0x100000 + 31,
  RESPONSE_CODE = 0x200000 + 2
};

#define FUNCTIONS(X)                                                 \
  X(int, global_init, (long))                                        \
  X(void *, easy_init, (void))                                       \
  X(void, easy_cleanup, (void *))                                    \
  X(void, easy_reset, (void *))                                      \
  X(int, easy_setopt, (void *, int, ...))                            \
  X(int, easy_getinfo, (void *, int, ...))                           \
  X(field *, easy_nextheader, (void *, unsigned, int, const void *)) \
  X(void *, slist_append, (void *, const char *))                    \
  X(void, slist_free_all, (void *))                                  \
  X(void *, multi_init, (void))                                      \
  X(int, multi_cleanup, (void *))                                    \
  X(int, multi_add_handle, (void *, void *))                         \
  X(int, multi_remove_handle, (void *, void *))                      \
  X(int, multi_perform, (void *, int *))                             \
  X(int, multi_poll, (void *, void *, unsigned, int, int *))         \
  X(int, multi_wakeup, (void *))                                     \
  X(message *, multi_info_read, (void *, int *))

#define POINTER(result, name, parameters) result(*name) parameters;
static struct {
  FUNCTIONS(POINTER)
  int is_ready;
} curl;

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(result, name, parameters) \
  if (!(curl.name = (result(*) parameters)dlsym(library, "curl_" #name))) return;
  FUNCTIONS(FIND)
  long everything = 3;
  curl.is_ready = curl.global_init(everything) == 0;
}

typedef struct {
  void *easy, *multi, *fields;
  unsigned char *body;
  size_t count, room, limit;
  int is_too_large;
  atomic_int is_cancelled;
} handles;

void *fueki_curl_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  handles *made = curl.is_ready ? calloc(1, sizeof *made) : NULL;
  if (!made) return NULL;
  made->easy = curl.easy_init();
  made->multi = curl.multi_init();
  if (made->easy && made->multi) return made;
  fueki_curl_close(made);
  return NULL;
}

void fueki_curl_close(void *place) {
  handles *handles = place;
  curl.slist_free_all(handles->fields);
  curl.easy_cleanup(handles->easy);
  curl.multi_cleanup(handles->multi);
  free(handles->body);
  free(handles);
}

void fueki_curl_add_field(void *place, const char *line) {
  handles *handles = place;
  void *longer = curl.slist_append(handles->fields, line);
  if (longer) handles->fields = longer;
}

static size_t append(const char *bytes, size_t size, size_t items, void *place) {
  handles *handles = place;
  size_t count = size * items;
  if (count > handles->limit - handles->count) {
    handles->is_too_large = 1;
    return 0;
  }
  if (count > handles->room - handles->count) {
    size_t room = 2 * (handles->count + count);
    unsigned char *larger = realloc(handles->body, room);
    if (!larger) return 0;
    handles->body = larger;
    handles->room = room;
  }
  memcpy(handles->body + handles->count, bytes, count);
  handles->count += count;
  return count;
}

static int wait_for_end(handles *handles) {
  int running = 1, left;
  while (!atomic_load(&handles->is_cancelled)) {
    if (curl.multi_perform(handles->multi, &running) != 0) return -1;
    if (!running) {
      message *message = curl.multi_info_read(handles->multi, &left);
      return message ? message->result.code : -1;
    }
    curl.multi_poll(handles->multi, NULL, 0, 1000, NULL);
  }
  return FUEKI_CURL_CANCELLED;
}

int fueki_curl_exchange(void *place, const char *method, const char *url, int has_body, const unsigned char *body,
                        size_t body_count, size_t limit, long milliseconds, fueki_curl_answer *answer) {
  handles *handles = place;
  void *easy = handles->easy;
  handles->count = 0;
  handles->limit = limit;
  handles->is_too_large = 0;
  // Or else a large request waits for the server's consent first.
  fueki_curl_add_field(handles, "Expect:");
  curl.easy_reset(easy);
  curl.easy_setopt(easy, URL, url);
  if (has_body) {
    curl.easy_setopt(easy, POST, 1L);
    curl.easy_setopt(easy, POSTFIELDSIZE, (long)body_count);
    curl.easy_setopt(easy, POSTFIELDS, body_count ? (const char *)body : "");
  }
  curl.easy_setopt(easy, CUSTOMREQUEST, method);
  curl.easy_setopt(easy, HTTPHEADER, handles->fields);
  curl.easy_setopt(easy, USERAGENT, "fueki-backup");
  // All that this libcurl can decode.
  curl.easy_setopt(easy, ACCEPT_ENCODING, "");
  curl.easy_setopt(easy, TIMEOUT_MS, milliseconds);
  curl.easy_setopt(easy, NOSIGNAL, 1L);
  // Or else an exchange that ends waits for a name that is being looked up.
  curl.easy_setopt(easy, QUICK_EXIT, 1L);
  curl.easy_setopt(easy, WRITEFUNCTION, append);
  curl.easy_setopt(easy, WRITEDATA, handles);
  int code = curl.multi_add_handle(handles->multi, easy) == 0 ? wait_for_end(handles) : -1;
  curl.multi_remove_handle(handles->multi, easy);
  curl.slist_free_all(handles->fields);
  handles->fields = NULL;
  *answer = (fueki_curl_answer){.body = handles->body, .body_count = handles->count};
  curl.easy_getinfo(easy, RESPONSE_CODE, &answer->status);
  curl.easy_getinfo(easy, REDIRECT_URL, &answer->redirection);
  return handles->is_too_large ? FUEKI_CURL_TOO_LARGE : code;
}

const void *fueki_curl_next_field(void *place, const void *last, const char **name, const char **value) {
  unsigned plain = 1;
  field *next = curl.easy_nextheader(((handles *)place)->easy, plain, -1, last);
  if (!next) return NULL;
  *name = next->name;
  *value = next->value;
  return next;
}

void fueki_curl_cancel(void *place) {
  handles *handles = place;
  atomic_store(&handles->is_cancelled, 1);
  curl.multi_wakeup(handles->multi);
}
