#pragma once

#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

// Operations that Swift has no word for: memory that is asked for before it is used, and wide registers where the processor
// has them. Neither changes a result.

/// Asks for cache lines of some memory, which is about to be read and written. Memory that cannot be read does no harm.
static inline void words_prefetch(const void *memory, long lines) {
    for (long line = 0; line < lines; line++) __builtin_prefetch((const char *)memory + 64 * line, 1, 3);
}

// A record holds some bytes of a memory, in order. In wide registers they are put there and back many at a time; in plain C
// the records are the same.
//
// Memory is blocks of 32 bytes, two halves, at `positions` in bytes. Two tables hold 32 bytes for each block. `pack`: which
// byte of its half comes first in the record, second, and so on. `unpack`: which byte of what the record holds of the half
// belongs here. 0x80 stands in both where there is none. `offsets` holds two places in the record for each block, one for each
// half. `match`, for each byte of the memory: ones if it has to be common.

/// Packs blocks; 16 bytes are written for each half. Lists in `odd` the positions of those that differ from the common ones
/// where they must not, by no branch: which do is guessed badly. There is room for one more. Returns how many.
#define WORDS_PACK(BLOCK, DIFFERS)                                                                                \
    long found = 0;                                                                                               \
    for (long k = 0; k < count; k++) {                                                                            \
        const int32_t at = positions[k];                                                                          \
        BLOCK(image + at, pack + 32 * k, record + offsets[2 * k], record + offsets[2 * k + 1]);                   \
        odd[found] = at;                                                                                          \
        found += DIFFERS(image + at, common + at, match + at);                                                    \
    }                                                                                                             \
    return found;

/// Lists blocks that are not packed in the same way. `each` is -1, or 0 if the same 32 bytes of `match` hold for all blocks.
#define WORDS_DIFFERING(DIFFERS)                                                                                  \
    long found = 0;                                                                                               \
    for (long k = 0; k < count; k++) {                                                                            \
        const int32_t at = positions[k];                                                                          \
        odd[found] = at;                                                                                          \
        found += DIFFERS(image + at, common + at, match + (at & each));                                           \
    }                                                                                                             \
    return found;

/// The reverse of packing; bytes that are not packed become the common ones.
#define WORDS_UNPACK(BLOCK)                                                                                       \
    _Pragma("clang loop unroll_count(4)") for (long k = 0; k < count; k++) {                                      \
        const int32_t at = positions[k];                                                                          \
        BLOCK(record + offsets[2 * k], record + offsets[2 * k + 1], common + at, unpack + 32 * k, image + at);    \
    }

// Plain C, for every processor.

static inline void words_pack_plain(const uint8_t *image, const uint8_t *pack, uint8_t *lower, uint8_t *upper) {
    for (int i = 0; i < 16; i++) lower[i] = pack[i] & 0x80 ? 0 : image[pack[i] & 15];
    for (int i = 0; i < 16; i++) upper[i] = pack[16 + i] & 0x80 ? 0 : image[16 + (pack[16 + i] & 15)];
}

static inline void words_unpack_plain(
    const uint8_t *lower, const uint8_t *upper, const uint8_t *common, const uint8_t *unpack, uint8_t *image) {
    for (int i = 0; i < 16; i++) image[i] = unpack[i] & 0x80 ? common[i] : lower[unpack[i] & 15];
    for (int i = 16; i < 32; i++) image[i] = unpack[i] & 0x80 ? common[i] : upper[unpack[i] & 15];
}

static inline int words_differ_plain(const uint8_t *image, const uint8_t *common, const uint8_t *match) {
    uint8_t rest = 0;
    for (int i = 0; i < 32; i++) rest |= (image[i] ^ common[i]) & match[i];
    return rest != 0;
}

#if defined(__x86_64__)
#define WORDS_WIDE __attribute__((target("avx2")))

static inline _Bool words_are_wide(void) { return __builtin_cpu_supports("avx2"); }

WORDS_WIDE static inline __m256i words_load(const uint8_t *bytes) { return _mm256_loadu_si256((const __m256i *)bytes); }

WORDS_WIDE static inline void words_pack_wide(const uint8_t *image, const uint8_t *pack, uint8_t *lower, uint8_t *upper) {
    __m256i packed = _mm256_shuffle_epi8(words_load(image), words_load(pack));
    _mm_storeu_si128((__m128i *)lower, _mm256_castsi256_si128(packed));
    _mm_storeu_si128((__m128i *)upper, _mm256_extracti128_si256(packed, 1));
}

WORDS_WIDE static inline void words_unpack_wide(
    const uint8_t *lower, const uint8_t *upper, const uint8_t *common, const uint8_t *unpack, uint8_t *image) {
    __m256i packed = _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)lower)), _mm_loadu_si128((const __m128i *)upper), 1);
    __m256i table = words_load(unpack);
    __m256i block = _mm256_blendv_epi8(_mm256_shuffle_epi8(packed, table), words_load(common), table);
    _mm256_storeu_si256((__m256i *)image, block);
}

WORDS_WIDE static inline int words_differ_wide(const uint8_t *image, const uint8_t *common, const uint8_t *match) {
    return !_mm256_testz_si256(_mm256_xor_si256(words_load(image), words_load(common)), words_load(match));
}
#elif defined(__aarch64__)
#define WORDS_WIDE

static inline _Bool words_are_wide(void) { return 1; }

static inline void words_pack_wide(const uint8_t *image, const uint8_t *pack, uint8_t *lower, uint8_t *upper) {
    vst1q_u8(lower, vqtbl1q_u8(vld1q_u8(image), vld1q_u8(pack)));
    vst1q_u8(upper, vqtbl1q_u8(vld1q_u8(image + 16), vld1q_u8(pack + 16)));
}

static inline void words_unpack_wide(
    const uint8_t *lower, const uint8_t *upper, const uint8_t *common, const uint8_t *unpack, uint8_t *image) {
    // A place that no byte is looked up for keeps the common one.
    vst1q_u8(image, vqtbx1q_u8(vld1q_u8(common), vld1q_u8(lower), vld1q_u8(unpack)));
    vst1q_u8(image + 16, vqtbx1q_u8(vld1q_u8(common + 16), vld1q_u8(upper), vld1q_u8(unpack + 16)));
}

#define words_differ_wide words_differ_plain
#else
#define WORDS_WIDE

static inline _Bool words_are_wide(void) { return 0; }

#define words_pack_wide words_pack_plain
#define words_unpack_wide words_unpack_plain
#define words_differ_wide words_differ_plain
#endif

#if defined(__x86_64__)
/// Lists blocks that differ, one by one.
WORDS_WIDE static inline long words_list(
    const uint8_t *image, const uint8_t *common, const uint8_t *match, int32_t each, const int32_t *positions, long count,
    int32_t *odd) {
    WORDS_DIFFERING(words_differ_wide)
}

/// Adds to `any` in which bits a block differs where it must not.
WORDS_WIDE static inline __m256i words_add(__m256i any, __m256i block, const uint8_t *common, const uint8_t *match) {
    return _mm256_or_si256(any, _mm256_and_si256(_mm256_xor_si256(block, words_load(common)), words_load(match)));
}

// Four blocks at a time: mostly none of them differs.

WORDS_WIDE static long words_pack_blocks_wide(
    const uint8_t *image, const uint8_t *common, const uint8_t *match, const int32_t *positions, const int32_t *offsets,
    const uint8_t *pack, long count, uint8_t *record, int32_t *odd) {
    long found = 0;
    for (; count >= 4; count -= 4, positions += 4, offsets += 8, pack += 128) {
        __m256i any = _mm256_setzero_si256();
#pragma clang loop unroll(full)
        for (int k = 0; k < 4; k++) {
            const int32_t at = positions[k];
            words_pack_wide(image + at, pack + 32 * k, record + offsets[2 * k], record + offsets[2 * k + 1]);
            any = words_add(any, words_load(image + at), common + at, match + at);
        }
        if (!_mm256_testz_si256(any, any)) found += words_list(image, common, match, -1, positions, 4, odd + found);
    }
    for (long k = 0; k < count; k++)
        words_pack_wide(image + positions[k], pack + 32 * k, record + offsets[2 * k], record + offsets[2 * k + 1]);
    return found + words_list(image, common, match, -1, positions, count, odd + found);
}

WORDS_WIDE static long words_differing_blocks_wide(
    const uint8_t *image, const uint8_t *common, const uint8_t *match, int32_t each, const int32_t *positions, long count,
    int32_t *odd) {
    long found = 0;
    for (; count >= 4; count -= 4, positions += 4) {
        __m256i any = _mm256_setzero_si256();
#pragma clang loop unroll(full)
        for (int k = 0; k < 4; k++) {
            const int32_t at = positions[k];
            any = words_add(any, words_load(image + at), common + at, match + (at & each));
        }
        if (!_mm256_testz_si256(any, any)) found += words_list(image, common, match, each, positions, 4, odd + found);
    }
    return found + words_list(image, common, match, each, positions, count, odd + found);
}
#else
WORDS_WIDE static long words_pack_blocks_wide(
    const uint8_t *image, const uint8_t *common, const uint8_t *match, const int32_t *positions, const int32_t *offsets,
    const uint8_t *pack, long count, uint8_t *record, int32_t *odd) {
    WORDS_PACK(words_pack_wide, words_differ_wide)
}

WORDS_WIDE static long words_differing_blocks_wide(
    const uint8_t *image, const uint8_t *common, const uint8_t *match, int32_t each, const int32_t *positions, long count,
    int32_t *odd) {
    WORDS_DIFFERING(words_differ_wide)
}
#endif

WORDS_WIDE static void words_unpack_blocks_wide(
    const uint8_t *record, const uint8_t *common, const int32_t *positions, const int32_t *offsets, const uint8_t *unpack,
    long count, uint8_t *image) {
    WORDS_UNPACK(words_unpack_wide)
}

static inline long words_pack_blocks(
    const uint8_t *image, const uint8_t *common, const uint8_t *match, const int32_t *positions, const int32_t *offsets,
    const uint8_t *pack, long count, uint8_t *record, int32_t *odd, _Bool wide) {
    if (wide) return words_pack_blocks_wide(image, common, match, positions, offsets, pack, count, record, odd);
    WORDS_PACK(words_pack_plain, words_differ_plain)
}

static inline long words_differing_blocks(
    const uint8_t *image, const uint8_t *common, const uint8_t *match, int32_t each, const int32_t *positions, long count,
    int32_t *odd, _Bool wide) {
    if (wide) return words_differing_blocks_wide(image, common, match, each, positions, count, odd);
    WORDS_DIFFERING(words_differ_plain)
}

static inline void words_unpack_blocks(
    const uint8_t *record, const uint8_t *common, const int32_t *positions, const int32_t *offsets, const uint8_t *unpack,
    long count, uint8_t *image, _Bool wide) {
    if (wide) return words_unpack_blocks_wide(record, common, positions, offsets, unpack, count, image);
    WORDS_UNPACK(words_unpack_plain)
}

// Lines of 64 bytes by masks of a bit a byte, where the processor has such registers. `kept`: which bytes of a line are packed. `match`: which have to be common.

#if defined(__x86_64__)
#define WORDS_MASKED __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2")))

static inline _Bool words_have_masks(void) {
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi2");
}

/// Packs the first `packed` of the lines at `positions`, in bytes; 64 bytes are written for each. Lists in `odd` the positions of those of all `count` lines that differ from the common ones
/// in a byte that has to be common; returns how many.
WORDS_MASKED static long words_pack_lines(
    const uint8_t *image, const uint8_t *common, const int32_t *positions, const int32_t *offsets, const uint64_t *kept, const uint64_t *match, long packed,
    long count, uint8_t *record, int32_t *odd) {
    long found = 0;
    for (long k = 0; k < packed; k++) {
        __m512i line = _mm512_load_si512(image + positions[k]);
        if (__builtin_expect((_mm512_cmpneq_epi8_mask(line, _mm512_load_si512(common + positions[k])) & match[k]) != 0, 0)) odd[found++] = positions[k];
        _mm512_storeu_si512(record + offsets[k], _mm512_maskz_compress_epi8(kept[k], line));
    }
    for (long k = packed; k < count; k++) {
        __mmask64 differs = _mm512_cmpneq_epi8_mask(_mm512_load_si512(image + positions[k]), _mm512_load_si512(common + positions[k]));
        if (__builtin_expect((differs & match[k]) != 0, 0)) odd[found++] = positions[k];
    }
    return found;
}

/// The reverse of packing; bytes that are not packed stay as they are.
WORDS_MASKED static void words_unpack_lines(
    const uint8_t *record, const int32_t *positions, const int32_t *offsets, const uint64_t *kept, long packed, uint8_t *image) {
    for (long k = 0; k < packed; k++) {
        __m512i line = _mm512_load_si512(image + positions[k]);
        _mm512_store_si512(image + positions[k], _mm512_mask_expand_epi8(line, kept[k], _mm512_loadu_si512(record + offsets[k])));
    }
}
#else
static inline _Bool words_have_masks(void) { return 0; }

static inline long words_pack_lines(
    const uint8_t *image, const uint8_t *common, const int32_t *positions, const int32_t *offsets, const uint64_t *kept, const uint64_t *match, long packed,
    long count, uint8_t *record, int32_t *odd) {
    return 0;
}

static inline void words_unpack_lines(
    const uint8_t *record, const int32_t *positions, const int32_t *offsets, const uint64_t *kept, long packed, uint8_t *image) {}
#endif
