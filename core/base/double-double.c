/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/double-double.h"

#include <stdbool.h>

/* last power of x in the Taylor series: for 0 <= x <= pi / 4, x^28 / 28! < 2^-108 */
#define LAST_TERM 28

static void
sincos_series (ArmillaDd x, ArmillaDd *sine, ArmillaDd *cosine)
{
  ArmillaDd square = dd_neg (dd_mul (x, x));
  ArmillaDd s = { 1, 0 };
  ArmillaDd c = { 1, 0 };

  /* Horner: 1 - x^2 / (k (k + 1)) (1 - ...), so that the relative error stays that of the last
   * operations */
  for (int k = LAST_TERM; k >= 2; k -= 2)
    {
      s = dd_div_double (dd_mul (s, square), k * (k + 1.0));
      c = dd_div_double (dd_mul (c, square), k * (k - 1.0));
      s = dd_add ((ArmillaDd){ 1, 0 }, s);
      c = dd_add ((ArmillaDd){ 1, 0 }, c);
    }
  *sine = dd_mul (s, x);
  *cosine = c;
}

void
armilla_dd_sincospi (int64_t p, int64_t q, ArmillaDd *sine, ArmillaDd *cosine)
{
  const ArmillaDd pi = { 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53 };
  bool mirror = p > q - p;
  int64_t r = mirror ? q - p : p; /* angle pi r / q in [0, pi / 2] */
  bool swap = 4 * r > q;
  /* to [0, pi / 4]: pi / 2 - pi r / q = pi (q - 2 r) / (2 q) */
  ArmillaDd fraction = swap ? dd_div (dd_from_int (q - 2 * r), dd_from_int (2 * q))
                            : dd_div (dd_from_int (r), dd_from_int (q));
  ArmillaDd s, c;

  sincos_series (dd_mul (pi, fraction), &s, &c);
  *sine = swap ? c : s;
  *cosine = swap ? s : c;
  if (mirror)
    *cosine = dd_neg (*cosine);
}
