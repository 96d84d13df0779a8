/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interface of data of any class for the runner. */
#pragma once

#include <armilla/data.h>
#include <armilla/table.h>

G_BEGIN_DECLS

gboolean armilla_data_can_save (ArmillaData *self);

/* Returns whether the data are maps, a_lm or spectra. */
gboolean armilla_data_has_fields (ArmillaData *self);

/* Returns whether the numbers are complex. */
gboolean armilla_data_is_complex (ArmillaData *self);

/* Returns whether the numbers are values of pixels, as in maps. */
gboolean armilla_data_has_pixels (ArmillaData *self);

/* Returns whether the data consist of one piece, as spectra and tables do. */
gboolean armilla_data_is_whole (ArmillaData *self);

/* Returns whether two maps have the same pixels, two a_lm the same lmax and mmax, or two spectra
 * the same lmax; the error names the data and the remedy. Both must be of one class. */
gboolean armilla_data_same_shape (ArmillaData *a, const char *name_a, ArmillaData *b,
                                  const char *name_b, GError **error);

/* Returns whether @self is a view, which shares the tiles of other data. */
gboolean armilla_data_is_view (ArmillaData *self);

/* Describes (transfer full) data of the kind and shape of others, with their coordinates and their
 * convention of polarisation; NULL unless they are a map, a_lm or spectra. */
ArmillaData *armilla_data_new_like (ArmillaData *like, int n_fields);

/* Returns (transfer full) a table with the columns of spectra; NULL for other data. */
ArmillaTable *armilla_data_new_table (ArmillaData *self);
gboolean armilla_data_check_columns (ArmillaData *self, GError **error);

/* Divides data that will or could be in the graph into tiles now. The first map of a grid and the
 * first a_lm of a layout determine the division for the whole graph; so a run that omits some nodes
 * calls this for their data, to divide like a run with all nodes. */
gboolean armilla_graph_cut (ArmillaGraph *graph, ArmillaData *data, GError **error);

G_END_DECLS
