#pragma once

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

// Operations that Swift has no word for: memory that is asked for before it is used, and wide registers where the processor has them. Neither changes a result.

/// Asks for cache lines of some memory, which is about to be read and written. Memory that cannot be read does no harm.
static inline void words_prefetch(const void *memory, long lines) {
    for (long line = 0; line < lines; line++) __builtin_prefetch((const char *)memory + 64 * line, 1, 3);
}

// A record holds some bytes of a memory, in order. Three ways put them there and back; the records are the same.
//
// Blocks of 32 bytes, two halves. Three tables hold 32 bytes for each block. `pack`: which byte of its half comes first in the record, second, and so on.
// `unpack`: which byte of what the record holds of the half belongs here. 0x80 stands in both where there is none. `match`: ones in each byte that has to be common: neither
// packed nor between two fields. `offsets` holds two places in the record for each block, one for each half.

/// Packs the blocks at `positions`, in bytes; 16 bytes are written for each half. Lists in `odd` those that differ from the common ones in a byte that is not packed, which
/// are few; returns how many.
#define WORDS_PACK(BLOCK)                                                                                             \
    long found = 0;                                                                                                   \
    for (long k = 0; k < count; k++) {                                                                                \
        const int differs = BLOCK(                                                                                    \
            image + positions[k], common + positions[k], pack + 32 * k, match + 32 * k, record + offsets[2 * k], record + offsets[2 * k + 1]); \
        if (__builtin_expect(differs, 0)) odd[found++] = (int32_t)k;                                                  \
    }                                                                                                                 \
    return found;

/// The reverse of packing; bytes that are not packed become the common ones.
#define WORDS_UNPACK(BLOCK)                                                                                           \
    for (long k = 0; k < count; k++)                                                                                  \
        BLOCK(record + offsets[2 * k], record + offsets[2 * k + 1], common + positions[k], unpack + 32 * k, image + positions[k]);

/// Lists in `odd` the blocks at `positions`, in bytes, that differ from the common ones where `match` has ones; returns how many.
#define WORDS_DIFFERING_BLOCKS(BLOCK)                                                                                 \
    long found = 0;                                                                                                   \
    for (long k = 0; k < count; k++) {                                                                                \
        if (__builtin_expect(BLOCK(image + positions[k], common + positions[k], match + 32 * k), 0)) odd[found++] = (int32_t)k; \
    }                                                                                                                 \
    return found;

/// Lists in `odd` the spans of 64 bytes, at `positions` in bytes, that differ from the common ones; returns how many.
#define WORDS_DIFFERING(SPAN)                                                                                         \
    long found = 0;                                                                                                   \
    for (long k = 0; k < count; k++) {                                                                                \
        if (__builtin_expect(SPAN(image + positions[k], common + positions[k]), 0)) odd[found++] = (int32_t)k;        \
    }                                                                                                                 \
    return found;

// Plain C, for every processor.

static inline int words_pack_plain(
    const uint8_t *image, const uint8_t *common, const uint8_t *pack, const uint8_t *match, uint8_t *lower, uint8_t *upper) {
    uint8_t rest = 0;
    for (int i = 0; i < 32; i++) rest |= (image[i] ^ common[i]) & match[i];
    for (int i = 0; i < 16; i++) lower[i] = pack[i] & 0x80 ? 0 : image[pack[i] & 15];
    for (int i = 0; i < 16; i++) upper[i] = pack[16 + i] & 0x80 ? 0 : image[16 + (pack[16 + i] & 15)];
    return rest != 0;
}

static inline void words_unpack_plain(
    const uint8_t *lower, const uint8_t *upper, const uint8_t *common, const uint8_t *unpack, uint8_t *image) {
    for (int i = 0; i < 16; i++) image[i] = unpack[i] & 0x80 ? common[i] : lower[unpack[i] & 15];
    for (int i = 16; i < 32; i++) image[i] = unpack[i] & 0x80 ? common[i] : upper[unpack[i] & 15];
}

static inline int words_differ_where_plain(const uint8_t *image, const uint8_t *common, const uint8_t *match) {
    uint8_t rest = 0;
    for (int i = 0; i < 32; i++) rest |= (image[i] ^ common[i]) & match[i];
    return rest != 0;
}

static inline int words_differ_plain(const uint8_t *image, const uint8_t *common) { return memcmp(image, common, 64) != 0; }

#if defined(__x86_64__)
#define WORDS_WIDE __attribute__((target("avx2")))

static inline _Bool words_are_wide(void) { return __builtin_cpu_supports("avx2"); }

WORDS_WIDE static inline int words_pack_wide(
    const uint8_t *image, const uint8_t *common, const uint8_t *pack, const uint8_t *match, uint8_t *lower, uint8_t *upper) {
    __m256i block = _mm256_loadu_si256((const __m256i *)image);
    __m256i difference = _mm256_xor_si256(block, _mm256_loadu_si256((const __m256i *)common));
    __m256i packed = _mm256_shuffle_epi8(block, _mm256_loadu_si256((const __m256i *)pack));
    _mm_storeu_si128((__m128i *)lower, _mm256_castsi256_si128(packed));
    _mm_storeu_si128((__m128i *)upper, _mm256_extracti128_si256(packed, 1));
    return !_mm256_testz_si256(difference, _mm256_loadu_si256((const __m256i *)match));
}

WORDS_WIDE static inline void words_unpack_wide(
    const uint8_t *lower, const uint8_t *upper, const uint8_t *common, const uint8_t *unpack, uint8_t *image) {
    __m256i packed = _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)lower)), _mm_loadu_si128((const __m128i *)upper), 1);
    __m256i table = _mm256_loadu_si256((const __m256i *)unpack);
    __m256i block = _mm256_blendv_epi8(_mm256_shuffle_epi8(packed, table), _mm256_loadu_si256((const __m256i *)common), table);
    _mm256_storeu_si256((__m256i *)image, block);
}

WORDS_WIDE static inline int words_differ_where_wide(const uint8_t *image, const uint8_t *common, const uint8_t *match) {
    __m256i difference = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)image), _mm256_loadu_si256((const __m256i *)common));
    return !_mm256_testz_si256(difference, _mm256_loadu_si256((const __m256i *)match));
}

WORDS_WIDE static inline int words_differ_wide(const uint8_t *image, const uint8_t *common) {
    const __m256i *a = (const __m256i *)image, *b = (const __m256i *)common;
    __m256i rest = _mm256_or_si256(
        _mm256_xor_si256(_mm256_loadu_si256(a), _mm256_loadu_si256(b)), _mm256_xor_si256(_mm256_loadu_si256(a + 1), _mm256_loadu_si256(b + 1)));
    return !_mm256_testz_si256(rest, rest);
}
#elif defined(__aarch64__)
#define WORDS_WIDE

static inline _Bool words_are_wide(void) { return 1; }

static inline int words_pack_wide(
    const uint8_t *image, const uint8_t *common, const uint8_t *pack, const uint8_t *match, uint8_t *lower, uint8_t *upper) {
    uint8x16_t first = veorq_u8(vld1q_u8(image), vld1q_u8(common)), second = veorq_u8(vld1q_u8(image + 16), vld1q_u8(common + 16));
    vst1q_u8(lower, vqtbl1q_u8(vld1q_u8(image), vld1q_u8(pack)));
    vst1q_u8(upper, vqtbl1q_u8(vld1q_u8(image + 16), vld1q_u8(pack + 16)));
    return vmaxvq_u8(vorrq_u8(vandq_u8(first, vld1q_u8(match)), vandq_u8(second, vld1q_u8(match + 16)))) != 0;
}

static inline void words_unpack_wide(
    const uint8_t *lower, const uint8_t *upper, const uint8_t *common, const uint8_t *unpack, uint8_t *image) {
    // A place that no byte is looked up for keeps the common one.
    vst1q_u8(image, vqtbx1q_u8(vld1q_u8(common), vld1q_u8(lower), vld1q_u8(unpack)));
    vst1q_u8(image + 16, vqtbx1q_u8(vld1q_u8(common + 16), vld1q_u8(upper), vld1q_u8(unpack + 16)));
}

static inline int words_differ_where_wide(const uint8_t *image, const uint8_t *common, const uint8_t *match) {
    uint8x16_t first = veorq_u8(vld1q_u8(image), vld1q_u8(common)), second = veorq_u8(vld1q_u8(image + 16), vld1q_u8(common + 16));
    return vmaxvq_u8(vorrq_u8(vandq_u8(first, vld1q_u8(match)), vandq_u8(second, vld1q_u8(match + 16)))) != 0;
}

static inline int words_differ_wide(const uint8_t *image, const uint8_t *common) {
    uint8x16_t rest = vdupq_n_u8(0);
    for (int i = 0; i < 64; i += 16) rest = vorrq_u8(rest, veorq_u8(vld1q_u8(image + i), vld1q_u8(common + i)));
    return vmaxvq_u8(rest) != 0;
}
#else
#define WORDS_WIDE

static inline _Bool words_are_wide(void) { return 0; }

#define words_pack_wide words_pack_plain
#define words_unpack_wide words_unpack_plain
#define words_differ_wide words_differ_plain
#define words_differ_where_wide words_differ_where_plain
#endif

WORDS_WIDE static long words_pack_blocks_wide(
    const uint8_t *image, const uint8_t *common, const int32_t *positions, const int32_t *offsets, const uint8_t *pack, const uint8_t *match, long count,
    uint8_t *record, int32_t *odd) {
    WORDS_PACK(words_pack_wide)
}

WORDS_WIDE static void words_unpack_blocks_wide(
    const uint8_t *record, const uint8_t *common, const int32_t *positions, const int32_t *offsets, const uint8_t *unpack, long count, uint8_t *image) {
    WORDS_UNPACK(words_unpack_wide)
}

WORDS_WIDE static long words_differing_spans_wide(const uint8_t *image, const uint8_t *common, const int32_t *positions, long count, int32_t *odd) {
    WORDS_DIFFERING(words_differ_wide)
}

WORDS_WIDE static long words_differing_blocks_wide(
    const uint8_t *image, const uint8_t *common, const int32_t *positions, const uint8_t *match, long count, int32_t *odd) {
    WORDS_DIFFERING_BLOCKS(words_differ_where_wide)
}

static inline long words_pack_blocks(
    const uint8_t *image, const uint8_t *common, const int32_t *positions, const int32_t *offsets, const uint8_t *pack, const uint8_t *match, long count,
    uint8_t *record, int32_t *odd, _Bool wide) {
    if (wide) return words_pack_blocks_wide(image, common, positions, offsets, pack, match, count, record, odd);
    WORDS_PACK(words_pack_plain)
}

static inline void words_unpack_blocks(
    const uint8_t *record, const uint8_t *common, const int32_t *positions, const int32_t *offsets, const uint8_t *unpack, long count, uint8_t *image,
    _Bool wide) {
    if (wide) {
        words_unpack_blocks_wide(record, common, positions, offsets, unpack, count, image);
        return;
    }
    WORDS_UNPACK(words_unpack_plain)
}

static inline long words_differing_blocks(
    const uint8_t *image, const uint8_t *common, const int32_t *positions, const uint8_t *match, long count, int32_t *odd, _Bool wide) {
    if (wide) return words_differing_blocks_wide(image, common, positions, match, count, odd);
    WORDS_DIFFERING_BLOCKS(words_differ_where_plain)
}

static inline long words_differing_spans(
    const uint8_t *image, const uint8_t *common, const int32_t *positions, long count, int32_t *odd, _Bool wide) {
    if (wide) return words_differing_spans_wide(image, common, positions, count, odd);
    WORDS_DIFFERING(words_differ_plain)
}

// Lines of 64 bytes by masks of a bit a byte, where the processor has such registers. `kept`: which bytes of a line are packed. `match`: which have to be common.

#if defined(__x86_64__)
#define WORDS_MASKED __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2")))

static inline _Bool words_have_masks(void) {
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi2");
}

/// Packs the first `packed` of the lines at `positions`, in bytes; 64 bytes are written for each. Lists in `odd` those of all `count` lines that differ from the common ones
/// in a byte that has to be common; returns how many.
WORDS_MASKED static long words_pack_lines(
    const uint8_t *image, const uint8_t *common, const int32_t *positions, const int32_t *offsets, const uint64_t *kept, const uint64_t *match, long packed,
    long count, uint8_t *record, int32_t *odd) {
    long found = 0;
    for (long k = 0; k < packed; k++) {
        __m512i line = _mm512_load_si512(image + positions[k]);
        if (__builtin_expect((_mm512_cmpneq_epi8_mask(line, _mm512_load_si512(common + positions[k])) & match[k]) != 0, 0)) odd[found++] = (int32_t)k;
        _mm512_storeu_si512(record + offsets[k], _mm512_maskz_compress_epi8(kept[k], line));
    }
    for (long k = packed; k < count; k++) {
        __mmask64 differs = _mm512_cmpneq_epi8_mask(_mm512_load_si512(image + positions[k]), _mm512_load_si512(common + positions[k]));
        if (__builtin_expect((differs & match[k]) != 0, 0)) odd[found++] = (int32_t)k;
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
