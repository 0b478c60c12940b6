#define _GNU_SOURCE
#include "CProcess.h"
#include "filter.h"

#include <asm/termbits.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/landlock.h>
#include <sched.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

// The calls that a command may make in its box. The page on the threat model lists them; a test compares.
// Some have another number on one of the processors, or none.

#define EVERY_COMMAND(CALL)                                                                                     \
  /* Open files */                                                                                              \
  CALL(read) CALL(write) CALL(pread64) CALL(pwrite64) CALL(readv) CALL(writev) CALL(preadv) CALL(pwritev)        \
  CALL(lseek) CALL(close) CALL(close_range) CALL(fstat) CALL(fstatfs) CALL(getdents64) CALL(ftruncate)           \
  CALL(fallocate) CALL(fadvise64) CALL(fsync) CALL(fdatasync) CALL(sync_file_range) CALL(copy_file_range)        \
  CALL(sendfile) CALL(flock) CALL(dup) CALL(dup3) CALL(pipe2) CALL(fchown) CALL(fchdir)             \
  /* Names, which Landlock keeps in their place */                                                              \
  CALL(newfstatat) CALL(statx) CALL(statfs) CALL(readlinkat) CALL(faccessat) CALL(faccessat2) CALL(getcwd)       \
  CALL(listxattr) CALL(getxattr) CALL(chdir) CALL(mkdirat) CALL(unlinkat) CALL(renameat) CALL(renameat2) CALL(linkat) CALL(symlinkat)           \
  CALL(umask)                                                                                                   \
  /* Memory and threads */                                                                                      \
  CALL(brk) CALL(mmap) CALL(munmap) CALL(mremap) CALL(mprotect) CALL(madvise) CALL(mlock) CALL(mlock2)           \
  CALL(munlock) CALL(msync) CALL(mincore) CALL(futex) CALL(set_robust_list) CALL(get_robust_list) CALL(rseq)     \
  CALL(set_tid_address) CALL(membarrier) CALL(sched_yield) CALL(sched_getaffinity) CALL(sched_getparam)          \
  CALL(sched_getscheduler) CALL(sched_get_priority_min) CALL(sched_get_priority_max) CALL(getcpu)                \
  CALL(getpriority) CALL(exit) CALL(exit_group)                                                                 \
  /* Waiting, time and signals to itself */                                                                     \
  CALL(ppoll) CALL(pselect6) CALL(epoll_create1) CALL(epoll_ctl) CALL(epoll_pwait) CALL(eventfd2)                \
  CALL(signalfd4) CALL(timerfd_create) CALL(timerfd_settime) CALL(timerfd_gettime) CALL(setitimer)               \
  CALL(getitimer) CALL(clock_gettime) CALL(clock_getres) CALL(clock_nanosleep) CALL(nanosleep)                   \
  CALL(gettimeofday) CALL(rt_sigaction) CALL(rt_sigprocmask) CALL(rt_sigreturn) CALL(rt_sigtimedwait)            \
  CALL(rt_sigsuspend) CALL(rt_sigpending) CALL(sigaltstack) CALL(restart_syscall)                               \
  /* What it is */                                                                                              \
  CALL(getpid) CALL(gettid) CALL(getppid) CALL(getpgid) CALL(getsid) CALL(getuid) CALL(geteuid) CALL(getgid)     \
  CALL(getegid) CALL(getresuid) CALL(getresgid) CALL(getgroups) CALL(uname) CALL(sysinfo) CALL(getrusage)        \
  CALL(times) CALL(getrandom)                                                                                   \
  /* The sockets that are open: to the attendant and to readers */                                              \
  CALL(recvmsg) CALL(sendmsg)                                                                                   \
  /* Copies of itself, which derive keys, and signals: from version 6 on Landlock keeps them inside */           \
  CALL(wait4) CALL(waitid) CALL(kill) CALL(tgkill)

#if defined(__x86_64__)
#define OF_THIS_PROCESSOR(CALL)                                                                                  \
  CALL(stat) CALL(lstat) CALL(access) CALL(readlink) CALL(mkdir) CALL(rmdir) CALL(unlink) CALL(rename)           \
  CALL(link) CALL(symlink) CALL(dup2) CALL(pipe) CALL(poll) CALL(select) CALL(epoll_wait) CALL(getpgrp)          \
  CALL(alarm) CALL(pause) CALL(time) CALL(arch_prctl)
#define NEW_PROCESSES(CALL) CALL(vfork) CALL(fork)
#define BY_NAME(CALL) \
  CALL(chmod) CALL(chown) CALL(lchown) CALL(utime) CALL(utimes) CALL(futimesat) CALL(creat) CALL(mknod)
#else
#define OF_THIS_PROCESSOR(CALL)
#define NEW_PROCESSES(CALL)
#define BY_NAME(CALL)
#endif

// Of these, an argument decides.
#define SOME_COMMAND(CALL)                                                                                       \
  CALL(openat) CALL(fchmod) CALL(utimensat) CALL(ioctl) CALL(fcntl) CALL(prctl) CALL(prlimit64) CALL(setpriority)             \
  CALL(clone) CALL(landlock_create_ruleset)

// For a program in the same box.
#define WITH_PROGRAMS(CALL) CALL(execve) CALL(setsid) CALL(setpgid) NEW_PROCESSES(CALL)

// The kernel refuses these as not permitted. What is not here is unknown to it.
#define NOT_PERMITTED(CALL)                                                                                      \
  BY_NAME(CALL) CALL(fchmodat) CALL(fchownat) CALL(truncate) CALL(setxattr) CALL(lsetxattr) CALL(fsetxattr)      \
  CALL(removexattr) CALL(lremovexattr) CALL(fremovexattr) CALL(mknodat) CALL(tkill) CALL(execve)                 \
  CALL(execveat) CALL(ptrace) CALL(process_vm_readv) CALL(process_vm_writev) CALL(mount) CALL(umount2)           \
  CALL(unshare) CALL(setns) CALL(chroot) CALL(bpf) CALL(perf_event_open) CALL(keyctl) CALL(add_key)              \
  CALL(request_key) CALL(connect) CALL(bind) CALL(adjtimex) CALL(clock_adjtime)

const char *fueki_command_call(int number, int starts_programs) {
#define NAME(call) #call,
  static const char *const own[] = {
      EVERY_COMMAND(NAME) OF_THIS_PROCESSOR(NAME) SOME_COMMAND(NAME)
#if defined(__x86_64__)
          "open",
#endif
      NULL};
  static const char *const with_programs[] = {WITH_PROGRAMS(NAME) NULL};
  const char *const *names = starts_programs ? with_programs : own;
  size_t count = starts_programs ? sizeof with_programs / sizeof *names : sizeof own / sizeof *names;
  return number < 0 || (size_t)number >= count ? NULL : names[number];
}

#ifdef OWN_CALLS

enum { MOST_STEPS = 1024, ANY_SPACE = CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                                      CLONE_NEWUTS | CLONE_NEWCGROUP };

struct filter {
  struct sock_filter steps[MOST_STEPS];
  size_t count;
};

static void add(struct filter *filter, const struct sock_filter *steps, size_t count) {
  for (size_t place = 0; place < count && filter->count < MOST_STEPS; place++) filter->steps[filter->count++] = steps[place];
}
#define ADD(filter, ...)                                  \
  do {                                                    \
    const struct sock_filter steps[] = {__VA_ARGS__};     \
    add(filter, steps, sizeof steps / sizeof *steps);     \
  } while (0)

// What these argument values ask for is allowed.
static void allow_one_of(
    struct filter *filter, int call, int argument, const uint32_t *values, size_t count, int code) {
  ADD(filter, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, (uint8_t)(2 * count + 2)),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW(argument)));
  for (size_t place = 0; place < count; place++)
    ADD(filter, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, values[place], 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  ADD(filter, REFUSED(code));
}
#define ALLOW_ONE_OF(filter, call, argument, code, ...)                                                \
  do {                                                                                                 \
    const uint32_t values[] = {__VA_ARGS__};                                                           \
    allow_one_of(filter, SYS_##call, argument, values, sizeof values / sizeof *values, code);          \
  } while (0)

// Allowed where a pointer leads nowhere.
static void allow_without_pointer(struct filter *filter, int call, int argument) {
  ADD(filter, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 6),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW(argument)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW(argument) + 4), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), REFUSED(EPERM));
}

// Opening for reading empties a file, too, and a Landlock before version 3 does not see it.
static void allow_opening(struct filter *filter, int call, int flags) {
  ADD(filter, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 6),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW(flags)), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TRUNC, 0, 3),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, O_ACCMODE), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_RDONLY, 0, 1),
      REFUSED(EACCES), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}

static void allow_some(struct filter *filter) {
  allow_opening(filter, SYS_openat, 2);
  // No file is opened to others: a filter cannot tell which one a descriptor leads to.
  ADD(filter, ALLOWED_WITHOUT(fchmod, 1, 07077, EPERM));
  // By its descriptor, a file gets a time.
  allow_without_pointer(filter, SYS_utimensat, 1);
  // Limits are read, and not set.
  allow_without_pointer(filter, SYS_prlimit64, 2);
  // A terminal's state and size, but nothing typed into it; copies that share blocks.
  ALLOW_ONE_OF(filter, ioctl, 1, ENOTTY, TCGETS, TCSETS, TCSETSW, TCSETSF, TCGETS2, TCSETS2, TCSETSW2, TCSETSF2,
               TIOCGWINSZ, TIOCGPGRP, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX, (uint32_t)FICLONE, (uint32_t)FS_IOC_GETFLAGS);
  // Not those that choose who gets a signal.
  ALLOW_ONE_OF(filter, fcntl, 1, EPERM, F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK,
               F_SETLKW, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW, F_SETPIPE_SZ, F_GETPIPE_SZ);
  ALLOW_ONE_OF(filter, prctl, 0, EPERM, PR_SET_NAME, PR_GET_NAME, PR_SET_PDEATHSIG, PR_GET_DUMPABLE, PR_CAPBSET_READ,
               0x53564d41 /* PR_SET_VMA, by which the C library names memory */);
  ALLOW_ONE_OF(filter, setpriority, 0, EPERM, PRIO_PROCESS);
  // A thread or a copy of itself, in the same spaces.
  ADD(filter, ALLOWED_WITHOUT(clone, 0, ANY_SPACE, EPERM));
  // Which version there is.
  ALLOW_ONE_OF(filter, landlock_create_ruleset, 2, EPERM, LANDLOCK_CREATE_RULESET_VERSION);
}

int fueki_filter_command_calls(int starts_programs) {
  struct filter filter = {.count = 0};
  ADD(&filter, ONLY_OWN_CALLS(EPERM));
#if defined(__x86_64__)
  // Another set of numbers for the same calls.
  ADD(&filter, BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), REFUSED(ENOSYS));
  allow_opening(&filter, SYS_open, 1);
#endif
#define ALLOW(call) ADD(&filter, ALLOWED(call));
  EVERY_COMMAND(ALLOW)
  OF_THIS_PROCESSOR(ALLOW)
  allow_some(&filter);
  if (starts_programs) {
    WITH_PROGRAMS(ALLOW)
  }
#define REFUSE(call) ADD(&filter, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), REFUSED(EPERM));
  NEW_PROCESSES(REFUSE)
  NOT_PERMITTED(REFUSE)
  // The system's lookup of a user asks for a socket. A ring is a way around this filter.
  ADD(&filter, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1), REFUSED(EACCES));
#ifdef SYS_fchmodat2
  REFUSE(fchmodat2)
#endif
  // The C library takes an older call, or does without.
  ADD(&filter, REFUSED(ENOSYS));
  if (filter.count >= MOST_STEPS) {
    errno = E2BIG;
    return -1;
  }
  return fueki_install_filter(filter.steps, filter.count);
}

#else

int fueki_filter_command_calls(int starts_programs) {
  (void)starts_programs;
  errno = ENOSYS;
  return -1;
}

#endif
