#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <malloc.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <unistd.h>

int fueki_forbid_dumping(void) { return prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L); }

int fueki_usable_processors(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  int count = CPU_COUNT(&set);
  return count < 1 ? 1 : count;
}

int fueki_rename_no_replace(int directory, const char *from, const char *to) {
  return renameat2(directory, from, directory, to, RENAME_NOREPLACE);
}

int fueki_rename_exchange(int directory, const char *from, const char *to) {
  return renameat2(directory, from, directory, to, RENAME_EXCHANGE);
}

int fueki_lock_range(int descriptor, long long start, long long length) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int fueki_clone_file(int from, int to) { return ioctl(to, FICLONE, from); }

long long fueki_copy_range(int from, int to, long long offset, long long length) {
  off_t in = offset, out = offset;
  return copy_file_range(from, &in, to, &out, length, 0);
}

int fueki_stored_part(int descriptor) {
  off_t end = lseek(descriptor, 0, SEEK_END);
  off_t hole = lseek(descriptor, 0, SEEK_HOLE);
  off_t data = lseek(descriptor, 0, SEEK_DATA);
  int nothing = data < 0 && errno == ENXIO;
  lseek(descriptor, 0, SEEK_SET);
  if (end <= 0 || hole < 0 || hole >= end) return 0;
  return nothing ? 2 : 1;
}

long long fueki_next_data(int descriptor, long long offset) {
  off_t data = lseek(descriptor, offset, SEEK_DATA);
  if (data >= 0) return data;
  return errno == ENXIO ? -1 : offset;
}

long long fueki_hole_bytes(int descriptor) {
  off_t end = lseek(descriptor, 0, SEEK_END), offset = 0, holes = 0;
  // A file can have a hole in every other block: what is counted by then is holes enough.
  for (int turn = 0; offset >= 0 && offset < end && turn < 1 << 20; turn++) {
    off_t data = lseek(descriptor, offset, SEEK_DATA);
    if (data < 0) {
      if (errno == ENXIO) holes += end - offset;
      break;
    }
    holes += data - offset;
    offset = lseek(descriptor, data, SEEK_HOLE);
  }
  lseek(descriptor, 0, SEEK_SET);
  return holes;
}

int fueki_start_writeback(int descriptor, long long offset, long long length) {
  return sync_file_range(descriptor, offset, length, SYNC_FILE_RANGE_WRITE);
}

void fueki_keep_freed_memory(int block_bytes, int total_bytes) {
  mallopt(M_MMAP_THRESHOLD, block_bytes);
  mallopt(M_TRIM_THRESHOLD, total_bytes);
}

int fueki_wait_for_input(int descriptor, const void *signals) {
  int arrived = signalfd(-1, signals, SFD_CLOEXEC);
  if (arrived < 0) return -1;
  struct pollfd both[2] = {{arrived, POLLIN, 0}, {descriptor, POLLIN, 0}};
  int answer;
  do {
    // Not for ever: the signal may have been handled by another thread.
    answer = poll(both, 2, 250);
  } while (!fueki_interruption_was_requested() && (answer == 0 || (answer < 0 && errno == EINTR)));
  int code = errno;
  close(arrived);
  errno = code;
  if (fueki_interruption_was_requested() || both[0].revents != 0) return 0;
  return answer < 0 ? -1 : 1;
}

_Static_assert(FUEKI_SPAWN_SETSID == POSIX_SPAWN_SETSID, "the C library's number");

int fueki_spawn_in_directory(void *actions, const char *directory) {
  return posix_spawn_file_actions_addchdir_np(actions, directory);
}

int fueki_spawn_without_files(void *actions) { return posix_spawn_file_actions_addclosefrom_np(actions, 3); }

int fueki_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

void fueki_widen_pipe(int descriptor) { (void)fcntl(descriptor, F_SETPIPE_SZ, 1 << 20); }

int fueki_entropy_is_ready(void) {
  char byte;
  return getrandom(&byte, 1, GRND_NONBLOCK) == 1;
}

long long fueki_lockable_bytes(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_MEMLOCK, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY) return -1;
  return (long long)limit.rlim_cur;
}

int fueki_clock_is_synchronised(void) {
  struct timex state = {0};
  if (adjtimex(&state) < 0) return -1;
  return (state.status & STA_UNSYNC) == 0;
}

int fueki_is_in_memory(int descriptor) {
  struct statfs status;
  if (fstatfs(descriptor, &status) < 0) return -1;
  return status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC;
}
