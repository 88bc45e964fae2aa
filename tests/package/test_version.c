/* The version of the header in its three forms and the version of the library are one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <graze/graze.h>

static void one_version(void **unused) {
  (void)unused;
  char text[64];
  snprintf(text, sizeof text, "%d.%d.%d", GRAZE_VERSION_MAJOR, GRAZE_VERSION_MINOR, GRAZE_VERSION_PATCH);
  assert_string_equal(text, GRAZE_VERSION);
  assert_string_equal(graze_version(), GRAZE_VERSION);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_version)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
