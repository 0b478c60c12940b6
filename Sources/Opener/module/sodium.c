// The functions of libsodium's utils.c, core.c and runtime.c that the rest of it needs; those files need signals and threads.
#include <stddef.h>
#include <string.h>

void sodium_memzero(void *memory, size_t n) {
  volatile unsigned char *bytes = memory;
  while (n--) *bytes++ = 0;
}

int sodium_memcmp(const void *a, const void *b, size_t n) {
  const volatile unsigned char *x = a, *y = b;
  unsigned char different = 0;
  for (size_t i = 0; i < n; i++) different |= x[i] ^ y[i];
  return (1 & ((different - 1) >> 8)) - 1;
}

int sodium_is_zero(const unsigned char *bytes, size_t n) {
  volatile unsigned char any = 0;
  for (size_t i = 0; i < n; i++) any |= bytes[i];
  return 1 & ((any - 1) >> 8);
}

void sodium_misuse(void) { __builtin_trap(); }
