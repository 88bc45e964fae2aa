#include "simulate/numbers.h"

#include <math.h>

void sim_put_number(cli_text *out, double value, double least) {
  double ratio = fabs(value) / least;
  if (!isfinite(value) || !(least > 0) || ratio > 1e16)
    cli_text_number(out, value);
  else if (ratio < 0.5)
    cli_text_str(out, "0");
  else
    cli_text_format(out, "%.*g", ratio < 1 ? 1 : 1 + (int)ceil(log10(ratio)), value);
}

void sim_put_vec(cli_text *out, graze_vec v, int dim, double least) {
  const double numbers[3] = {v.x, v.y, v.z};
  for (int i = 0; i < dim; i++) {
    if (i > 0) cli_text_str(out, ",");
    sim_put_number(out, numbers[i], least);
  }
}

void sim_put_meeting(cli_text *out, double t, size_t a, size_t b, double least) {
  cli_text_str(out, "[");
  sim_put_number(out, t, least);
  cli_text_format(out, ",%zu,%zu", a, b);
}
