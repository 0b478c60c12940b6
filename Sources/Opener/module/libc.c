// The parts of a C library that libsodium and libzstd need.
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int errno;

// Bulk memory instructions of WebAssembly.
void *memcpy(void *to, const void *from, size_t n) { return __builtin_memcpy(to, from, n); }
void *memmove(void *to, const void *from, size_t n) { return __builtin_memmove(to, from, n); }
void *memset(void *to, int byte, size_t n) { return __builtin_memset(to, byte, n); }

int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (; n; n--, x++, y++)
    if (*x != *y) return *x - *y;
  return 0;
}

size_t strlen(const char *text) {
  size_t n = 0;
  while (text[n]) n++;
  return n;
}

// First fit from a list of free blocks in ascending order, neighbours joined; memory grows by what is missing.
typedef struct Block {
  size_t size; // with this header
  struct Block *next;
  size_t unused[2]; // keeps blocks aligned to 16 bytes
} Block;

extern unsigned char __heap_base;
static Block *first;
static size_t end; // of what the heap has taken

void *malloc(size_t n) {
  if (n > SIZE_MAX - 65536 - sizeof(Block)) return NULL;
  size_t size = (n + sizeof(Block) + 15) & ~(size_t)15;
  for (;;) {
    for (Block **link = &first; *link; link = &(*link)->next) {
      Block *block = *link;
      if (block->size < size) continue;
      if (block->size - size > sizeof(Block)) {
        Block *rest = (Block *)((char *)block + size);
        rest->size = block->size - size, rest->next = block->next;
        block->size = size, *link = rest;
      } else {
        *link = block->next;
      }
      return block + 1;
    }
    if (!end) end = ((size_t)&__heap_base + 15) & ~(size_t)15;
    size_t have = __builtin_wasm_memory_size(0) * 65536;
    if (have - end < size) {
      size_t pages = (size - (have - end) + 65535) / 65536;
      if (__builtin_wasm_memory_grow(0, pages) == SIZE_MAX) return NULL;
    }
    Block *block = (Block *)end;
    block->size = size, end += size;
    free(block + 1);
  }
}

void *calloc(size_t count, size_t size) {
  size_t n;
  if (__builtin_mul_overflow(count, size, &n)) return NULL;
  void *memory = malloc(n);
  return memory ? memset(memory, 0, n) : NULL;
}

void free(void *memory) {
  if (!memory) return;
  Block *block = (Block *)memory - 1, *before = NULL, *after = first;
  while (after && after < block) before = after, after = after->next;
  block->next = after;
  if (after && (char *)block + block->size == (char *)after) block->size += after->size, block->next = after->next;
  if (!before)
    first = block;
  else if ((char *)before + before->size == (char *)block)
    before->size += block->size, before->next = block->next;
  else
    before->next = block;
}
