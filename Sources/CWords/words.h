#pragma once

#include <stdint.h>

// Operations that Swift has no word for: memory that is asked for before it is used, and wide registers where the processor has them. Neither changes a result.

/// Asks for cache lines of some memory, which is about to be read and written. Memory that cannot be read does no harm.
static inline void words_prefetch(const void *memory, long lines) {
    for (long line = 0; line < lines; line++) __builtin_prefetch((const char *)memory + 64 * line, 1, 3);
}

// Blocks of four words. Bit k of the result tells whether the k-th of up to 64 blocks differs in any bit of its masks.
#define WORDS_DIFFERING_BLOCKS                                                                                              \
    uint64_t result = 0;                                                                                                    \
    for (long k = 0; k < count; k++) {                                                                                      \
        const uint64_t *a = image + positions[k], *b = common + positions[k], *m = masks + positions[k];                    \
        uint64_t any = ((a[0] ^ b[0]) & m[0]) | ((a[1] ^ b[1]) & m[1]) | ((a[2] ^ b[2]) & m[2]) | ((a[3] ^ b[3]) & m[3]);   \
        result |= (uint64_t)(any != 0) << k;                                                                                \
    }                                                                                                                       \
    return result;

// Runs of eight words or more that have to be equal. Bit k of the result tells whether the k-th of up to 64 runs differs.
#define WORDS_DIFFERING_RUNS                                                                  \
    uint64_t result = 0;                                                                      \
    for (long k = 0; k < count; k++) {                                                        \
        const uint64_t *a = image + positions[k], *b = common + positions[k];                 \
        const long length = lengths[k];                                                       \
        uint64_t any[8] = {0};                                                                \
        for (long place = 0; place < length; place += 8)                                      \
            for (int lane = 0; lane < 8; lane++) any[lane] |= a[place + lane] ^ b[place + lane]; \
        uint64_t all = 0;                                                                     \
        for (int lane = 0; lane < 8; lane++) all |= any[lane];                                \
        result |= (uint64_t)(all != 0) << k;                                                  \
    }                                                                                         \
    return result;

#if defined(__x86_64__)
__attribute__((target("avx2"))) static uint64_t words_differing_blocks_wide(
    const uint64_t *image, const uint64_t *common, const uint64_t *masks, const int32_t *positions, long count) {
    WORDS_DIFFERING_BLOCKS
}
__attribute__((target("avx2"))) static uint64_t words_differing_runs_wide(
    const uint64_t *image, const uint64_t *common, const int32_t *positions, const int32_t *lengths, long count) {
    WORDS_DIFFERING_RUNS
}
static inline _Bool words_are_wide(void) { return __builtin_cpu_supports("avx2"); }
#else
static inline _Bool words_are_wide(void) { return 0; }
#endif

static inline uint64_t words_differing_blocks(
    const uint64_t *image, const uint64_t *common, const uint64_t *masks, const int32_t *positions, long count, _Bool wide) {
#if defined(__x86_64__)
    if (wide) return words_differing_blocks_wide(image, common, masks, positions, count);
#endif
    WORDS_DIFFERING_BLOCKS
}

static inline uint64_t words_differing_runs(
    const uint64_t *image, const uint64_t *common, const int32_t *positions, const int32_t *lengths, long count, _Bool wide) {
#if defined(__x86_64__)
    if (wide) return words_differing_runs_wide(image, common, positions, lengths, count);
#endif
    WORDS_DIFFERING_RUNS
}
