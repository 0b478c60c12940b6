#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
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

int fueki_landlock_begin(int version) {
  struct ruleset rules = all(version);
  // An older kernel takes the longer structure, as what it does not know is 0.
  return (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
}

int fueki_landlock_allow(int ruleset, int version, const char *path, int rights) {
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
    access &= all(version).files;
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = place};
    result = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  int code = errno;
  close(place);
  errno = code;
  return result;
}

int fueki_landlock_enter(int ruleset) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) != 0) return -1;
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
  // In a session of its own it has no terminal. It fails only for one that has a session already.
  (void)setsid();
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
