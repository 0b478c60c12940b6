// Decapsulation of X-Wing: ML-KEM-768 (FIPS 203) and X25519, as draft-connolly-cfrg-xwing-kem combines them.
#include "xwing.h"
#include "crypto_scalarmult_curve25519.h"
#include "keccak.h"
#include "utils.h"
#include <string.h>

enum { Q = 3329, K = 3, N = 256, ROW = 384, PUBLIC = K * ROW + 32, SEALED = 1088, SEALED_ROW = 320 };
typedef struct { uint16_t c[N]; } Poly;

static uint16_t zetas[128];

static uint16_t times(uint32_t a, uint32_t b) { return a * b % Q; }
static uint16_t plus(uint32_t a, uint32_t b) { return (a + b) % Q; }
static uint16_t minus(uint32_t a, uint32_t b) { return (a + Q - b) % Q; }

static void hash(size_t rate, uint8_t end, const void *a, size_t na, const void *b, size_t nb, void *out, size_t n) {
  Sponge sponge;
  sponge_begin(&sponge, rate);
  sponge_absorb(&sponge, a, na);
  sponge_absorb(&sponge, b, nb);
  sponge_end(&sponge, end);
  sponge_squeeze(&sponge, out, n);
  sodium_memzero(&sponge, sizeof sponge);
}

static void find_zetas(void) {
  for (int i = 0; i < 128; i++) {
    int reversed = 0;
    for (int bit = 0; bit < 7; bit++) reversed |= (i >> bit & 1) << (6 - bit);
    uint32_t power = 1;
    while (reversed--) power = times(power, 17);
    zetas[i] = power;
  }
}

static void ntt(Poly *f) {
  for (int length = 128, i = 1; length >= 2; length /= 2)
    for (int start = 0; start < N; start += 2 * length, i++)
      for (int j = start; j < start + length; j++) {
        uint16_t t = times(zetas[i], f->c[j + length]), a = f->c[j];
        f->c[j] = plus(a, t), f->c[j + length] = minus(a, t);
      }
}

static void inverse_ntt(Poly *f) {
  for (int length = 2, i = 127; length <= 128; length *= 2)
    for (int start = 0; start < N; start += 2 * length, i--)
      for (int j = start; j < start + length; j++) {
        uint16_t a = f->c[j], b = f->c[j + length];
        f->c[j] = plus(a, b), f->c[j + length] = times(zetas[i], minus(b, a));
      }
  for (int j = 0; j < N; j++) f->c[j] = times(f->c[j], 3303);
}

// Adds the product of two transformed polynomials.
static void add_product(Poly *sum, const Poly *f, const Poly *g) {
  for (int i = 0; i < N; i += 2) {
    uint16_t zeta = zetas[64 + i / 4], gamma = i & 2 ? minus(0, zeta) : zeta;
    uint16_t a = f->c[i], b = f->c[i + 1], c = g->c[i], d = g->c[i + 1];
    sum->c[i] = plus(sum->c[i], plus(times(a, c), times(times(b, d), gamma)));
    sum->c[i + 1] = plus(sum->c[i + 1], plus(times(a, d), times(b, c)));
  }
}

static void add(Poly *sum, const Poly *f) {
  for (int i = 0; i < N; i++) sum->c[i] = plus(sum->c[i], f->c[i]);
}

static void uniform(Poly *f, const uint8_t rho[32], uint8_t column, uint8_t row) {
  Sponge sponge;
  uint8_t place[2] = {column, row}, three[3];
  sponge_begin(&sponge, SHAKE128);
  sponge_absorb(&sponge, rho, 32);
  sponge_absorb(&sponge, place, 2);
  sponge_end(&sponge, SHAKE_END);
  for (int i = 0; i < N;) {
    sponge_squeeze(&sponge, three, 3);
    uint16_t low = three[0] | (three[1] & 15) << 8, high = three[1] >> 4 | three[2] << 4;
    if (low < Q) f->c[i++] = low;
    if (high < Q && i < N) f->c[i++] = high;
  }
}

static void small(Poly *f, const uint8_t seed[32], uint8_t n) {
  uint8_t bytes[128];
  hash(SHAKE256, SHAKE_END, seed, 32, &n, 1, bytes, sizeof bytes);
  for (int i = 0; i < N; i++) {
    uint8_t four = bytes[i / 2] >> 4 * (i & 1);
    f->c[i] = minus((four & 1) + (four >> 1 & 1), (four >> 2 & 1) + (four >> 3 & 1));
  }
  sodium_memzero(bytes, sizeof bytes);
}

static void encode(uint8_t *out, int width, const Poly *f) {
  memset(out, 0, 32 * width);
  for (int i = 0; i < N * width; i++) out[i / 8] |= (f->c[i / width] >> i % width & 1) << i % 8;
}

static void decode(Poly *f, int width, const uint8_t *bytes) {
  memset(f, 0, sizeof *f);
  for (int i = 0; i < N * width; i++) f->c[i / width] |= (bytes[i / 8] >> i % 8 & 1) << i % width;
}

static void compress(Poly *f, int width) {
  for (int i = 0; i < N; i++) f->c[i] = (((uint32_t)f->c[i] << width) + Q / 2) / Q & ((1 << width) - 1);
}

static void decompress(Poly *f, int width) {
  for (int i = 0; i < N; i++) f->c[i] = ((uint32_t)f->c[i] * Q + (1 << (width - 1))) >> width;
}

static void make_keys(Poly s[K], uint8_t public_key[PUBLIC], const uint8_t d[32]) {
  uint8_t seeds[64], k = K;
  hash(SHA3_512, SHA3_END, d, 32, &k, 1, seeds, 64);
  for (int i = 0; i < K; i++) small(&s[i], seeds + 32, i), ntt(&s[i]);
  for (int i = 0; i < K; i++) {
    Poly t, a;
    small(&t, seeds + 32, K + i);
    ntt(&t);
    for (int j = 0; j < K; j++) uniform(&a, seeds, j, i), add_product(&t, &a, &s[j]);
    encode(public_key + ROW * i, 12, &t);
  }
  memcpy(public_key + K * ROW, seeds, 32);
  sodium_memzero(seeds, sizeof seeds);
}

static void encrypt(uint8_t sealed[SEALED], const uint8_t public_key[PUBLIC], const uint8_t message[32],
                    const uint8_t randomness[32]) {
  Poly y[K], a, v = {0}, noise;
  for (int i = 0; i < K; i++) small(&y[i], randomness, i), ntt(&y[i]);
  for (int i = 0; i < K; i++) {
    Poly u = {0};
    for (int j = 0; j < K; j++) uniform(&a, public_key + K * ROW, i, j), add_product(&u, &a, &y[j]);
    inverse_ntt(&u);
    small(&noise, randomness, K + i);
    add(&u, &noise);
    compress(&u, 10);
    encode(sealed + SEALED_ROW * i, 10, &u);
    decode(&a, 12, public_key + ROW * i);
    add_product(&v, &a, &y[i]);
  }
  inverse_ntt(&v);
  small(&noise, randomness, 2 * K);
  add(&v, &noise);
  decode(&a, 1, message);
  decompress(&a, 1);
  add(&v, &a);
  compress(&v, 4);
  encode(sealed + SEALED_ROW * K, 4, &v);
  sodium_memzero(y, sizeof y);
}

static void decapsulate(uint8_t secret[32], const Poly s[K], const uint8_t public_key[PUBLIC], const uint8_t z[32],
                        const uint8_t sealed[SEALED]) {
  Poly u, w = {0}, v;
  uint8_t both[64], message[64], again[SEALED], rejected[32];
  for (int i = 0; i < K; i++) {
    decode(&u, 10, sealed + SEALED_ROW * i);
    decompress(&u, 10);
    ntt(&u);
    add_product(&w, &s[i], &u);
  }
  inverse_ntt(&w);
  decode(&v, 4, sealed + SEALED_ROW * K);
  decompress(&v, 4);
  for (int i = 0; i < N; i++) v.c[i] = minus(v.c[i], w.c[i]);
  compress(&v, 1);
  encode(message, 1, &v);
  hash(SHA3_256, SHA3_END, public_key, PUBLIC, NULL, 0, message + 32, 32);
  hash(SHA3_512, SHA3_END, message, 64, NULL, 0, both, 64);
  encrypt(again, public_key, message, both + 32);
  hash(SHAKE256, SHAKE_END, z, 32, sealed, SEALED, rejected, 32);
  uint8_t keep = sodium_memcmp(again, sealed, SEALED); // 0, or 255 if they differ
  for (int i = 0; i < 32; i++) secret[i] = (both[i] & ~keep) | (rejected[i] & keep);
  sodium_memzero(both, sizeof both);
  sodium_memzero(message, sizeof message);
}

int xwing_decapsulate(uint8_t secret[32], uint8_t public_key[XWING_PUBLIC], const uint8_t seed[32],
                      const uint8_t sealed[XWING_SEALED]) {
  uint8_t expanded[96], parts[134];
  Poly s[K];
  find_zetas();
  hash(SHAKE256, SHAKE_END, seed, 32, NULL, 0, expanded, 96);
  make_keys(s, public_key, expanded);
  crypto_scalarmult_curve25519_base(public_key + PUBLIC, expanded + 64);
  decapsulate(parts, s, public_key, expanded + 32, sealed);
  int failed = crypto_scalarmult_curve25519(parts + 32, expanded + 64, sealed + SEALED);
  memcpy(parts + 64, sealed + SEALED, 32);
  memcpy(parts + 96, public_key + PUBLIC, 32);
  memcpy(parts + 128, "\x5c\x2e\x2f\x2f\x5e\x5c", 6);
  hash(SHA3_256, SHA3_END, parts, sizeof parts, NULL, 0, secret, 32);
  sodium_memzero(s, sizeof s);
  sodium_memzero(parts, sizeof parts);
  sodium_memzero(expanded, sizeof expanded);
  return failed;
}
