/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The spectra that decoupling needs, and the coupling matrices for each of them. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* A set of coupling matrices. Their names are 00, 0+, ++, --, 0p, +p and pp, in this order. */
typedef enum {
  ARMILLA_COUPLING_KIND_00 = 1 << 0,      /* coupling of two scalars */
  ARMILLA_COUPLING_KIND_0P = 1 << 1,      /* coupling of a scalar and a field of spin 2 */
  ARMILLA_COUPLING_KIND_PP = 1 << 2, /* coupling of two fields of spin 2, same type: EE to EE */
  ARMILLA_COUPLING_KIND_MM = 1 << 3,      /* coupling of two fields of spin 2, mixing: BB to EE */
  ARMILLA_COUPLING_KIND_0PURE = 1 << 4,   /* coupling of a scalar and a purified E or B */
  ARMILLA_COUPLING_KIND_PPURE = 1 << 5,   /* coupling of E or B and a purified E or B */
  ARMILLA_COUPLING_KIND_PUREPURE = 1 << 6 /* coupling of two purified fields */
} ArmillaCouplingKinds;

/* Purified fields of a masked map: those free of leakage from the other one (E or B). */
typedef enum {
  ARMILLA_PURE_NONE = 0,                            /* neither */
  ARMILLA_PURE_E = 1 << 0,                          /* E */
  ARMILLA_PURE_B = 1 << 1,                          /* B */
  ARMILLA_PURE_EB = ARMILLA_PURE_E | ARMILLA_PURE_B /* both */
} ArmillaPure;

/* Role of a spectrum in the coupling. */
typedef struct {
  char name[3]; /* name: a letter for each of its two fields; E and B have spin 2, others spin 0 */
  /* number of its pseudo-spectrum; those of exchanged skies have the highest numbers */
  int source;
  ArmillaCouplingKinds own; /* matrix that couples its multipoles to each other */
  /* sign, 1 or -1, of the contribution of its partner by the matrix --; without a partner (EB of a
   * field with itself, which equals BE) of its own contribution by --; 0: no contribution */
  int mixed;
  int partner;              /* number of the spectrum that leaks into it, or -1 */
} ArmillaSpectrum;

const char *armilla_spectrum_pair (const char *name);
GArray *armilla_spectra_roles (const char *const *names, int n_names, gboolean exchanged,
                               ArmillaPure pure, GError **error);
ArmillaCouplingKinds armilla_spectra_kinds (const GArray *spectra);
char **armilla_spectra_window_names (const GArray *spectra);

G_END_DECLS
