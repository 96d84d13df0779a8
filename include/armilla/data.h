/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data passed between nodes: maps, a_lm, spectra, and types that plugins add. Data are described
 * and used by the thread that prepares and builds, on every rank alike; their values are stored in
 * tiles, which tasks and I/O threads fill. */
#pragma once

#include <glib-object.h>

#include <armilla/alm.h>
#include <armilla/grid.h>
#include <armilla/map-header.h>

G_BEGIN_DECLS

typedef struct _ArmillaGraph ArmillaGraph;
typedef struct _ArmillaCheckpoint ArmillaCheckpoint;
typedef struct _ArmillaDataVerbs ArmillaDataVerbs;

/**
 * ArmillaData:
 *
 * Data passed between the nodes of a workflow. A data object exists in two states: described (its
 * shape is known; made while a workflow is prepared) and live (tasks write and read its tiles; the
 * tiles are registered with StarPU at their first use and unregistered when the last reference is
 * dropped).
 */
#define ARMILLA_TYPE_DATA (armilla_data_get_type ())
G_DECLARE_DERIVABLE_TYPE (ArmillaData, armilla_data, ARMILLA, DATA, GObject)

/**
 * ArmillaDataClass:
 * @in_pieces: whether consumers read such data piece by piece. The data are then never complete in
 *   memory, unless @gathers is set for the output of a consumer
 * @passes_names: whether fields without names inherit those of inputs of this kind
 * @gathers: whether each piece of such data depends on all pieces of the inputs, which are then
 *   kept complete in memory until the data are done
 * @drop: unregisters the tiles from StarPU, if any; called when no node uses the data any more,
 *   and again when the last reference is dropped. Default: no tiles
 * @describe: (transfer full): kind and shape in one line, as in "cl: lmax 40, 1 spectrum", for
 *   plans and the progress of a run. Default: the name of the type
 * @bytes: bytes of all values, on all ranks together, while they are complete in memory. Default:
 *   0, for data that are small or whose size is unknown before the run (the stage that produces
 *   them can then report their size by `memory` of its class)
 * @held: bytes, in addition to @bytes, that a node allocates which only reads such data from a file
 *   or, with @writes, only writes them. Default: 0
 * @save: (nullable): called after the node that produces the data was built: requests that @graph
 *   write all values to @file, which it then owns: by a sink that calls armilla_checkpoint_write()
 *   for each piece on one rank, armilla_checkpoint_end() after the last one, and
 *   armilla_checkpoint_free() on every rank. %NULL: a resumed run recomputes such data
 * @load: (nullable): requests that @graph fill the data, which the stage has described as usual,
 *   with the values that @save wrote: by a source that calls armilla_checkpoint_read() for its
 *   pieces, on the ranks that own them, and armilla_checkpoint_free(). The bits must be the same
 *
 * Properties and functions of a kind of data. All functions except @drop are called between
 * `prepare` and `build` of stages or right after `build`, by the submitting thread; @save and @load
 * on every rank in the same order. An error of such a function is reported as an error of the node.
 */
struct _ArmillaDataClass {
  GObjectClass parent_class;
  gboolean in_pieces, passes_names, gathers;
  void (*drop) (ArmillaData *self);
  char *(*describe) (ArmillaData *self);
  double (*bytes) (ArmillaData *self);
  double (*held) (ArmillaData *self, gboolean writes);
  gboolean (*save) (ArmillaData *self, ArmillaGraph *graph, ArmillaCheckpoint *file,
                    GError **error);
  gboolean (*load) (ArmillaData *self, ArmillaGraph *graph, ArmillaCheckpoint *file,
                    GError **error);
  /*< private >*/
  ArmillaData *(*new_like) (ArmillaData *self, int n_fields);
  const ArmillaDataVerbs *verbs;
};

/**
 * armilla_data_fields:
 * @self: data
 *
 * Returns: (transfer none): properties of the fields of maps, a_lm and spectra, which may be
 *   changed while a workflow is prepared; other data have a history only
 */
ArmillaFields *armilla_data_fields (ArmillaData *self);

/**
 * armilla_data_describe:
 * @self: data that a stage described while it was prepared
 *
 * Returns: (transfer full): kind and shape in one line
 */
char *armilla_data_describe (ArmillaData *self);

/**
 * armilla_data_bytes:
 * @self: data
 *
 * Returns: bytes of all values, on all ranks together
 */
double armilla_data_bytes (ArmillaData *self);

/**
 * armilla_data_release:
 * @self: data
 *
 * Declares that no further stage will use these data: the tiles are unregistered when the requests
 * made so far no longer need them. May be called more than once.
 */
void armilla_data_release (ArmillaData *self);

/**
 * armilla_data_hold:
 * @self: data
 *
 * Keeps the tiles until armilla_data_unhold(). Called by the submitting thread for data from which
 * other data are derived, as long as readers of the latter may still request the former.
 */
void armilla_data_hold (ArmillaData *self);

/**
 * armilla_data_unhold:
 * @self: data that is held
 *
 * Ends one armilla_data_hold(). The last call unregisters the tiles when the requests made so far
 * no longer need them.
 */
void armilla_data_unhold (ArmillaData *self);

/**
 * ArmillaMap:
 *
 * Port type "map": F fields on a grid, each with a name, a unit and a spin. Fields of spin above 0
 * come in pairs (Q and U have spin 2), in the convention COSMO. In memory always in ring order;
 * tile b holds ring block b of every field, double, [field][pixel].
 */
#define ARMILLA_TYPE_MAP (armilla_map_get_type ())
G_DECLARE_FINAL_TYPE (ArmillaMap, armilla_map, ARMILLA, MAP, ArmillaData)

/**
 * armilla_map_new:
 * @grid: (transfer none): the grid
 * @n_fields: number of fields, at least 1
 *
 * Describes a map. Names and units of the fields are empty, their spins 0.
 *
 * Returns: (transfer full): the map
 */
ArmillaMap *armilla_map_new (ArmillaGrid *grid, int n_fields);

/**
 * armilla_map_grid:
 * @self: a map
 *
 * Returns: (transfer none): its grid
 */
ArmillaGrid *armilla_map_grid (ArmillaMap *self);

/**
 * armilla_map_n_fields:
 * @self: a map
 *
 * Returns: number of fields
 */
int armilla_map_n_fields (ArmillaMap *self);

/**
 * armilla_map_header:
 * @self: a map
 *
 * Returns: (transfer none): names, units and coordinates, to be read or changed while the workflow
 *   is prepared
 */
ArmillaMapHeader *armilla_map_header (ArmillaMap *self);

/**
 * armilla_map_spins:
 * @self: a map
 *
 * Returns: (transfer none) (array): spin of each field; fields of a spin above 0 come in pairs
 */
const int *armilla_map_spins (ArmillaMap *self);

/**
 * armilla_map_set_spins:
 * @self: a map
 * @spins: (array) (nullable): spin of each field, 0 to 3; fields of a spin above 0 come in pairs.
 *   %NULL sets all to 0
 */
void armilla_map_set_spins (ArmillaMap *self, const int *spins);

/**
 * armilla_map_new_view:
 * @map: a map
 * @grid: (nullable) (transfer none): a grid with the rings of @map but other weights
 *
 * Describes a map with the tiles of @map (shared, not copied), its own header and, unless @grid is
 * %NULL, the quadrature weights of @grid. Keeps @map alive.
 *
 * Returns: (transfer full): the view
 */
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

/**
 * armilla_alm_new:
 * @layout: lmax and mmax
 * @n_fields: number of fields, at least 1
 *
 * Describes a_lm of spin 0, without unit and coordinate system.
 *
 * Returns: (transfer full): the a_lm
 */
ArmillaAlm *armilla_alm_new (ArmillaAlmLayout layout, int n_fields);

/**
 * armilla_alm_layout:
 * @self: a_lm
 *
 * Returns: lmax and mmax
 */
ArmillaAlmLayout armilla_alm_layout (ArmillaAlm *self);

/**
 * armilla_alm_n_fields:
 * @self: a_lm
 *
 * Returns: number of fields
 */
int armilla_alm_n_fields (ArmillaAlm *self);

/**
 * armilla_alm_spins:
 * @self: a_lm
 *
 * Returns: (transfer none) (array): spin of each field; fields of a spin above 0 come in pairs
 */
const int *armilla_alm_spins (ArmillaAlm *self);

/**
 * armilla_alm_set_spins:
 * @self: a_lm
 * @spins: (array) (nullable): spin of each field, 0 to 3; fields of a spin above 0 come in pairs.
 *   %NULL sets all to 0
 */
void armilla_alm_set_spins (ArmillaAlm *self, const int *spins);

/**
 * armilla_alm_unit:
 * @self: a_lm
 *
 * Returns: (transfer none): unit of the field, "" if unknown
 */
const char *armilla_alm_unit (ArmillaAlm *self);

/**
 * armilla_alm_set_unit:
 * @self: a_lm
 * @unit: (nullable): unit of the field
 */
void armilla_alm_set_unit (ArmillaAlm *self, const char *unit);

/**
 * armilla_alm_coordsys:
 * @self: a_lm
 *
 * Returns: (transfer none) (nullable): coordinate system: G, E or C
 */
const char *armilla_alm_coordsys (ArmillaAlm *self);

/**
 * armilla_alm_set_coordsys:
 * @self: a_lm
 * @coordsys: (nullable): coordinate system: G, E or C
 */
void armilla_alm_set_coordsys (ArmillaAlm *self, const char *coordsys);

/**
 * ArmillaCl:
 *
 * Port type "cl": F spectra, double, [field][l], l = 0..lmax, one tile.
 */
#define ARMILLA_TYPE_CL (armilla_cl_get_type ())
G_DECLARE_FINAL_TYPE (ArmillaCl, armilla_cl, ARMILLA, CL, ArmillaData)

/**
 * armilla_cl_new:
 * @lmax: highest multipole
 * @names: (array length=n_fields) (nullable): names of the spectra
 * @n_fields: number of spectra, at least 1
 *
 * Describes spectra.
 *
 * Returns: (transfer full): the spectra
 */
ArmillaCl *armilla_cl_new (gint64 lmax, const char *const *names, int n_fields);

/**
 * armilla_cl_lmax:
 * @self: spectra
 *
 * Returns: highest multipole
 */
gint64 armilla_cl_lmax (ArmillaCl *self);

/**
 * armilla_cl_n_fields:
 * @self: spectra
 *
 * Returns: number of spectra
 */
int armilla_cl_n_fields (ArmillaCl *self);

/**
 * armilla_cl_names:
 * @self: spectra
 *
 * Returns: (transfer none) (array zero-terminated=1): names of the spectra
 */
const char *const *armilla_cl_names (ArmillaCl *self);

/**
 * armilla_cl_unit:
 * @self: spectra
 *
 * Returns: (transfer none): unit of all spectra, "" if unknown
 */
const char *armilla_cl_unit (ArmillaCl *self);

/**
 * armilla_cl_set_unit:
 * @self: spectra
 * @unit: (nullable): unit of all spectra
 */
void armilla_cl_set_unit (ArmillaCl *self, const char *unit);

/**
 * armilla_cl_coordsys:
 * @self: spectra
 *
 * Returns: (transfer none) (nullable): coordinates of the maps from which the spectra were
 * measured: G, E or C
 */
const char *armilla_cl_coordsys (ArmillaCl *self);

/**
 * armilla_cl_set_coordsys:
 * @self: spectra
 * @coordsys: (nullable): coordinates of the maps from which they were measured: G, E or C
 */
void armilla_cl_set_coordsys (ArmillaCl *self, const char *coordsys);

G_END_DECLS
