/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps common to counts of pairs and triangles. */
#pragma once

#include "core/catalogues/histogram.h"
#include "tasks/correlation/cells-shared.h"
#include "tasks/data/histogram-private.h"
#include "tasks/graph/jobs.h"

G_BEGIN_DECLS

typedef struct _ArmillaCounting ArmillaCounting;

/* Functions of a kind of count. */
typedef struct {
  /* returns whether the first (0) or second (1) catalogue can be counted; the same on every rank */
  gboolean (*check) (const ArmillaCounting *self, int which, const ArmillaCatalogue *catalogue,
                     GError **error);
  /* cuts the work into pieces: sets n_pieces and scratch_size */
  void (*prepare) (ArmillaCounting *self);
  double (*cost) (const ArmillaCounting *self, gint64 piece); /* returns the cost of a piece */
  /* submits the task of the pieces from first up to end, which writes part */
  gboolean (*submit) (ArmillaCounting *self, gint64 first, gint64 end, int rank,
                      const ArmillaTile *part, GError **error);
} ArmillaCountingKind;

/* A count, the first member of the struct of its kind. */
struct _ArmillaCounting {
  const ArmillaCountingKind *kind;
  ArmillaGraph *graph;
  ArmillaHistogram *out;
  ArmillaCountOptions options;
  gboolean within;                 /* whether there is only one catalogue; then b equals a */
  ArmillaSorted *a; /* the first catalogue; its arrays can be read in ArmillaCountingKind.prepare */
  ArmillaSorted *b;                /* the second one */
  double *edges; /* (array): squared chords of the bin edges, and chords, each followed by
                  * infinity; then the squared edges of a second coordinate */
  ArmillaTile edges_tile;          /* edges on every rank */
  ArmillaTile scratch;             /* scratch of a task */
  gint64 scratch_size;             /* size of scratch in doubles */
  gint64 n_pieces;                 /* number of pieces of the work; adjacent ones form a task */
  ArmillaTile *sums; /* (array): histogram of each rank; a histogram in use has a handle */
};

gboolean armilla_counting_run (ArmillaCounting *self, ArmillaGraph *graph, ArmillaJob *job,
                               GError **error);

G_END_DECLS
