/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/catalogue.h>
#include <armilla/graph.h>
#include <armilla/matrix.h>
#include <armilla/table.h>
#include <armilla/workflow-arrays.h>

#include "tasks/arrays/array-tiles.h"

G_BEGIN_DECLS

/* An array of the caller's that was found to be in order. */
typedef struct {
  char *name;                  /* node whose place it takes */
  ArmillaFlowKind kind;        /* what it is */
  ArmillaArrayRows *rows;      /* (owned): the array, as tasks see it; may be NULL */
  gint64 n;                    /* numbers of each field */
  ArmillaAlmLayout layout;     /* of a_lm */
  int n_fields;                /* fields or spectra */
  ArmillaGrid *grid;           /* (owned): of a map; may be NULL */
  int *spins;                  /* (array length=n_fields): of a map or a_lm */
  char **names;                /* (array length=n_fields): of the fields or spectra */
  char *unit;                  /* of all of them; may be NULL */
  char *coordinates;           /* G, E or C; may be NULL */
  ArmillaTable *table;         /* (owned): a table; may be NULL */
  ArmillaCatalogue *catalogue; /* (owned): a catalogue; may be NULL */
  ArmillaMatrixHeader *matrix; /* (owned): description of matrices; may be NULL */
  const double *elements;      /* of matrices, in the caller's memory; may be NULL */
  GPtrArray *others; /* (owned) (element-type ArmillaInput): arrays of further realisations */
  char *number; /* expression for the number of the array to take, 0 for this one; may be NULL */
} ArmillaInput;

ArmillaInput *armilla_input_new (const char *name, const ArmillaFlowInput *given, GError **error);
void armilla_input_free (ArmillaInput *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaInput, armilla_input_free)

G_END_DECLS
