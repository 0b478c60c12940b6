#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

// A run has this long to end by itself after the first signal; then it ends here.
enum { TURN_MILLISECONDS = 50, MOST_TURNS = 32, MOST_CHILDREN = 64, MOST_FILES = 16, STATUS = 130 };

static volatile sig_atomic_t interrupted = 0;
static volatile sig_atomic_t turns = 0;

// Ids of children, negative for those that lead a group of their own; 0 for a free place.
static atomic_int children[MOST_CHILDREN];

// Files that are not finished. A place is free, being filled, or in use.
enum { FREE, FILLING, USED };
static struct unfinished {
  atomic_int state;
  int directory;
  char name[256];
} files[MOST_FILES];

static struct {
  const char *bytes;
  size_t count;
} last_words[3];

void fueki_end_children(void) {
  for (int place = 0; place < MOST_CHILDREN; place++) {
    int child = atomic_load(&children[place]);
    if (child != 0) kill(child, SIGKILL);
  }
}

static void end_process(void) {
  fueki_end_children();
  for (int place = 0; place < MOST_FILES; place++) {
    if (atomic_load(&files[place].state) == USED) unlinkat(files[place].directory, files[place].name, 0);
  }
  for (int stream = 1; stream <= 2; stream++) {
    if (last_words[stream].count == 0) continue;
    // A reader that does not read may not keep the process.
    struct pollfd room = {stream, POLLOUT, 0};
    if (poll(&room, 1, 0) != 1 || (room.revents & POLLOUT) == 0) continue;
    if (write(stream, last_words[stream].bytes, last_words[stream].count) < 0) continue;
  }
  _exit(STATUS);
}

// Ends a call that waits: one that began just after the flag was looked at would otherwise wait for ever.
static void wake(int signal_number, siginfo_t *information, void *context) {
  (void)signal_number;
  (void)context;
  int code = errno;
  if (information->si_code != SI_TKILL) {
    turns = turns + 1;
    if (turns >= MOST_TURNS) end_process();
    if (gettid() != getpid()) syscall(SYS_tgkill, getpid(), getpid(), SIGALRM);
  }
  errno = code;
}

static void note_interruption(int signal_number) {
  if (interrupted && turns > 0) {
    // A terminal that closes sends several.
    if (signal_number == SIGHUP) return;
    // The second signal ends the process at once.
    fueki_end_children();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    return;
  }
  interrupted = 1;
  turns = 1;
  struct itimerval turn = {
      .it_interval.tv_usec = 1000 * TURN_MILLISECONDS, .it_value.tv_usec = 1000 * TURN_MILLISECONDS};
  setitimer(ITIMER_REAL, &turn, NULL);
}

int fueki_catch_interruptions(void) {
  struct sigaction waking = {0};
  waking.sa_sigaction = wake;
  waking.sa_flags = SA_SIGINFO;
  sigfillset(&waking.sa_mask);
  if (sigaction(SIGALRM, &waking, NULL) != 0) return -1;
  struct sigaction action = {0};
  action.sa_handler = note_interruption;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGINT);
  sigaddset(&action.sa_mask, SIGTERM);
  sigaddset(&action.sa_mask, SIGHUP);
  sigaddset(&action.sa_mask, SIGALRM);
  // No SA_RESTART: a wait for the terminal or for a child must return and see the flag.
  if (sigaction(SIGINT, &action, NULL) != 0 || sigaction(SIGTERM, &action, NULL) != 0) return -1;
  // nohup ignores it, for a run that goes on without its terminal.
  struct sigaction present;
  if (sigaction(SIGHUP, NULL, &present) != 0) return -1;
  return present.sa_handler == SIG_IGN ? 0 : sigaction(SIGHUP, &action, NULL);
}

int fueki_interruption_was_requested(void) { return interrupted != 0; }

int fueki_interruption_age(void) { return interrupted ? turns * TURN_MILLISECONDS : 0; }

void fueki_request_interruption(void) { interrupted = 1; }

void fueki_set_last_words(int stream, const char *bytes, size_t count) {
  if (stream < 1 || stream > 2) return;
  char *copy = count == 0 ? NULL : malloc(count);
  if (copy != NULL) memcpy(copy, bytes, count);
  last_words[stream].count = 0;
  last_words[stream].bytes = copy;
  last_words[stream].count = copy == NULL ? 0 : count;
}

int fueki_watch_child(int child) {
  for (int place = 0; place < MOST_CHILDREN; place++) {
    int empty = 0;
    if (atomic_compare_exchange_strong(&children[place], &empty, child)) return place;
  }
  return -1;
}

void fueki_forget_child(int place) {
  if (place >= 0 && place < MOST_CHILDREN) atomic_store(&children[place], 0);
}

int fueki_watch_file(int directory, const char *name) {
  if (strlen(name) >= sizeof files[0].name) return -1;
  for (int place = 0; place < MOST_FILES; place++) {
    int empty = FREE;
    if (!atomic_compare_exchange_strong(&files[place].state, &empty, FILLING)) continue;
    files[place].directory = directory;
    strcpy(files[place].name, name);
    atomic_store(&files[place].state, USED);
    return place;
  }
  return -1;
}

void fueki_forget_file(int place) {
  if (place >= 0 && place < MOST_FILES) atomic_store(&files[place].state, FREE);
}

int fueki_fork(void) {
  int child = fork();
  if (child == 0) {
    // What the parent started is not the child's to end.
    for (int place = 0; place < MOST_CHILDREN; place++) atomic_store(&children[place], 0);
    for (int place = 0; place < MOST_FILES; place++) atomic_store(&files[place].state, FREE);
    last_words[1].count = last_words[2].count = 0;
  }
  return child;
}

int fueki_has_terminal(void) {
  int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (terminal < 0) return 0;
  int is_ours = tcgetpgrp(terminal) == getpgrp();
  close(terminal);
  return is_ours;
}
