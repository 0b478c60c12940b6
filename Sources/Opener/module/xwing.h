#pragma once
#include <stdint.h>

enum { XWING_PUBLIC = 1216, XWING_SEALED = 1120 };

/// Writes the secret of an encapsulation and the seed's public key; -1 if the X25519 product is zero.
int xwing_decapsulate(uint8_t secret[32], uint8_t public_key[XWING_PUBLIC], const uint8_t seed[32],
                      const uint8_t sealed[XWING_SEALED]);
