#ifndef FUEKI_CPROCESS_H
#define FUEKI_CPROCESS_H

#include <stddef.h>

// What Swift cannot call: variadic functions, function-like macros, what Glibc declares for _GNU_SOURCE only, and
// code that runs inside a signal handler.

// PR_SET_DUMPABLE 0: no core, no ptrace by the same user. Returns 0, or -1 with errno.
int fueki_forbid_dumping(void);

// From now on the first SIGINT, SIGTERM or SIGHUP sets a flag, and then ends each call that waits, 20 times a second,
// until the process has ended; after 1.6 seconds it is ended, with status 130. A second SIGINT or SIGTERM ends it at once.
// A SIGHUP that is ignored stays so.
// Returns 0, or -1 with errno.
int fueki_catch_interruptions(void);
int fueki_interruption_was_requested(void);
// Milliseconds since the first signal, in steps of 50; 0 before it.
int fueki_interruption_age(void);
// Sets the flag and nothing else.
void fueki_request_interruption(void);

// What is written to stream 1 or 2 by a process that is ended after an interruption.
void fueki_set_last_words(int stream, const char *bytes, size_t count);

// Names a child that is ended with the process; negative names a process group. Returns a place, or -1 where there is
// none.
int fueki_watch_child(int child);
void fueki_forget_child(int place);
// Kills the children that are named.
void fueki_end_children(void);

// Names a file that is removed with the process if that is ended after an interruption. The directory's descriptor
// stays open until the file is forgotten. Returns a place, or -1 where there is none.
int fueki_watch_file(int directory, const char *name);
void fueki_forget_file(int place);

// 1 where this process may read from the terminal: its process group is the terminal's.
int fueki_has_terminal(void);

// The processors that this process may run on; at least 1.
int fueki_usable_processors(void);

// Waits until the descriptor has input (returns 1) or one of these signals, which the caller has blocked, has
// arrived (returns 0, and the signal stays pending) or an interruption was noted. Returns -1 with errno. `signals` is a sigset_t: including signal.h
// here would make Swift attribute Glibc's types to this module.
int fueki_wait_for_input(int descriptor, const void *signals);

// fork, which Swift may not call: the child has no thread but this one. Returns the child's id, 0 in the child, or -1
// with errno.
int fueki_fork(void);

// POSIX_SPAWN_SETSID, which Glibc declares for _GNU_SOURCE only.
enum { FUEKI_SPAWN_SETSID = 0x80 };

// Makes a spawned child begin in this directory; `actions` is a posix_spawn_file_actions_t. Returns an errno.
int fueki_spawn_in_directory(void *actions, const char *directory);

// Makes a spawned child begin with no descriptor above 2; `actions` as above. Returns an errno.
int fueki_spawn_without_files(void *actions);

// A pipe whose ends no child inherits, not even one that another thread starts at this moment.
int fueki_pipe(int ends[2]);

// Makes room for a mebibyte in a pipe. A system that refuses keeps its own size.
void fueki_widen_pipe(int descriptor);

// renameat2 within one directory: fails with EEXIST where the new name is taken, or swaps the two.
int fueki_rename_no_replace(int directory, const char *from, const char *to);
int fueki_rename_exchange(int directory, const char *from, const char *to);

// Takes a lock for writing on a range of a file that belongs to the open file, not to the process. Returns 0, or -1
// with errno: EAGAIN where somebody holds a lock there, this process included.
int fueki_lock_range(int descriptor, long long start, long long length);

// Lets a new file share all blocks of another, which costs nothing. Returns 0, or -1 with errno.
int fueki_clone_file(int from, int to);

// Copies a range within the kernel. Returns how much was copied, 0 at the end, or -1 with errno.
long long fueki_copy_range(int from, int to, long long offset, long long length);

// What of a file is on the device or in memory: 0 all of it, or the file system cannot say; 1 a part, with holes;
// 2 nothing. The file's position goes to its start.
int fueki_stored_part(int descriptor);

// Where the first byte from an offset on lies that is in no hole: -1 where there is none, the offset itself where the
// file system cannot say. It moves the descriptor's own position.
long long fueki_next_data(int descriptor, long long offset);
// How many bytes of a file are holes, which no disk holds; the position is the beginning after that.
long long fueki_hole_bytes(int descriptor);

// Begins to write a range of a file to the device, without waiting.
int fueki_start_writeback(int descriptor, long long offset, long long length);

// 1 where a file system keeps what is written in memory, 0 where it does not, -1 on error.
int fueki_is_in_memory(int descriptor);

// Keeps blocks up to a size in the heap when they are freed, and that many bytes of free memory at the heap's end.
void fueki_keep_freed_memory(int block_bytes, int total_bytes);

// Whether the kernel's random numbers have been seeded.
int fueki_entropy_is_ready(void);

// How many bytes this process may lock into memory; -1 where there is no limit.
long long fueki_lockable_bytes(void);

// 1 where something disciplines the system's clock, 0 where nothing does, -1 where the kernel does not tell.
int fueki_clock_is_synchronised(void);

// The version of the kernel's Landlock interface; 0 where it has none, or does not let it be used.
int fueki_landlock_version(void);

// What a rule of Landlock's allows, of a path and all below it. FUEKI_WRITE includes reading; FUEKI_MOVE_FOLDERS
// makes and removes empty folders, and gives folders other names in the same folder. FUEKI_RUN starts a program, which
// stays under the same rules; it includes reading.
enum {
  FUEKI_READ = 1,
  FUEKI_LIST = 2,
  FUEKI_WRITE = 4,
  FUEKI_MOVE_FOLDERS = 8,
  FUEKI_DEVICE = 16,
  FUEKI_RUN = 32
};

// A ruleset that forbids all that a version of Landlock can forbid, which is this kernel's or an earlier one. Returns its
// descriptor, or -1 with errno.
int fueki_landlock_begin(int version);

// Allows something in a ruleset. Returns 0, or -1 with errno: ENOENT where the path is not there, EBADFD where it is
// of no file system that Landlock guards.
int fueki_landlock_allow(int ruleset, int version, const char *path, int rights);

// Puts this thread, and the threads and programs that it will start, under a ruleset for good. Returns 0, or -1 with
// errno.
int fueki_landlock_enter(int ruleset);

// Whether the kernel takes filters for system calls (seccomp).
int fueki_has_call_filters(void);

// Leaves this thread, and what it will start, only the system calls that commands were seen to need; with programs, those
// for starting them, too. An unknown call is not implemented (ENOSYS), a dangerous one not permitted. Returns 0, or -1
// with errno.
int fueki_filter_command_calls(int starts_programs);

// The names of those calls, by number from 0: what every command may make, or what starting programs adds; NULL at the end.
const char *fueki_command_call(int number, int starts_programs);

// Leaves this thread, and the threads that it will start, only the system calls that a reader of files needs: nothing is
// opened for writing, no program or process is started, no socket made, no code loaded. If it `writes`, SQLite's locks and
// opening for writing are left, too. Returns 0, or -1 with errno.
int fueki_filter_reader_calls(int writes);

// Limits the address space of this process for good. Returns 0, or -1 with errno.
int fueki_limit_memory(long long bytes);

// Limits the size of each file that this process writes, for good. Returns 0, or -1 with errno.
int fueki_limit_file_size(long long bytes);

// Makes this process, a copy of another, like one that was started anew for a task: streams 0 to 2 lead nowhere, of all
// other descriptors `kept` is left, variables of the environment other than these are overwritten and removed, and the
// process ends with its parent. The names end with NULL. Returns 0, or -1 with errno.
int fueki_isolate_copy(int kept, const char *name, const char *const *variables);

// Two sockets that are connected with each other, which no child inherits. Returns 0, or -1 with errno.
int fueki_socket_pair(int ends[2]);

// Sends a descriptor, with one byte, over a socket. Returns 0, or -1 with errno.
int fueki_send_descriptor(int end, int descriptor);
// Reads from a socket, with a descriptor if one was sent. Returns how many bytes came, or -1 with errno.
int fueki_receive(int end, void *bytes, int count, int *descriptor);

// Tries to connect to this machine itself. Returns 0, or an errno.
int fueki_try_connecting(void);

#endif
