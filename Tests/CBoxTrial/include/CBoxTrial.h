#ifndef CBOXTRIAL_H
#define CBOXTRIAL_H

// Makes one call that a box has to refuse. For TRY_TYPE the process is a terminal's descriptor. Returns 0 if it was allowed, else its errno.
enum {
  TRY_SOCKET,
  TRY_CONNECT,
  TRY_EXECUTE,
  TRY_FORK,
  TRY_READ,
  TRY_WRITE,
  TRY_CREATE,
  TRY_REMOVE,
  TRY_PERMISSIONS,
  TRY_TRACE,
  TRY_MEMORY,
  TRY_SIGNAL,
  TRY_THREAD_SIGNAL,
  TRY_NEW_CODE,
  TRY_LIMIT,
  TRY_MODULE,
  TRY_TYPE,
  TRY_OWNER,
  TRY_TIMES,
  TRY_ATTRIBUTE,
  TRY_TRUNCATE,
  TRY_EMPTY,
  TRY_OPEN_TO_OTHERS,
  TRY_UNKNOWN
};
int try_call(int attempt, int process, const char *path);

#endif
