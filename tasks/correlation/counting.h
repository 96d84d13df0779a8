/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps by which pairs and triangles are counted. */
#pragma once

#include "core/catalogues/histogram.h"
#include "tasks/correlation/cells-shared.h"
#include "tasks/data/histogram-private.h"
#include "tasks/graph/jobs.h"

G_BEGIN_DECLS

typedef struct _ArmillaCounting ArmillaCounting;

/* What is counted, and how. */
typedef struct {
  /* whether a catalogue can be counted; the same on every rank */
  gboolean (*check) (const ArmillaCatalogue *catalogue, const ArmillaHistogramShape *shape,
                     GError **error);
  /* cuts the work into pieces: sets n_pieces and scratch_size */
  void (*prepare) (ArmillaCounting *self);
  double (*cost) (const ArmillaCounting *self, gint64 piece); /* of a piece */
  /* submits the task of the pieces from first on, up to end, which writes part */
  gboolean (*submit) (ArmillaCounting *self, gint64 first, gint64 end, int rank,
                      const ArmillaTile *part, GError **error);
} ArmillaCountingKind;

/* One count, the first member of what the kind adds. */
struct _ArmillaCounting {
  const ArmillaCountingKind *kind; /* what is counted */
  ArmillaGraph *graph;             /* the graph */
  ArmillaHistogram *out;           /* the histogram */
  ArmillaCountOptions options;     /* how to count */
  gboolean within;                 /* whether there is one catalogue only; then b is a */
  ArmillaSorted *a; /* the first catalogue; its arrays can be read in ArmillaCountingKind.prepare */
  ArmillaSorted *b;                /* the second one */
  double *edges; /* (array): of the bins: squared chords and chords, each followed by infinity */
  ArmillaTile edges_tile;          /* edges on every rank */
  ArmillaTile scratch;             /* of a task */
  gint64 scratch_size;             /* its number of doubles */
  gint64 n_pieces;                 /* of the work; neighbouring ones make a task */
  ArmillaTile *sums; /* (array): of the tasks' histograms, one a rank; those in use have a handle */
};

gboolean armilla_counting_run (ArmillaCounting *self, ArmillaGraph *graph, ArmillaJob *job,
                               GError **error);

G_END_DECLS
