#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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
