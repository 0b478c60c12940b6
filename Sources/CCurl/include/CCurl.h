#ifndef FUEKI_CCURL_H
#define FUEKI_CCURL_H

#include <stddef.h>

// libcurl, which the first call loads: the library brings thirty others along, and loading them takes longer than
// everything else that a start of the program does. Nothing of it is needed to build.

// The handles of one exchange at a time, which keep its connection for the next one. NULL without libcurl or memory.
void *fueki_curl_open(void);
void fueki_curl_close(void *curl);

// Adds a line to the header of the next request.
void fueki_curl_add_field(void *curl, const char *line);

// What an exchange can end with, of curl.h's many numbers.
enum {
  FUEKI_CURL_OK = 0,
  FUEKI_CURL_MALFORMED_URL = 3,
  FUEKI_CURL_NO_PROXY = 5,
  FUEKI_CURL_NO_HOST = 6,
  FUEKI_CURL_NO_CONNECTION = 7,
  FUEKI_CURL_TIMED_OUT = 28,
  FUEKI_CURL_NO_TLS = 35,
  FUEKI_CURL_CANCELLED = 42,
  FUEKI_CURL_NOT_TRUSTED = 60,
  FUEKI_CURL_TOO_LARGE = 63,
  FUEKI_CURL_NO_AUTHORITIES = 77
};

typedef struct {
  long status;
  // Where a redirection leads; NULL for other answers.
  const char *redirection;
  const unsigned char *body;
  size_t body_count;
} fueki_curl_answer;

// Sends a request and waits for an answer with a body of at most so many bytes. The answer is there until the next
// call.
int fueki_curl_exchange(void *curl, const char *method, const char *url, int has_body, const unsigned char *body,
                        size_t body_count, size_t limit, long milliseconds, fueki_curl_answer *answer);

// The next field of the answer's header after another, NULL for the first; NULL after the last.
const void *fueki_curl_next_field(void *curl, const void *field, const char **name, const char **value);

// Ends the exchange that another thread waits for, or that has not begun.
void fueki_curl_cancel(void *curl);

#endif
