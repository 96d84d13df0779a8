/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/text-number.h"

#include <armilla/table.h>

/* Returns the decimal digits of the value, with a minus sign if it is negative. */
char *
armilla_int128_to_string (ArmillaInt128 value)
{
  __extension__ unsigned __int128 rest = value < 0 ? -(unsigned __int128) value
                                                   : (unsigned __int128) value;
  char digits[41];
  int at = sizeof digits - 1;

  digits[at] = 0;
  do
    {
      digits[--at] = (char) ('0' + (int) (rest % 10));
      rest /= 10;
    }
  while (rest != 0);
  if (value < 0)
    digits[--at] = '-';
  return g_strdup (digits + at);
}
