/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Most symbols of a unit, and letters of one. A unit of more is unknown. */
#define ARMILLA_UNIT_FACTORS 6
#define ARMILLA_UNIT_LETTERS 24

/* NUMBER: a number, whatever it counts: it goes with every unit. UNKNOWN: so does what does not say
 * its unit, but products with it are unknown. */
typedef enum { ARMILLA_UNIT_NUMBER, ARMILLA_UNIT_UNKNOWN, ARMILLA_UNIT_KNOWN } ArmillaUnitKind;

typedef struct {
  ArmillaUnitKind kind;
  int n;
  struct {
    char symbol[ARMILLA_UNIT_LETTERS];
    double power;
  } factor[ARMILLA_UNIT_FACTORS];
} ArmillaUnit;

ArmillaUnit armilla_unit_parse (const char *text);
char *armilla_unit_format (const ArmillaUnit *unit);
gboolean armilla_unit_equal (const ArmillaUnit *a, const ArmillaUnit *b);
ArmillaUnit armilla_unit_product (const ArmillaUnit *a, const ArmillaUnit *b, double power);
ArmillaUnit armilla_unit_power (const ArmillaUnit *a, double power);
