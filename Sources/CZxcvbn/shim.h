#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zxcvbn.h>

// The estimate in bits, made in a child: the library frees its matches unwiped, and what they say of a passphrase goes
// with the child's memory. Less than 0 where there is no child, or it gives no answer.
static inline double fueki_zxcvbn_bits(const char *text, const char **words) {
  double bits = -1;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return bits;
  pid_t child = fork();
  if (child == 0) {
    bits = ZxcvbnMatch(text, words, NULL);
    _exit(write(ends[1], &bits, sizeof bits) == sizeof bits ? 0 : 1);
  }
  close(ends[1]);
  if (child > 0) {
    ssize_t count;
    do count = read(ends[0], &bits, sizeof bits);
    while (count < 0 && errno == EINTR);
    if (count != sizeof bits) bits = -1;
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
  }
  close(ends[0]);
  return bits;
}
