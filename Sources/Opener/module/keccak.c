// Keccak-f[1600] and sponges of it (FIPS 202).
#include "keccak.h"
#include <string.h>

static const uint64_t CONSTANTS[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
    0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
    0x000000000000800a, 0x800000008000000a, 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};
static const uint8_t TURNS[24] = {1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44};
static const uint8_t PLACES[24] = {10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1};

static uint64_t turn(uint64_t x, int n) { return x << n | x >> (64 - n); }

static void permute(uint64_t a[25]) {
  for (int round = 0; round < 24; round++) {
    uint64_t c[5];
    for (int x = 0; x < 5; x++) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    for (int i = 0; i < 25; i++) a[i] ^= c[(i + 4) % 5] ^ turn(c[(i + 1) % 5], 1);
    uint64_t moved = a[1];
    for (int i = 0; i < 24; i++) {
      uint64_t next = a[PLACES[i]];
      a[PLACES[i]] = turn(moved, TURNS[i]);
      moved = next;
    }
    for (int y = 0; y < 25; y += 5) {
      uint64_t row[5];
      memcpy(row, a + y, sizeof row);
      for (int x = 0; x < 5; x++) a[y + x] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
    }
    a[0] ^= CONSTANTS[round];
  }
}

void sponge_begin(Sponge *sponge, size_t rate) {
  memset(sponge, 0, sizeof *sponge);
  sponge->rate = rate;
}

void sponge_absorb(Sponge *sponge, const void *bytes, size_t n) {
  for (size_t i = 0; i < n; i++) {
    ((uint8_t *)sponge->lanes)[sponge->at++] ^= ((const uint8_t *)bytes)[i];
    if (sponge->at == sponge->rate) permute(sponge->lanes), sponge->at = 0;
  }
}

void sponge_end(Sponge *sponge, uint8_t end) {
  ((uint8_t *)sponge->lanes)[sponge->at] ^= end;
  ((uint8_t *)sponge->lanes)[sponge->rate - 1] ^= 0x80;
  sponge->at = sponge->rate;
}

void sponge_squeeze(Sponge *sponge, void *bytes, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (sponge->at == sponge->rate) permute(sponge->lanes), sponge->at = 0;
    ((uint8_t *)bytes)[i] = ((uint8_t *)sponge->lanes)[sponge->at++];
  }
}
