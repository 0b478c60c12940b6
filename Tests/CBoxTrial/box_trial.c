#define _GNU_SOURCE
#include "CBoxTrial.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

static int code_of(long result) { return result == -1 ? errno : 0; }

int try_call(int attempt, int process, const char *path) {
  char *const words[] = {"true", NULL};
  char byte;
  struct iovec here = {&byte, 1}, there = {&byte, 1};
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  switch (attempt) {
    case TRY_SOCKET: return code_of(socket(AF_UNIX, SOCK_STREAM, 0));
    case TRY_CONNECT: return code_of(connect(0, (struct sockaddr *)&to, sizeof to));
    case TRY_EXECUTE: return code_of(execve("/bin/true", words, words + 1));
    case TRY_FORK: {
      long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
      if (child == 0) _exit(0);
      return code_of(child);
    }
    case TRY_READ: return code_of(open(path, O_RDONLY | O_CLOEXEC));
    case TRY_WRITE: return code_of(open(path, O_WRONLY | O_CLOEXEC));
    case TRY_CREATE: return code_of(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    case TRY_REMOVE: return code_of(unlink(path));
    case TRY_PERMISSIONS: return code_of(chmod(path, 0777));
    case TRY_TRACE: return code_of(syscall(SYS_ptrace, 16 /* PTRACE_ATTACH */, process, 0, 0));
    case TRY_MEMORY: return code_of(process_vm_readv(process, &here, 1, &there, 1, 0));
    case TRY_SIGNAL: return code_of(syscall(SYS_kill, process, 0));
    case TRY_THREAD_SIGNAL: return code_of(syscall(SYS_tgkill, process, process, 0));
    case TRY_NEW_CODE: {
      void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      return page == MAP_FAILED ? errno : 0;
    }
    case TRY_LIMIT: {
      struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
      return code_of(setrlimit(RLIMIT_AS, &none));
    }
    case TRY_MODULE: return code_of(syscall(SYS_memfd_create, "code", 0));
    case TRY_TYPE: return code_of(ioctl(process, TIOCSTI, "x"));
    case TRY_OWNER: return code_of(lchown(path, getuid(), getgid()));
    case TRY_TIMES: return code_of(utimensat(AT_FDCWD, path, NULL, 0));
    case TRY_ATTRIBUTE: return code_of(setxattr(path, "user.trial", "1", 1, 0));
    case TRY_TRUNCATE: return code_of(truncate(path, 0));
    case TRY_EMPTY: return code_of(open(path, O_RDONLY | O_TRUNC | O_CLOEXEC));
    case TRY_OPEN_TO_OTHERS: {
      int file = open(path, O_RDONLY | O_CLOEXEC);
      return file < 0 ? errno : code_of(fchmod(file, 0644));
    }
    case TRY_UNKNOWN: return code_of(syscall(SYS_io_setup, 1, NULL));
    default: return -1;
  }
}
