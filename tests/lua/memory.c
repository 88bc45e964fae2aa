/* Makes each allocation of Lua fail in turn. The module must raise "not enough memory" without a crash, and leave no
 * memory allocated when the state is closed. usage: memory MEMORY.LUA STRIDE */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct budget {
  long left;  /* allocations that still succeed; < 0: all */
  long made;  /* number of allocations */
  long bytes; /* in use */
} budget;

static void *allocate(void *context, void *old, size_t old_size, size_t size) {
  budget *b = context;
  if (old == NULL) old_size = 0; /* old_size is the kind of object then */
  if (size > old_size) {
    b->made++;
    if (b->left == 0) return NULL;
    if (b->left > 0) b->left--;
  }
  b->bytes += (long)size - (long)old_size;
  if (size > 0) return realloc(old, size);
  free(old);
  return NULL;
}

/* Returns 0: completed, 1: not enough memory, -1: another error. */
static int run(const char *path, long allocations, long *made) {
  budget b = {-1, 0, 0};
  lua_State *L = lua_newstate(allocate, &b);
  luaL_openlibs(L);
  int result = luaL_loadfile(L, path) != 0 || lua_pcall(L, 0, 1, 0) != 0 ? -1 : 0;
  if (result == 0) {
    b.made = 0;
    b.left = allocations;
    result = lua_pcall(L, 0, 0, 0) != 0;
    b.left = -1;
    *made = b.made;
  }
  if (result != 0) {
    const char *message = lua_tostring(L, -1);
    if (message == NULL || strstr(message, "not enough memory") == NULL) {
      printf("%ld allocations: %s\n", allocations, message ? message : "error without a message");
      result = -1;
    }
  }
  lua_close(L);
  if (b.bytes == 0) return result;
  printf("%ld allocations: %ld bytes left\n", allocations, b.bytes);
  return -1;
}

int main(int count, char **arguments) {
  long all = 0, made, rejected = 0;
  if (count != 3 || run(arguments[1], -1, &all) != 0) return 1;
  for (long n = 0; n < all; n += atol(arguments[2])) {
    int result = run(arguments[1], n, &made);
    if (result < 0) return 1;
    rejected += result;
  }
  printf("%ld allocations; %ld runs with fewer raised errors\n", all, rejected);
  return all > 2000 && 10 * rejected > 9 * (all / atol(arguments[2])) ? 0 : 1;
}
