/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The spectra that decoupling needs, and the coupling matrices for each of them. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* A set of coupling matrices. Their names are 00, 0+, ++, --, 0p, +p and pp, in this order. */
typedef enum {
  ARMILLA_COUPLING_KIND_00 = 1 << 0,      /* two scalars */
  ARMILLA_COUPLING_KIND_0P = 1 << 1,      /* a scalar and a field of spin 2 */
  ARMILLA_COUPLING_KIND_PP = 1 << 2,      /* two fields of spin 2, what stays: E E to E E */
  ARMILLA_COUPLING_KIND_MM = 1 << 3,      /* two fields of spin 2, what mixes: B B to E E */
  ARMILLA_COUPLING_KIND_0PURE = 1 << 4,   /* a scalar and a purified E or B */
  ARMILLA_COUPLING_KIND_PPURE = 1 << 5,   /* E or B and a purified E or B */
  ARMILLA_COUPLING_KIND_PUREPURE = 1 << 6 /* two purified ones */
} ArmillaCouplingKinds;

/* Which fields of a masked map are purified: nothing of the other one is in them. */
typedef enum {
  ARMILLA_PURE_NONE = 0,                            /* neither */
  ARMILLA_PURE_E = 1 << 0,                          /* E */
  ARMILLA_PURE_B = 1 << 1,                          /* B */
  ARMILLA_PURE_EB = ARMILLA_PURE_E | ARMILLA_PURE_B /* both */
} ArmillaPure;

/* What a spectrum is for its coupling. */
typedef struct {
  char name[3]; /* its pair of fields, a letter each; E and B have spin 2, others none */
  /* number of the pseudo-spectrum it is made of; those of exchanged skies come after the others */
  int source;
  ArmillaCouplingKinds own; /* the matrix by which it is coupled to itself */
  /* 1 or -1: what -- makes of its partner is added to it, or subtracted; without a partner (EB of a
   * field with itself, which is BE as well) what it makes of itself; 0: nothing is */
  int mixed;
  int partner;              /* number of the spectrum that it is mixed with, or -1 */
} ArmillaSpectrum;

const char *armilla_spectrum_pair (const char *name);
GArray *armilla_spectra_roles (const char *const *names, int n_names, gboolean exchanged,
                               ArmillaPure pure, GError **error);
ArmillaCouplingKinds armilla_spectra_kinds (const GArray *spectra);
char **armilla_spectra_window_names (const GArray *spectra);

G_END_DECLS
