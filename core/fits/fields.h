/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, spins, units and coordinates of the fields of maps, a_lm and spectra. Thread-safe, each
 * thread with its own fields. */
#pragma once

#include <armilla/map-header.h>

G_BEGIN_DECLS

/* Maximum spin of a field. */
#define ARMILLA_SPIN_MAX 3

/* Returns 0 for a field of spin 0, 1 for the first of a pair, 2 for the second: fields of spin s >
 * 0 come in adjacent pairs, the real and the imaginary part (Q, U) of a map, gradient and curl (E,
 * B) of a_lm. @spins: spin of each field, NULL if all are 0. */
static inline int
armilla_fields_part (const int *spins, int field)
{
  int before = 0;

  if (spins == NULL || spins[field] == 0)
    return 0;
  while (before < field && spins[field - before - 1] == spins[field])
    before++;
  return before % 2 == 0 ? 1 : 2;
}

void armilla_fields_init (ArmillaFields *self, int n);
void armilla_fields_clear (ArmillaFields *self);
void armilla_fields_copy (ArmillaFields *to, const ArmillaFields *from);
void armilla_fields_set_names (ArmillaFields *self, const char *const *names);
void armilla_fields_set_units (ArmillaFields *self, const char *const *units);
void armilla_fields_set_unit (ArmillaFields *self, const char *unit);
void armilla_fields_choose (ArmillaFields *self, const ArmillaFields *from, const int *chosen);
void armilla_fields_set_spins (ArmillaFields *self, const int *spins);
void armilla_fields_set_coordsys (ArmillaFields *self, const char *coordsys);
void armilla_fields_set_polcconv (ArmillaFields *self, const char *polcconv);
void armilla_fields_add_history (ArmillaFields *self, const char *line);
const char *const *armilla_fields_known_names (const ArmillaFields *self);

gboolean armilla_fields_check (const int *spins, int n_fields, GError **error);
gboolean armilla_fields_equal (const int *a, const int *b, int n_fields);
gboolean armilla_fields_polarised (const int *spins, int n_fields);
gboolean armilla_fields_parse (const char *text, int n_fields, int *spins, GError **error);
char armilla_fields_stokes (const char *name);
gboolean armilla_fields_from_names (const char *const *names, int n_fields, int *spins,
                                    GError **error);
gboolean armilla_fields_check_units (const int *spins, const char *const *names,
                                     const char *const *units, int n_fields, GError **error);

G_END_DECLS
