#pragma once

#include <stddef.h>
#include <stdint.h>
#include <nettle/sha2.h>
#include <nettle/umac.h>
#include <nettle/version.h>

// Nettle's names are macros, which Swift does not see.

static inline void hash_begin(struct sha256_ctx *state) { sha256_init(state); }

static inline void hash_add(struct sha256_ctx *state, size_t count, const uint8_t *bytes) { sha256_update(state, count, bytes); }

/// The digest of what a state was given, in 32 bytes; the state is as at its beginning then. The length went from this call with Nettle 4.
static inline void hash_finish(struct sha256_ctx *state, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
    sha256_digest(state, digest);
#else
    sha256_digest(state, SHA256_DIGEST_SIZE, digest);
#endif
}

static inline void umac_begin(struct umac64_ctx *state, const uint8_t *key, size_t count, const uint8_t *nonce) {
    umac64_set_key(state, key);
    umac64_set_nonce(state, count, nonce);
}

static inline void umac_add(struct umac64_ctx *state, size_t count, const uint8_t *bytes) { umac64_update(state, count, bytes); }

/// The digest of what a state was given, in 8 bytes; the length went from this call with Nettle 4, as above.
static inline void umac_finish(struct umac64_ctx *state, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
    umac64_digest(state, digest);
#else
    umac64_digest(state, UMAC64_DIGEST_SIZE, digest);
#endif
}
