#define _GNU_SOURCE
#include "CProcess.h"
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// Calls of a reader in its box: memory, threads, time, and files that are open or that Landlock lets it read.
#ifdef SYS_poll
#define ALLOWED_POLL ALLOWED(poll)
#else
#define ALLOWED_POLL ALLOWED(ppoll)
#endif

enum { WRITING = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY) };

int fueki_has_call_filters(void) {
#ifdef OWN_CALLS
  // A filter at no address: EFAULT shows that the kernel would have read it.
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0L, 0L) == -1 && errno == EFAULT;
#else
  return 0;
#endif
}

int fueki_filter_reader_calls(int writes) {
#ifdef OWN_CALLS
  struct sock_filter start[] = {ONLY_OWN_CALLS(EPERM)};
  // SQLite's locks and its own files, which Landlock keeps in their place, and the queues of libdispatch around it.
  struct sock_filter writing[] = {
      ALLOWED(openat),
      ALLOWED(unlinkat),
      ALLOWED(fchmod),
      ALLOWED(fsync),
      ALLOWED(fdatasync),
      ALLOWED(epoll_create1),
      ALLOWED(epoll_ctl),
      ALLOWED(epoll_pwait),
      ALLOWED(eventfd2),
      ALLOWED(timerfd_create),
      ALLOWED(timerfd_settime),
      ALLOWED_WITH(prctl, 0, PR_SET_NAME, EPERM),
      // A thread's own priority.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setpriority, 0, 6),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW(0)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PRIO_PROCESS, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW(1)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      REFUSED(EPERM),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 5),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW(1)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETLK, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETLK, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      LOAD_CALL,
#if defined(__x86_64__)
      ALLOWED(open),
      ALLOWED(unlink),
      ALLOWED(epoll_wait),
#endif
  };
  struct sock_filter reading[] = {
      ALLOWED(read),
      ALLOWED(write),
      ALLOWED(pread64),
      ALLOWED(pwrite64),
      ALLOWED(readv),
      ALLOWED(writev),
      ALLOWED(lseek),
      ALLOWED(close),
      ALLOWED(fstat),
      ALLOWED(newfstatat),
      ALLOWED(statx),
      ALLOWED(fstatfs),
      ALLOWED(statfs),
      ALLOWED(getdents64),
      ALLOWED(readlinkat),
      ALLOWED(faccessat),
      ALLOWED(faccessat2),
      ALLOWED(getcwd),
      ALLOWED(ftruncate),
      ALLOWED(copy_file_range),
      ALLOWED(fadvise64),
      ALLOWED_WITHOUT(openat, 2, WRITING, EACCES),
      ALLOWED(futex),
      ALLOWED(munmap),
      ALLOWED(mremap),
      ALLOWED(madvise),
      ALLOWED(brk),
      ALLOWED(mlock),
      ALLOWED(mlock2),
      ALLOWED(munlock),
      // No new code comes into the process.
      ALLOWED_WITHOUT(mmap, 2, PROT_EXEC, EPERM),
      ALLOWED_WITHOUT(mprotect, 2, PROT_EXEC, EPERM),
      ALLOWED_WITHOUT(pkey_mprotect, 2, PROT_EXEC, EPERM),
      ALLOWED(clock_gettime),
      ALLOWED(clock_getres),
      ALLOWED(clock_nanosleep),
      ALLOWED(nanosleep),
      ALLOWED(gettimeofday),
      ALLOWED(getrandom),
      ALLOWED_POLL,
      ALLOWED(ppoll),
      ALLOWED(pipe2),
      ALLOWED(dup),
      ALLOWED(dup3),
      ALLOWED(sched_yield),
      ALLOWED(sched_getaffinity),
      ALLOWED(set_robust_list),
      ALLOWED(rseq),
      ALLOWED(membarrier),
      ALLOWED(rt_sigaction),
      ALLOWED(rt_sigprocmask),
      ALLOWED(rt_sigreturn),
      ALLOWED(sigaltstack),
      ALLOWED(restart_syscall),
      ALLOWED(getpid),
      ALLOWED(gettid),
      ALLOWED(getppid),
      ALLOWED(getuid),
      ALLOWED(geteuid),
      ALLOWED(getgid),
      ALLOWED(getegid),
      ALLOWED(uname),
      ALLOWED(sysinfo),
      ALLOWED(getrusage),
      // From the parent come descriptors, over the socket that is open.
      ALLOWED(recvmsg),
      ALLOWED(exit),
      ALLOWED(exit_group),
      // The C library takes the old call for threads if the new one, whose flags no filter sees, is not there.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
      REFUSED(ENOSYS),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW(0)),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
      REFUSED(EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      ALLOWED_WITH(tgkill, 0, (uint32_t)getpid(), EPERM),
      // Limits are read, and not set.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 6),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW(2)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW(2) + 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
      REFUSED(EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      ALLOWED_WITH(ioctl, 1, (uint32_t)FICLONE, ENOTTY),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 8),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW(1)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFD, 5, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETFD, 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFL, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETFL, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_DUPFD_CLOEXEC, 1, 0),
      REFUSED(EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
#if defined(__x86_64__)
      // Calls that other processors do not have.
      ALLOWED(stat),
      ALLOWED(lstat),
      ALLOWED(access),
      ALLOWED(readlink),
      ALLOWED(arch_prctl),
      ALLOWED(time),
      ALLOWED(dup2),
      ALLOWED_WITHOUT(open, 1, WRITING, EACCES),
#endif
      REFUSED(EPERM),
  };
  struct sock_filter filter[(sizeof start + sizeof writing + sizeof reading) / sizeof *start];
  size_t count = 0;
  memcpy(filter, start, sizeof start);
  count += sizeof start / sizeof *start;
  if (writes) {
    memcpy(filter + count, writing, sizeof writing);
    count += sizeof writing / sizeof *writing;
  }
  memcpy(filter + count, reading, sizeof reading);
  count += sizeof reading / sizeof *reading;
  return fueki_install_filter(filter, count);
#else
  (void)writes;
  errno = ENOSYS;
  return -1;
#endif
}
