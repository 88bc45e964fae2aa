/* The version of the header in its three forms and the version of the library are one. */

#include "support/test.h"

#include <graze/graze.h>

TEST(one_version) {
  char text[64];
  snprintf(text, sizeof text, "%d.%d.%d", GRAZE_VERSION_MAJOR, GRAZE_VERSION_MINOR, GRAZE_VERSION_PATCH);
  assert_string_equal(text, GRAZE_VERSION);
  assert_string_equal(graze_version(), GRAZE_VERSION);
}
