/* Naming contact points after corners. */
#include "narrow/contact_id.h"

/* The point that a corner gives its name to: the nearest within `near`; -1: none. */
static int name_holder(const grz_touches *t, graze_vec corner, double near) {
  double least = near * near;
  int holder = -1;
  for (int i = 0; i < t->count; i++) {
    double far = flat_square(vec_sub(t->at[i].at, corner));
    if (far > least || t->at[i].feature == GRZ_WITNESS_FEATURE) continue;
    least = far, holder = i;
  }
  return holder;
}

static void name_after(grz_touches *t, const grz_feature *f, const grz_feature *other, bool is_a, double near,
                       bool *named) {
  if (f->disk || f->plane || f->count < 2) return;
  for (int k = 0; k < f->count; k++) {
    int i = name_holder(t, f->corner[k], near);
    if (i < 0 || named[i]) continue;
    t->at[i].feature = grz_corner_feature(f, k, other, is_a);
    named[i] = true;
  }
}

void grz_touches_name(grz_touches *t, const grz_feature *a, const grz_feature *b, double near) {
  bool named[GRZ_TOUCHES] = {false};
  name_after(t, a, b, true, near, named);
  name_after(t, b, a, false, near, named);
}

enum { NAME_FREE, NAME_HOLDER, NAME_TWIN };

/* Of the points near a corner one stays: a holder already, or the nearest; the others are its twins. */
static void name_pair_off(const grz_touches *t, const grz_feature *f, double near, double equal, int *role) {
  if (f->disk || f->plane || f->count < 2) return;
  for (int c = 0; c < f->count; c++) {
    int holder = name_holder(t, f->corner[c], near);
    for (int i = 0; i < t->count; i++) {
      if (role[i] == NAME_HOLDER && flat_square(vec_sub(t->at[i].at, f->corner[c])) <= near * near) holder = i;
    }
    if (holder < 0) continue;
    role[holder] = NAME_HOLDER;
    for (int i = 0; i < t->count; i++) {
      bool beside = flat_square(vec_sub(t->at[i].at, f->corner[c])) <= near * near;
      bool deeper = t->at[i].depth > t->at[holder].depth + equal || t->at[i].feature == GRZ_WITNESS_FEATURE;
      if (beside && !deeper && role[i] != NAME_HOLDER) role[i] = NAME_TWIN;
    }
  }
}

void grz_touches_drop_twins(grz_touches *t, const grz_feature *a, const grz_feature *b, double near, double equal) {
  int role[GRZ_TOUCHES] = {NAME_FREE}, kept = 0;
  name_pair_off(t, a, near, equal, role);
  name_pair_off(t, b, near, equal, role);
  for (int i = 0; i < t->count; i++) {
    if (role[i] != NAME_TWIN) t->at[kept++] = t->at[i];
  }
  t->count = kept;
}
