/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workflows of programs that have arrays: what a stage would have read from a file may be an array
 * of the caller's, and what stages make comes back as arrays. Plain C, as armilla/arrays.h. */
#pragma once

#include <armilla/arrays.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ArmillaFlow:
 *
 * A workflow, and the arrays at its ends. Used by one thread at a time.
 */
typedef struct ArmillaFlow ArmillaFlow;

/**
 * ArmillaFlowKind:
 * @ARMILLA_FLOW_MAP: pixels, [1][field][pixel]
 * @ARMILLA_FLOW_ALM: a_lm, complex, [1][field][coefficient] in healpy's order
 * @ARMILLA_FLOW_CL: spectra, [1][spectrum][degree], from degree 0 on
 * @ARMILLA_FLOW_TABLE: columns
 * @ARMILLA_FLOW_CATALOGUE: columns of objects on the sphere
 *
 * What flows between stages.
 */
typedef enum {
  ARMILLA_FLOW_MAP,
  ARMILLA_FLOW_ALM,
  ARMILLA_FLOW_CL,
  ARMILLA_FLOW_TABLE,
  ARMILLA_FLOW_CATALOGUE
} ArmillaFlowKind;

/**
 * ArmillaColumnKind:
 * @ARMILLA_COLUMN_KIND_INT64: int64_t
 * @ARMILLA_COLUMN_KIND_INT128: whole numbers of 128 bits with a sign, in the order of this machine
 * @ARMILLA_COLUMN_KIND_DOUBLE: double; NaN where there is no value
 * @ARMILLA_COLUMN_KIND_TEXT: const char *, UTF-8
 *
 * What a column of a table holds. The numbers are those of #ArmillaColumnType.
 */
typedef enum {
  ARMILLA_COLUMN_KIND_INT64,
  ARMILLA_COLUMN_KIND_INT128,
  ARMILLA_COLUMN_KIND_DOUBLE,
  ARMILLA_COLUMN_KIND_TEXT
} ArmillaColumnKind;

/**
 * ArmillaResultColumn:
 * @name: its name
 * @unit: its unit, "" for none
 * @kind: what it holds
 * @values: one for each row; %NULL where there is no row
 *
 * A column of a table.
 */
typedef struct {
  const char *name, *unit;
  ArmillaColumnKind kind;
  const void *values;
} ArmillaResultColumn;

/**
 * ArmillaFlowInput:
 * @kind: what it is
 * @array: where a map, a_lm or spectra lie; must stay as it is until the run is done
 * @shape: (nullable): of a map: geometry and spins; of a_lm: lmax, mmax and spins. A field for each
 *   spin 0 and two for any other. %NULL for others
 * @names: (nullable) (array): name of each field or spectrum; %NULL for the usual ones
 * @unit: (nullable): unit of all fields
 * @coordinates: (nullable): "G" galactic, "E" ecliptic or "C" equatorial, or a word that
 *   armilla_coordinates_letter() knows
 * @n_rows: of a table or catalogue
 * @n_columns: of a table or catalogue
 * @columns: (nullable) (array length=n_columns): of a table or catalogue, which are copied
 *
 * An array of the caller's that takes the place of a stage. Angles of polarisation follow the
 * convention COSMO.
 *
 * The columns of a catalogue are "longitude" and "latitude", in degrees unless their unit is
 * another, or "x", "y" and "z"; "weight", "g1" and "g2"; all these double; "patch", int64, from 0
 * on. Other columns, double, are kept under their names. Where there are angles, "x", "y" and "z"
 * are such other columns, and so are second columns of these names.
 */
typedef struct {
  ArmillaFlowKind kind;
  const ArmillaArray *array;
  const ArmillaPlanShape *shape;
  const char *const *names;
  const char *unit, *coordinates;
  int64_t n_rows;
  int n_columns;
  const ArmillaResultColumn *columns;
} ArmillaFlowInput;

/**
 * ArmillaResult:
 * @name: what was asked for: "node", or "node.output" where a node has several
 * @realisation: number of the realisation
 * @kind: what it is
 * @array: numbers of a map, a_lm or spectra, double. Pixels that a map of some rings does not have
 *   are UNSEEN
 * @spins: (array) (nullable): spin of each field of a map or of a_lm
 * @names: (array) (nullable): name of each field or spectrum, "" where it has none
 * @units: (array) (nullable): unit of each, "" for none
 * @coordinates: (nullable): "G", "E" or "C"
 * @geometry: of a map: where its pixels lie
 * @nside: of HEALPix
 * @n_theta: of a map: number of rings
 * @n_phi: of a map: pixels of its first ring
 * @lmax: of a_lm and spectra
 * @mmax: of a_lm
 * @n_rows: of a table or catalogue
 * @n_columns: of a table or catalogue
 * @columns: (array length=n_columns) (nullable): of a table; of a catalogue X, Y and Z, then
 *   WEIGHT, G1, G2 and PATCH where it has them, then further ones, whose names may be those of the
 *   first
 * @n_places: of a catalogue: how many columns precede the further ones
 * @n_swept: number of keys that the workflow sweeps
 * @swept_keys: (array length=n_swept) (nullable): names of these keys, "node.key" or a variable
 * @swept_values: (array length=n_swept) (nullable): their values at the point of the result
 *
 * What a stage has made. Freed by armilla_result_free().
 */
typedef struct {
  const char *name;
  int64_t realisation;
  ArmillaFlowKind kind;
  ArmillaArray array;
  const int *spins;
  const char *const *names;
  const char *const *units;
  const char *coordinates;
  ArmillaGeometry geometry;
  int64_t nside, n_theta, n_phi;
  int64_t lmax, mmax;
  int64_t n_rows;
  int n_columns;
  const ArmillaResultColumn *columns;
  int n_places;
  int n_swept;
  const char *const *swept_keys;
  const char *const *swept_values;
} ArmillaResult;

/**
 * ArmillaFlowProgress:
 * @realisation: number of the realisation that was begun last
 * @n_realisations: how many there are
 * @n_done: tasks that are done
 * @share: about how much of the run is done, 0 to 1; -1 before it begins
 * @seconds: since the run began
 *
 * How far a run is.
 */
typedef struct {
  int64_t realisation, n_realisations, n_done;
  double share, seconds;
} ArmillaFlowProgress;

/**
 * ArmillaFlowTell:
 * @user: what the caller gave
 * @progress: how far the run is
 *
 * Called by armilla_flow_run() some times a second, in the thread that called it. May take its
 * time: the run goes on meanwhile. Calls that need the session return %ARMILLA_STATUS_SESSION.
 *
 * Returns: 0; any other number ends the run with %ARMILLA_STATUS_CANCELLED
 */
typedef int (*ArmillaFlowTell) (void *user, const ArmillaFlowProgress *progress);

ArmillaStatus armilla_flow_new (const char *path, const char *text, ArmillaFlow **flow,
                                ArmillaFailure *failure);
void armilla_flow_set (ArmillaFlow *flow, const char *text);
void armilla_flow_define (ArmillaFlow *flow, const char *text);
ArmillaStatus armilla_flow_give (ArmillaFlow *flow, const char *name,
                                 const ArmillaFlowInput *input, ArmillaFailure *failure);
void armilla_flow_ask (ArmillaFlow *flow, const char *name);
ArmillaStatus armilla_flow_check (ArmillaFlow *flow, ArmillaFailure *failure);
ArmillaStatus armilla_flow_run (ArmillaFlow *flow, ArmillaSession *session, int overwrite,
                                ArmillaFlowTell tell, void *user, ArmillaFailure *failure);
const char *armilla_flow_problem (const ArmillaFlow *flow);
int64_t armilla_flow_n_results (const ArmillaFlow *flow);
ArmillaResult *armilla_flow_result (ArmillaFlow *flow, int64_t number);
void armilla_flow_free (ArmillaFlow *flow);
void armilla_result_free (ArmillaResult *result);

#ifdef __cplusplus
}
#endif
