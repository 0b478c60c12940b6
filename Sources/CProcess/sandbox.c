#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// linux/landlock.h of Linux 6.1 ends with version 2 of the interface.
enum { TRUNCATE = 1 << 14, IOCTL_DEV = 1 << 15, CONNECT_AND_BIND = 3, ABSTRACT_SOCKETS_AND_SIGNALS = 3 };

enum {
  READ_FILE = LANDLOCK_ACCESS_FS_READ_FILE,
  READ_FOLDER = LANDLOCK_ACCESS_FS_READ_DIR,
  MOVE_FOLDERS = LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR,
  WRITE_FILE = LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE,
  MAKE_FILES = LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_REMOVE_FILE |
               LANDLOCK_ACCESS_FS_REFER,
  // What a rule for a file may have; the kernel refuses the others.
  OF_FILES = READ_FILE | WRITE_FILE | IOCTL_DEV | LANDLOCK_ACCESS_FS_EXECUTE,
};

struct ruleset {
  uint64_t files, network, scopes;
};

int fueki_landlock_version(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : (int)version;
}

// Everything that a version of the interface can forbid.
static struct ruleset all(int version) {
  int count = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  return (struct ruleset){
      .files = (1ULL << count) - 1,
      .network = version >= 4 ? CONNECT_AND_BIND : 0,
      .scopes = version >= 6 ? ABSTRACT_SOCKETS_AND_SIGNALS : 0,
  };
}

int fueki_landlock_begin(void) {
  struct ruleset rules = all(fueki_landlock_version());
  // An older kernel takes the longer structure, as what it does not know is 0.
  return (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
}

int fueki_landlock_allow(int ruleset, const char *path, int rights) {
  uint64_t access = 0;
  if (rights & FUEKI_READ) access |= READ_FILE | READ_FOLDER;
  if (rights & FUEKI_LIST) access |= READ_FOLDER;
  if (rights & FUEKI_WRITE) access |= READ_FILE | READ_FOLDER | WRITE_FILE | MAKE_FILES | MOVE_FOLDERS;
  if (rights & FUEKI_MOVE_FOLDERS) access |= READ_FOLDER | MOVE_FOLDERS;
  if (rights & FUEKI_DEVICE) access |= READ_FILE | WRITE_FILE | IOCTL_DEV;
  if (rights & FUEKI_RUN) access |= READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE;
  int place = open(path, O_PATH | O_CLOEXEC);
  if (place < 0) return -1;
  struct stat status;
  int result = fstat(place, &status);
  if (result == 0) {
    if (!S_ISDIR(status.st_mode)) access &= OF_FILES;
    access &= all(fueki_landlock_version()).files;
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = place};
    result = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  int code = errno;
  close(place);
  errno = code;
  return result;
}

#if defined(__x86_64__)
#define OWN_CALLS AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_CALLS AUDIT_ARCH_AARCH64
#endif

// Landlock guards TCP alone. Over a socket with a path, a service of the same user could be asked to start a program
// outside, so there are no new sockets at all; nor a ring, over which the kernel makes them unseen by this filter.
static int forbid_sockets(void) {
#ifdef OWN_CALLS
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_CALLS, 0, 5),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 2, 0),
      // x86-64 has another set of numbers for the same calls.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
  };
  struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0L, 0L) != 0 && errno != EINVAL) return -1;
#endif
  return 0;
}

int fueki_landlock_enter(int ruleset) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) != 0 || forbid_sockets() != 0) return -1;
  // No flags: what is refused goes to the audit log, if the system keeps one.
  return (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
}

int fueki_try_connecting(void) {
  int end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (end < 0) return errno;
  // The discard service's port, where as a rule nobody listens.
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int code = connect(end, (struct sockaddr *)&to, sizeof to) == 0 ? 0 : errno;
  close(end);
  return code;
}

// Calls of a reader in its box: memory, threads, time, and files that are open or that Landlock lets it read.
#define ALLOWED(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#ifdef SYS_poll
#define ALLOWED_POLL ALLOWED(poll)
#else
#define ALLOWED_POLL ALLOWED(ppoll)
#endif
#define LOAD_CALL BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define LOW(argument) (offsetof(struct seccomp_data, args[argument]))
#define REFUSED(code) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code))
// A call that is refused if one of these bits is set in an argument.
#define ALLOWED_WITHOUT(call, argument, bits, code)                                                       \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4), BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW(argument)), \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 0, 1), REFUSED(code),                                   \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
// A call that is allowed only with this value of an argument.
#define ALLOWED_WITH(call, argument, value, code)                                                         \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4), BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW(argument)), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 1, 0), REFUSED(code),                                   \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

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
  struct sock_filter start[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_CALLS, 1, 0),
      REFUSED(EPERM),
      LOAD_CALL,
  };
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
  struct sock_fprog program = {.len = (unsigned short)count, .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0L, 0L);
#else
  (void)writes;
  errno = ENOSYS;
  return -1;
#endif
}

static int lower_limit(int resource, long long bytes) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -1;
  rlim_t wanted = (rlim_t)bytes;
  if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > wanted) limit.rlim_max = wanted;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(resource, &limit);
}

int fueki_limit_memory(long long bytes) { return lower_limit(RLIMIT_AS, bytes); }

int fueki_limit_file_size(long long bytes) { return lower_limit(RLIMIT_FSIZE, bytes); }

static void keep_variables(const char *const *names) {
  size_t count = 0;
  for (size_t place = 0; environ != NULL && environ[place] != NULL; place++) {
    char *variable = environ[place], *value = strchr(variable, '=');
    int is_kept = 0;
    for (size_t at = 0; value != NULL && names[at] != NULL && !is_kept; at++)
      is_kept = strlen(names[at]) == (size_t)(value - variable) &&
                memcmp(names[at], variable, (size_t)(value - variable)) == 0;
    if (is_kept) {
      environ[count++] = variable;
    } else {
      explicit_bzero(variable, strlen(variable));
    }
  }
  if (environ != NULL) environ[count] = NULL;
}

int fueki_isolate_copy(int kept, const char *name, const char *const *variables) {
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) return -1;
  for (int stream = 0; stream <= 2; stream++)
    if (dup2(nowhere, stream) < 0) return -1;
  unsigned first = 3, own = (unsigned)kept;
  if (own < first) {
    errno = EINVAL;
    return -1;
  }
  if (own > first && syscall(SYS_close_range, first, own - 1, 0) != 0) return -1;
  if (syscall(SYS_close_range, own + 1, ~0U, 0) != 0) return -1;
  keep_variables(variables);
  if (prctl(PR_SET_NAME, name, 0L, 0L, 0L) != 0) return -1;
  return prctl(PR_SET_PDEATHSIG, (long)SIGKILL, 0L, 0L, 0L);
}

int fueki_socket_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends); }

// Bytes, with room for one descriptor.
struct descriptor_message {
  struct iovec part;
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
  } control;
  struct msghdr head;
};

static struct msghdr *message_of(struct descriptor_message *message, void *bytes, size_t count) {
  memset(message, 0, sizeof *message);
  message->part = (struct iovec){bytes, count};
  message->head.msg_iov = &message->part;
  message->head.msg_iovlen = 1;
  message->head.msg_control = message->control.bytes;
  message->head.msg_controllen = sizeof message->control.bytes;
  return &message->head;
}

int fueki_send_descriptor(int end, int descriptor) {
  char byte = 0;
  struct descriptor_message message;
  struct msghdr *sent = message_of(&message, &byte, 1);
  struct cmsghdr *head = CMSG_FIRSTHDR(sent);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(head), &descriptor, sizeof(int));
  return sendmsg(end, sent, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

int fueki_receive(int end, void *bytes, int count, int *descriptor) {
  struct descriptor_message message;
  struct msghdr *read = message_of(&message, bytes, (size_t)count);
  int received = (int)recvmsg(end, read, MSG_CMSG_CLOEXEC);
  struct cmsghdr *head = received > 0 ? CMSG_FIRSTHDR(read) : NULL;
  if (head != NULL && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS)
    memcpy(descriptor, CMSG_DATA(head), sizeof(int));
  return received;
}
