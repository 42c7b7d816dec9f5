#pragma once

// An operation that Swift has no word for: memory is asked for before it is used. It changes no result.

/// Asks for cache lines of some memory, which is about to be read and written. Memory that cannot be read does no harm.
static inline void words_prefetch(const void *memory, long lines) {
    for (long line = 0; line < lines; line++) __builtin_prefetch((const char *)memory + 64 * line, 1, 3);
}
