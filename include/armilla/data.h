/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What flows between nodes: maps, a_lm, spectra, and what a plugin adds. Data are described and
 * used by the thread that prepares and builds, on every rank alike; their numbers are tiles, which
 * tasks and I/O threads fill. */
#pragma once

#include <glib-object.h>

#include <armilla/alm.h>
#include <armilla/fits.h>
#include <armilla/grid.h>

G_BEGIN_DECLS

typedef struct _ArmillaGraph ArmillaGraph;
typedef struct _ArmillaCheckpoint ArmillaCheckpoint;
typedef struct _ArmillaNeed ArmillaNeed;

/**
 * ArmillaData:
 *
 * What flows between the nodes of a workflow. A data object exists in two states: described (its
 * shape is known; made while a workflow is prepared) and live (tasks write and read its tiles; the
 * tiles are registered with StarPU at their first use and given back when the last reference goes).
 */
#define ARMILLA_TYPE_DATA (armilla_data_get_type ())
G_DECLARE_DERIVABLE_TYPE (ArmillaData, armilla_data, ARMILLA, DATA, GObject)

/**
 * ArmillaDataClass:
 * @in_pieces: whether what reads such data does so piece by piece, so that they need not be there
 *   as a whole, unless what is made of them @gathers
 * @gathers: whether each piece of such data is made of all pieces of what they are made from, which
 *   is there as a whole until they are done
 * @drop: gives the tiles back to StarPU, if there are any; called when nobody holds them any more,
 *   and again when the last reference goes. Default: there are none
 * @describe: (transfer full): kind and shape in one line, as in "cl: lmax 40, 1 spectrum", for
 *   plans and the progress of a run. Default: the name of the type
 * @bytes: what the values take in memory, on all ranks together, while they are there as a whole.
 *   Default: 0, for what is small or unknown before the run (then the stage that makes it can tell,
 *   by `memory` of its class)
 * @held: bytes beside @bytes that a node has allocated which only reads such data from a file or,
 *   with @writes, only writes them. Default: 0
 * @cut: decides how the data are cut into tiles in @graph, as their first use there would. Default:
 *   nothing is to be decided
 * @save: (nullable): asks @graph, once the node that makes the data was built, to write all of
 *   their values to @file, which it owns from then on: by a sink that calls
 *   armilla_checkpoint_write() for each piece on one rank, armilla_checkpoint_end() when all are
 *   written, and armilla_checkpoint_free() on every rank. %NULL: a run that is resumed computes
 *   such data again
 * @load: (nullable): asks @graph to fill the data, which the stage has described as ever, with what
 *   @save wrote: by a source that calls armilla_checkpoint_read() for the pieces that it makes, on
 *   the ranks that make them, and armilla_checkpoint_free(). The same bits must come back
 *
 * A kind of data: what is to be known of it beside how stages make and read it. All functions but
 * @drop are called between `prepare` and `build` of stages or right after it, in the thread that
 * submits; @save, @load and @cut on every rank alike. A stage's error is that of its node.
 */
struct _ArmillaDataClass {
  GObjectClass parent_class;
  gboolean in_pieces, gathers;
  void (*drop) (ArmillaData *self);
  char *(*describe) (ArmillaData *self);
  double (*bytes) (ArmillaData *self);
  double (*held) (ArmillaData *self, gboolean writes);
  gboolean (*cut) (ArmillaData *self, ArmillaGraph *graph, GError **error);
  gboolean (*save) (ArmillaData *self, ArmillaGraph *graph, ArmillaCheckpoint *file,
                    GError **error);
  gboolean (*load) (ArmillaData *self, ArmillaGraph *graph, ArmillaCheckpoint *file,
                    GError **error);
  /*< private >*/
  void (*need) (ArmillaData *self, ArmillaNeed *need);
};

char *armilla_data_describe (ArmillaData *self);
double armilla_data_bytes (ArmillaData *self);
gboolean armilla_data_can_save (ArmillaData *self);

/**
 * armilla_data_release:
 * @self: data
 *
 * Says that no further stage will ask for these data: the tiles are given back to StarPU as soon as
 * what was asked for so far is done with them. May be called more than once.
 */
void armilla_data_release (ArmillaData *self);

/**
 * armilla_data_hold:
 * @self: data
 *
 * Keeps the tiles until armilla_data_let_go(): for data that are made of others, so that who reads
 * them may ask for these later. In the thread that submits.
 */
void armilla_data_hold (ArmillaData *self);

/**
 * armilla_data_let_go:
 * @self: data that is held
 *
 * The last one has the tiles given back, once what was asked for so far is done with them.
 */
void armilla_data_let_go (ArmillaData *self);

/**
 * armilla_data_is_view:
 * @self: data
 *
 * Returns: whether @self shows the tiles of other data instead of having its own
 */
gboolean armilla_data_is_view (ArmillaData *self);

/**
 * ArmillaMap:
 *
 * Port type "map": F fields on a grid, each with a name, a unit and a spin. Fields of spin above 0
 * come in pairs (Q and U have spin 2), in the convention COSMO. In memory always in ring order;
 * tile b holds ring block b of every field, double, [field][pixel].
 */
#define ARMILLA_TYPE_MAP (armilla_map_get_type ())
G_DECLARE_FINAL_TYPE (ArmillaMap, armilla_map, ARMILLA, MAP, ArmillaData)

ArmillaMap *armilla_map_new (ArmillaGrid *grid, int n_fields);
ArmillaGrid *armilla_map_grid (ArmillaMap *self);
int armilla_map_n_fields (ArmillaMap *self);
ArmillaMapHeader *armilla_map_header (ArmillaMap *self);
const int *armilla_map_spins (ArmillaMap *self);
void armilla_map_set_spins (ArmillaMap *self, const int *spins);
/* The same tiles (shared, not copied) under a header of its own and, unless @grid is NULL, with the
 * quadrature weights of @grid, whose rings must be those of @map. Keeps @map alive. */
ArmillaMap *armilla_map_new_view (ArmillaMap *map, ArmillaGrid *grid);

/**
 * ArmillaAlm:
 *
 * Port type "alm": F fields of a_lm of one layout, each with a spin; those of spin above 0 are
 * pairs of gradient and curl (E and B have spin 2). Tile b holds the orders of m-block b of every
 * field, complex double, [field][healpy's order within the block].
 */
#define ARMILLA_TYPE_ALM (armilla_alm_get_type ())
G_DECLARE_FINAL_TYPE (ArmillaAlm, armilla_alm, ARMILLA, ALM, ArmillaData)

ArmillaAlm *armilla_alm_new (ArmillaAlmLayout layout, int n_fields);
ArmillaAlmLayout armilla_alm_layout (ArmillaAlm *self);
int armilla_alm_n_fields (ArmillaAlm *self);
const int *armilla_alm_spins (ArmillaAlm *self);
void armilla_alm_set_spins (ArmillaAlm *self, const int *spins);
const char *armilla_alm_unit (ArmillaAlm *self);
void armilla_alm_set_unit (ArmillaAlm *self, const char *unit);
const char *armilla_alm_coordsys (ArmillaAlm *self);
void armilla_alm_set_coordsys (ArmillaAlm *self, const char *coordsys);

/**
 * ArmillaCl:
 *
 * Port type "cl": F spectra, double, [field][l], l = 0..lmax, one tile.
 */
#define ARMILLA_TYPE_CL (armilla_cl_get_type ())
G_DECLARE_FINAL_TYPE (ArmillaCl, armilla_cl, ARMILLA, CL, ArmillaData)

ArmillaCl *armilla_cl_new (gint64 lmax, const char *const *names, int n_fields);
gint64 armilla_cl_lmax (ArmillaCl *self);
int armilla_cl_n_fields (ArmillaCl *self);
const char *const *armilla_cl_names (ArmillaCl *self);
const char *armilla_cl_unit (ArmillaCl *self);
void armilla_cl_set_unit (ArmillaCl *self, const char *unit);
const char *armilla_cl_coordsys (ArmillaCl *self);
void armilla_cl_set_coordsys (ArmillaCl *self, const char *coordsys);

G_END_DECLS
