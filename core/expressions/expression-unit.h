/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* maximum number of symbols of a unit, and of letters of a symbol; larger units are unknown */
#define ARMILLA_UNIT_FACTORS 6
#define ARMILLA_UNIT_LETTERS 24

/* NUMBER: a pure number, compatible with every unit. UNKNOWN: compatible with every unit too, but
 * products with it are unknown. */
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
