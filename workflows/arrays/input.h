/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/catalogue.h>
#include <armilla/graph.h>
#include <armilla/matrix.h>
#include <armilla/table.h>
#include <armilla/workflow-arrays.h>

#include "tasks/arrays/array-tiles.h"

G_BEGIN_DECLS

/* A checked array of the caller. */
typedef struct {
  char *name;                  /* node that it replaces */
  ArmillaFlowKind kind;
  ArmillaArrayRows *rows;      /* (owned): fields of the array, for tasks; may be NULL */
  gint64 n;                    /* number of values per field */
  gint64 first;                /* number, in the whole map, of the first pixel of an image */
  ArmillaAlmLayout layout;
  int n_fields;                /* number of fields or spectra */
  ArmillaGrid *grid;           /* (owned): grid of a map; may be NULL */
  int *spins;                  /* (array length=n_fields): spins of a map or a_lm */
  char **names;                /* (array length=n_fields): names of the fields or spectra */
  char *unit;
  char *coordinates;           /* G, E or C; may be NULL */
  ArmillaTable *table;         /* (owned): a table; may be NULL */
  ArmillaCatalogue *catalogue; /* (owned): a catalogue; may be NULL */
  ArmillaMatrixHeader *matrix; /* (owned): description of matrices; may be NULL */
  const double *elements;      /* elements of matrices, in the caller's memory; may be NULL */
  GPtrArray *others; /* (owned) (element-type ArmillaInput): arrays of further realisations */
  /* expression for the number of the array to use in a realisation, 0 for this one; may be NULL */
  char *number;
} ArmillaInput;

ArmillaInput *armilla_input_new (const char *name, const ArmillaFlowInput *given, GError **error);
void armilla_input_free (ArmillaInput *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaInput, armilla_input_free)

G_END_DECLS
