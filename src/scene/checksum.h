/* XXH64, by Yann Collet (https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md): notices damage, not malice. */
#ifndef GRAZE_SCENE_CHECKSUM_H
#define GRAZE_SCENE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Of bytes, with seed 0. */
uint64_t grz_checksum(const unsigned char *bytes, size_t size);

/* Goes on with 8 bytes, as XXH64 does with the last of them. */
uint64_t grz_checksum_word(uint64_t sum, uint64_t word);

#endif
