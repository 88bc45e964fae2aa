#include "scene/checksum.h"

#include "scene/snapshot_bytes.h"

static const uint64_t checksum_prime[5] = {0x9e3779b185ebca87u, 0xc2b2ae3d27d4eb4fu, 0x165667b19e3779f9u,
                                           0x85ebca77c2b2ae63u, 0x27d4eb2f165667c5u};

static uint64_t checksum_turn(uint64_t x, int by) { return x << by | x >> (64 - by); }

static uint64_t checksum_round(uint64_t sum, uint64_t word) {
  return checksum_turn(sum + word * checksum_prime[1], 31) * checksum_prime[0];
}

uint64_t grz_checksum_word(uint64_t sum, uint64_t word) {
  return checksum_turn(sum ^ checksum_round(0, word), 27) * checksum_prime[0] + checksum_prime[3];
}

/* Stripes of 32 bytes, in four sums. */
static uint64_t checksum_stripes(const unsigned char *bytes, size_t stripes) {
  const uint64_t *p = checksum_prime;
  uint64_t sum[4] = {p[0] + p[1], p[1], 0, 0 - p[0]};
  for (size_t i = 0; i < stripes; i++)
    for (size_t k = 0; k < 4; k++) sum[k] = checksum_round(sum[k], grz_snap_load(bytes + 32 * i + 8 * k, 8));
  uint64_t all =
      checksum_turn(sum[0], 1) + checksum_turn(sum[1], 7) + checksum_turn(sum[2], 12) + checksum_turn(sum[3], 18);
  for (size_t k = 0; k < 4; k++) all = (all ^ checksum_round(0, sum[k])) * p[0] + p[3];
  return all;
}

static uint64_t checksum_mix(uint64_t sum) {
  sum = (sum ^ sum >> 33) * checksum_prime[1];
  sum = (sum ^ sum >> 29) * checksum_prime[2];
  return sum ^ sum >> 32;
}

uint64_t grz_checksum(const unsigned char *bytes, size_t size) {
  const uint64_t *p = checksum_prime;
  size_t at = size / 32 * 32;
  uint64_t sum = (size >= 32 ? checksum_stripes(bytes, size / 32) : p[4]) + size;
  for (; size - at >= 8; at += 8) sum = grz_checksum_word(sum, grz_snap_load(bytes + at, 8));
  if (size - at >= 4) {
    sum = checksum_turn(sum ^ grz_snap_load(bytes + at, 4) * p[0], 23) * p[1] + p[2];
    at += 4;
  }
  for (; at < size; at++) sum = checksum_turn(sum ^ bytes[at] * p[4], 11) * p[0];
  return checksum_mix(sum);
}
