/* Runs the tests of one file, or one test of it. */
#include "support/test.h"

enum { MOST_TESTS = 2048 };

typedef struct registered_test {
  char file[64]; /* narrow/depth for tests/narrow/test_depth.c */
  struct CMUnitTest test;
} registered_test;

static registered_test registered[MOST_TESTS];
static size_t registered_count;

/* …/tests/cso/test_depth.c becomes narrow/depth. */
static void name_of_file(char *out, size_t size, const char *path) {
  const char *base = strstr(path, "test_"), *folder = base;
  for (const char *next; (next = strstr(base + 1, "/test_"));) base = next + 1, folder = base;
  for (folder--; folder > path && folder[-1] != '/';) folder--;
  const int length = snprintf(out, size, "%.*s%s", (int)(base - folder), folder, base + strlen("test_"));
  if (length < 2 || (size_t)length >= size) abort();
  out[length - 2] = '\0'; /* .c */
}

void test_register(const char *file, const char *name, CMUnitTestFunction run, CMFixtureFunction set_up,
                   CMFixtureFunction tear_down) {
  if (registered_count == MOST_TESTS) abort();
  registered_test *one = &registered[registered_count++];
  name_of_file(one->file, sizeof one->file, file);
  one->test = (struct CMUnitTest){name, run, set_up, tear_down, NULL};
}

int main(int count, char **arguments) {
  static struct CMUnitTest chosen[MOST_TESTS];
  size_t chosen_count = 0;
  if (count < 2 || count > 3) {
    fprintf(stderr, "usage: graze_tests FOLDER/FILE [TEST]\n");
    for (size_t i = 0; i < registered_count; i++)
      fprintf(stderr, "  %s %s\n", registered[i].file, registered[i].test.name);
    return 2;
  }
  for (size_t i = 0; i < registered_count; i++) {
    const registered_test *one = &registered[i];
    if (!strcmp(one->file, arguments[1]) && (count == 2 || !strcmp(one->test.name, arguments[2])))
      chosen[chosen_count++] = one->test;
  }
  if (chosen_count == 0) {
    fprintf(stderr, "graze_tests: no such test: %s%s%s\n", arguments[1], count > 2 ? " " : "",
            count > 2 ? arguments[2] : "");
    return 2;
  }
  return _cmocka_run_group_tests(arguments[1], chosen, chosen_count, NULL, NULL);
}
