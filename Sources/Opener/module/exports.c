// The functions that the reader calls. Pointers are into the module's memory; 0 is success.
#include "argon2-core.h"
#include "argon2.h"
#include "crypto_aead_xchacha20poly1305.h"
#include "crypto_auth_hmacsha256.h"
#include "crypto_hash_sha256.h"
#include "crypto_scalarmult_curve25519.h"
#include "crypto_sign_ed25519.h"
#include "keccak.h"
#include "utils.h"
#include "xwing.h"
#include "zstd.h"
#include "zstd_errors.h"
#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name)))
typedef unsigned char Byte;

enum { CHUNK = 16400 };

EXPORT(allocate) void *allocate(size_t n) { return malloc(n); }

EXPORT(release) void release(void *memory) { free(memory); }

/// The end of the stack, which begins at 0 and is empty between two calls.
EXPORT(stack_end) Byte *stack_end(void) {
  extern Byte __stack_high;
  return &__stack_high;
}

EXPORT(sha256_size) size_t sha256_size(void) { return sizeof(crypto_hash_sha256_state); }

EXPORT(sha256_begin) void sha256_begin(crypto_hash_sha256_state *state) { crypto_hash_sha256_init(state); }

EXPORT(sha256_add) void sha256_add(crypto_hash_sha256_state *state, const Byte *bytes, size_t n) {
  crypto_hash_sha256_update(state, bytes, n);
}

EXPORT(sha256_end) void sha256_end(crypto_hash_sha256_state *state, Byte *digest) {
  crypto_hash_sha256_final(state, digest);
}

EXPORT(sha256) void sha256(Byte *digest, const Byte *bytes, size_t n) { crypto_hash_sha256(digest, bytes, n); }

/// The leaves of chunks that follow one another, the first of which is chunk j of the file.
EXPORT(leaves) void leaves(Byte *digests, const Byte *chunks, uint32_t count, uint32_t j) {
  for (uint32_t i = 0; i < count; i++, j++) {
    Byte prefix[9] = {0, (Byte)j, (Byte)(j >> 8), (Byte)(j >> 16), (Byte)(j >> 24)};
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, prefix, sizeof prefix);
    crypto_hash_sha256_update(&state, chunks + (size_t)CHUNK * i, CHUNK);
    crypto_hash_sha256_final(&state, digests + 32 * i);
  }
}

EXPORT(hmac) void hmac(Byte *tag, const Byte *key, size_t key_length, const Byte *bytes, size_t n) {
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, key, key_length);
  crypto_auth_hmacsha256_update(&state, bytes, n);
  crypto_auth_hmacsha256_final(&state, tag);
  sodium_memzero(&state, sizeof state);
}

/// One block of PBKDF2-HMAC-SHA256; the salt ends with the block's number.
EXPORT(pbkdf2) void pbkdf2(Byte *key, const Byte *password, size_t password_length, const Byte *salt, size_t salt_length,
                           uint32_t passes) {
  crypto_auth_hmacsha256_state keyed, state;
  Byte round[32];
  crypto_auth_hmacsha256_init(&keyed, password, password_length);
  state = keyed;
  crypto_auth_hmacsha256_update(&state, salt, salt_length);
  crypto_auth_hmacsha256_final(&state, round);
  for (int i = 0; i < 32; i++) key[i] = round[i];
  while (--passes) {
    state = keyed;
    crypto_auth_hmacsha256_update(&state, round, 32);
    crypto_auth_hmacsha256_final(&state, round);
    for (int i = 0; i < 32; i++) key[i] ^= round[i];
  }
  sodium_memzero(&keyed, sizeof keyed);
  sodium_memzero(&state, sizeof state);
}

EXPORT(aead_open) int aead_open(Byte *plain, const Byte *sealed, size_t n, const Byte *additional, size_t additional_length,
                                const Byte *nonce, const Byte *key) {
  return crypto_aead_xchacha20poly1305_ietf_decrypt(plain, NULL, NULL, sealed, n, additional, additional_length, nonce, key);
}

EXPORT(x25519) int x25519(Byte *product, const Byte *scalar, const Byte *point) {
  return crypto_scalarmult_curve25519(product, scalar, point);
}

EXPORT(x25519_base) void x25519_base(Byte *point, const Byte *scalar) { crypto_scalarmult_curve25519_base(point, scalar); }

EXPORT(ed25519_verify) int ed25519_verify(const Byte *signature, const Byte *message, size_t n, const Byte *key) {
  return crypto_sign_ed25519_verify_detached(signature, message, n, key);
}

EXPORT(argon2id) int argon2id(Byte *key, Byte *passphrase, size_t length, Byte *salt, uint32_t memory, uint32_t passes) {
  argon2_context context = {.out = key, .outlen = 32, .pwd = passphrase, .pwdlen = length, .salt = salt, .saltlen = 16,
                            .t_cost = passes, .m_cost = memory, .lanes = 1, .threads = 1, .flags = ARGON2_FLAG_CLEAR_MEMORY};
  return argon2_ctx(&context, Argon2_id);
}

EXPORT(keccak256) void keccak256(Byte *digest, const Byte *bytes, size_t n) {
  Sponge sponge;
  sponge_begin(&sponge, SHA3_256);
  sponge_absorb(&sponge, bytes, n);
  sponge_end(&sponge, KECCAK_END);
  sponge_squeeze(&sponge, digest, 32);
}

EXPORT(xwing) int xwing(Byte *secret, Byte *public_key, const Byte *seed, const Byte *sealed) {
  return xwing_decapsulate(secret, public_key, seed, sealed);
}

/// Decodes exactly one frame, with content of exactly `size` bytes.
EXPORT(unzstd) int unzstd(Byte *plain, size_t size, const Byte *frame, size_t n) {
  static ZSTD_DCtx *context;
  if (!context && !(context = ZSTD_createDCtx())) return -1;
  if (ZSTD_findFrameCompressedSize(frame, n) != n) return -1;
  return ZSTD_decompressDCtx(context, plain, size, frame, n) == size ? 0 : -1;
}
