#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t lanes[25];
  size_t rate, at;
} Sponge;

enum { SHAKE128 = 168, SHAKE256 = 136, SHA3_256 = 136, SHA3_512 = 72 };
enum { KECCAK_END = 0x01, SHA3_END = 0x06, SHAKE_END = 0x1f };

void sponge_begin(Sponge *, size_t rate);
void sponge_absorb(Sponge *, const void *bytes, size_t n);
void sponge_end(Sponge *, uint8_t end);
void sponge_squeeze(Sponge *, void *bytes, size_t n);
