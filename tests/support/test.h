/* One program holds all tests. TEST(name) { … } defines a cmocka test and registers it under its file:
 * `graze_tests narrow/depth` runs the tests of tests/narrow/test_depth.c, `graze_tests narrow/depth name` one of them.
 */
#ifndef TESTS_SUPPORT_TEST_H
#define TESTS_SUPPORT_TEST_H

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/tier.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

void test_register(const char *file, const char *name, CMUnitTestFunction run, CMFixtureFunction set_up,
                   CMFixtureFunction tear_down);

/* As TEST, with functions that cmocka calls before and after; each may be NULL. */
#define TEST_WITH(name, set_up, tear_down)                                                                             \
  static void name(void **);                                                                                           \
  __attribute__((constructor)) static void register_##name(void) {                                                     \
    test_register(__FILE__, #name, name, set_up, tear_down);                                                           \
  }                                                                                                                    \
  static void name(__attribute__((unused)) void **test_state)

#define TEST(name) TEST_WITH(name, NULL, NULL)

#endif
