#include "scene/results.h"

#include <string.h>

static unsigned char *found_at(const scene_found *f, size_t index) { return (unsigned char *)f->at + index * f->size; }

static void found_swap(const scene_found *f, size_t i, size_t k) {
  unsigned char *p = found_at(f, i), *q = found_at(f, k), kept[64];
  for (size_t left = f->size; left > 0;) {
    const size_t some = left < sizeof kept ? left : sizeof kept;
    memcpy(kept, p, some), memcpy(p, q, some), memcpy(q, kept, some);
    p += some, q += some, left -= some;
  }
}

static bool found_before(const scene_found *f, size_t i, size_t k) { return f->before(found_at(f, i), found_at(f, k)); }

static void found_down(const scene_found *f, size_t at, size_t count) {
  for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && found_before(f, child, child + 1)) child++;
    if (!found_before(f, at, child)) return;
    found_swap(f, at, child);
    at = child;
  }
}

static void found_up(const scene_found *f, size_t at) {
  for (; at > 0 && found_before(f, (at - 1) / 2, at); at = (at - 1) / 2) found_swap(f, at, (at - 1) / 2);
}

void grz_scene_found_put(scene_found *f, const void *element) {
  f->count++;
  if (f->kept < f->capacity) {
    memcpy(found_at(f, f->kept), element, f->size);
    found_up(f, f->kept++);
  } else if (f->capacity > 0 && f->before(element, f->at)) {
    memcpy(f->at, element, f->size);
    found_down(f, 0, f->kept);
  }
}

void grz_scene_found_end(scene_found *f) {
  for (size_t last = f->kept; last-- > 1;) {
    found_swap(f, 0, last);
    found_down(f, 0, last);
  }
}

void grz_scene_sort(void *at, size_t count, size_t size, scene_before *before) {
  scene_found all = {.at = at, .size = size, .before = before, .kept = count};
  for (size_t i = count / 2; i-- > 0;) found_down(&all, i, count);
  grz_scene_found_end(&all);
}

graze_status grz_scene_found_all(scene_found *f, size_t *count) {
  grz_scene_found_end(f);
  *count = f->count;
  return f->count > f->capacity ? GRAZE_NO_SPACE : GRAZE_OK;
}
