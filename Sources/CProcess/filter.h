#ifndef FUEKI_FILTER_H
#define FUEKI_FILTER_H

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

// The steps of filters for system calls (seccomp).

#if defined(__x86_64__)
#define OWN_CALLS AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_CALLS AUDIT_ARCH_AARCH64
#endif

#define ALLOWED(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
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

// Refuses the calls of another processor, and leaves a call's number for the steps that follow.
#define ONLY_OWN_CALLS(code)                                                  \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),    \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_CALLS, 1, 0), REFUSED(code), LOAD_CALL

static inline int fueki_install_filter(struct sock_filter *steps, size_t count) {
  struct sock_fprog program = {.len = (unsigned short)count, .filter = steps};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0L, 0L);
}

#endif
