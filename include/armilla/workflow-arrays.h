/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workflows with arrays: arrays of the caller may replace inputs that a stage would read from
 * files, and outputs are returned as arrays. Also stages as functions: their descriptions, and
 * calls of one stage with arrays. Plain C, like armilla/arrays.h. */
#pragma once

#include <armilla/arrays.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ArmillaFlow:
 *
 * A workflow with its input and output arrays. Used by one thread at a time, except by
 * armilla_flow_progress().
 */
typedef struct ArmillaFlow ArmillaFlow;

/**
 * ArmillaFlowKind:
 * @ARMILLA_FLOW_MAP: pixels, [1][field][pixel]
 * @ARMILLA_FLOW_ALM: a_lm, complex, [1][field][coefficient] in healpy's order
 * @ARMILLA_FLOW_CL: spectra, [1][spectrum][multipole], from l = 0 on
 * @ARMILLA_FLOW_TABLE: columns
 * @ARMILLA_FLOW_CATALOGUE: columns of objects on the sphere
 * @ARMILLA_FLOW_MATRIX: matrices with labelled axes, [field][row][column]
 *
 * Kinds of data passed between stages.
 */
typedef enum {
  ARMILLA_FLOW_MAP,
  ARMILLA_FLOW_ALM,
  ARMILLA_FLOW_CL,
  ARMILLA_FLOW_TABLE,
  ARMILLA_FLOW_CATALOGUE,
  ARMILLA_FLOW_MATRIX
} ArmillaFlowKind;

/**
 * ArmillaResultColumn:
 * @name: name of the column
 * @unit: its unit, "" for none
 * @kind: type of the column
 * @values: one value per row; %NULL if there are no rows
 *
 * A column of a table.
 */
typedef struct {
  const char *name, *unit;
  ArmillaColumnType kind;
  const void *values;
} ArmillaResultColumn;

/**
 * ArmillaFlowAxis:
 * @label: (nullable): name of the quantity along the axis, "l" or "bin"; %NULL for ""
 * @unit: (nullable): unit of @values; %NULL for ""
 * @n: number of rows or columns
 * @values: (array length=n) (nullable): coordinate of each row or column: multipoles, effective
 *   multipoles of bins; %NULL for 0, 1, 2, ...
 *
 * An axis of matrices.
 */
typedef struct {
  const char *label, *unit;
  int64_t n;
  const double *values;
} ArmillaFlowAxis;

/**
 * ArmillaFlowInput:
 * @kind: what it is
 * @array: numbers of a map, a_lm or spectra; must not change until the run has ended
 * @shape: (nullable): of a map: geometry and spins; of a_lm: lmax, mmax and spins. A field for each
 *   spin 0 and two for any other. %NULL for others
 * @names: (nullable) (array): name of each field or spectrum; %NULL for the default names
 * @unit: (nullable): unit of all fields
 * @coordinates: (nullable): "G" galactic, "E" ecliptic or "C" equatorial, or one of the
 *   words galactic, ecliptic, equatorial, celestial, ICRS, FK5 and J2000
 * @n_rows: of a table or catalogue: number of rows
 * @n_columns: of a table or catalogue: number of columns
 * @columns: (nullable) (array length=n_columns): of a table or catalogue: the columns; copied
 * @axes: (nullable): of matrices: axis of the rows, then axis of the columns; the array is
 *   [field][row][column], double
 * @any_numbers: of a map, a_lm or spectra: whether NaN and infinite numbers are accepted; results
 *   that depend on them become NaN
 *
 * An array of the caller that replaces a stage. Angles of polarisation follow the convention COSMO.
 *
 * The columns of a catalogue are "longitude" and "latitude", in degrees unless they have another
 * unit, or "x", "y" and "z"; and, optionally, "weight", "g1" and "g2", all of type double, and
 * "patch", int64, from 0 on. Other columns, of type double, are kept under their names. If there
 * are angles, columns "x", "y" and "z" count as other columns, and so does a second column of any
 * of these names. If @coordinates is "box", "x", "y" and "z" are positions in space, of any length.
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
  const ArmillaFlowAxis *axes;
  int any_numbers;
} ArmillaFlowInput;

/**
 * ArmillaResult:
 * @name: the requested output: "node", or "node.output" if a node has several
 * @realisation: number of the realisation
 * @kind: what it is
 * @array: numbers of a map, a_lm or spectra, double. If a map has only some of the rings, the other
 *   pixels are UNSEEN
 * @spins: (array) (nullable): spin of each field of a map or of a_lm
 * @names: (array) (nullable): name of each field or spectrum, "" if it has none
 * @units: (array) (nullable): unit of each field or spectrum, "" if it has none
 * @coordinates: (nullable): coordinate system: "G", "E" or "C"
 * @geometry: pixelisation of a map
 * @nside: of a HEALPix map: resolution parameter
 * @n_theta: of a map: number of rings
 * @n_phi: of a map: number of pixels of its first ring
 * @car: (nullable): of a map on an image: the image; @array then has the rings of its rows, of
 *   which the first pixels are in the image, and @n_theta is that of the whole sky
 * @lmax: of a_lm and spectra: highest multipole
 * @mmax: of a_lm: highest order
 * @n_rows: of a table or catalogue: number of rows
 * @n_columns: of a table or catalogue: number of columns
 * @columns: (array length=n_columns) (nullable): of a table; of a catalogue X, Y and Z, then
 *   WEIGHT, G1, G2 and PATCH if it has them, then further columns, whose names may equal those of
 *   earlier columns
 * @n_places: of a catalogue: number of columns before the further ones
 * @n_swept: number of keys that the workflow sweeps
 * @swept_keys: (array length=n_swept) (nullable): names of these keys, "node.key" or a variable
 * @swept_values: (array length=n_swept) (nullable): their values at the point of the result
 * @axes: of matrices: axis of the rows, then axis of the columns; their @array is
 *   [field][row][column]
 *
 * An output of a stage. Freed by armilla_result_free().
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
  ArmillaGridKind geometry;
  int64_t nside, n_theta, n_phi;
  const ArmillaCar *car;
  int64_t lmax, mmax;
  int64_t n_rows;
  int n_columns;
  const ArmillaResultColumn *columns;
  int n_places;
  int n_swept;
  const char *const *swept_keys;
  const char *const *swept_values;
  ArmillaFlowAxis axes[2];
} ArmillaResult;

/**
 * ArmillaFlowProgress:
 * @realisation: number of the realisation that was begun last
 * @n_realisations: number of realisations
 * @n_done: number of completed tasks
 * @share: estimated completed fraction of the run, 0 to 1; -1 before it begins
 * @seconds: time since the run began, seconds
 *
 * Progress of a run.
 */
typedef struct {
  int64_t realisation, n_realisations, n_done;
  double share, seconds;
} ArmillaFlowProgress;

/**
 * armilla_flow_new:
 * @path: (nullable): a workflow file; or, with @text, its name in messages
 * @text: (nullable): the workflow itself, UTF-8, copied
 * @flow: (out) (transfer full): the workflow
 * @failure: (nullable): set on failure
 *
 * Reads a workflow. Errors in it are reported by armilla_flow_check() and armilla_flow_run().
 *
 * Returns: %ARMILLA_STATUS_FILE if the file cannot be read
 */
ArmillaStatus armilla_flow_new (const char *path, const char *text, ArmillaFlow **flow,
                                ArmillaFailure *failure);

/**
 * armilla_flow_set:
 * @flow: a workflow
 * @text: node.key=value, as for `armilla run --set`
 *
 * Sets a key of a node. Errors are reported by armilla_flow_check().
 */
void armilla_flow_set (ArmillaFlow *flow, const char *text);

/**
 * armilla_flow_define:
 * @flow: a workflow
 * @text: variable=value, as for `armilla run -D`
 *
 * Sets a variable. Errors are reported by armilla_flow_check().
 */
void armilla_flow_define (ArmillaFlow *flow, const char *text);

/**
 * armilla_flow_give:
 * @flow: a workflow
 * @name: name of a node; the arrays replace a node of that name in the workflow
 * @inputs: (array length=n_inputs): arrays of one kind; the structures are copied, the numbers are
 *   read in place by each run
 * @n_inputs: number of arrays: 1 for all realisations, or one for each
 * @failure: (nullable): filled on failure
 *
 * Makes array i the output of a node in realisation i. Other nodes refer to it by its name: `map =
 * sky`. If there are several arrays, a run of more realisations than arrays fails.
 *
 * Returns: %ARMILLA_STATUS_ARGUMENT if the shape of an array contradicts its structure, or if it
 *   contains NaN or infinite numbers that it does not accept
 */
ArmillaStatus armilla_flow_give (ArmillaFlow *flow, const char *name,
                                 const ArmillaFlowInput *inputs, int n_inputs,
                                 ArmillaFailure *failure);

/**
 * armilla_flow_ask:
 * @flow: a workflow
 * @name: (nullable): "node", or "node.output" if a node has several outputs; %NULL for all maps,
 *   a_lm, spectra, tables, catalogues and matrices that no node uses
 *
 * Requests an output as a result. Other nodes may use it too.
 */
void armilla_flow_ask (ArmillaFlow *flow, const char *name);

/**
 * armilla_flow_check:
 * @flow: a workflow
 * @failure: (nullable): set on failure
 *
 * Validates the workflow and checks that its input files exist, like `armilla check`.
 *
 * Returns: %ARMILLA_STATUS_ARGUMENT for an error in the workflow,
 *   %ARMILLA_STATUS_FILE for a missing file
 */
ArmillaStatus armilla_flow_check (ArmillaFlow *flow, ArmillaFailure *failure);

/**
 * armilla_flow_run:
 * @flow: a workflow
 * @session: the session whose workers compute; other threads wait meanwhile
 * @overwrite: whether files that exist may be replaced
 * @failure: (nullable): filled on failure
 *
 * Runs all realisations. Afterwards armilla_flow_result() returns the requested outputs. A run that
 * fails has no results and leaves no incomplete files. Another thread can stop it by
 * armilla_session_cancel(). Collective if the session has a communicator.
 *
 * Returns: the status; armilla_flow_problem() has the full text
 */
ArmillaStatus armilla_flow_run (ArmillaFlow *flow, ArmillaSession *session, int overwrite,
                                ArmillaFailure *failure);

/**
 * armilla_flow_progress:
 * @flow: a workflow
 * @progress: (out caller-allocates): progress of its run, or of its last run if it has ended
 *
 * Reports the progress of a run. May be called by any thread, also while another one runs the
 * workflow. Never waits for the run.
 */
void armilla_flow_progress (ArmillaFlow *flow, ArmillaFlowProgress *progress);

/**
 * armilla_flow_problem:
 * @flow: a workflow
 *
 * Returns: (transfer none): all errors of the last call, one per line, of any
 *   length; "" if there were none
 */
const char *armilla_flow_problem (const ArmillaFlow *flow);

/**
 * armilla_flow_n_results:
 * @flow: a workflow
 *
 * Returns: number of results of the last run: the requested ones of each realisation
 */
int64_t armilla_flow_n_results (const ArmillaFlow *flow);

/**
 * armilla_flow_result:
 * @flow: a workflow
 * @number: number of a result, from 0 on
 *
 * Returns: (transfer full) (nullable): the result; %NULL if there is none with that number, or if
 *   it was returned before
 */
ArmillaResult *armilla_flow_result (ArmillaFlow *flow, int64_t number);

/**
 * armilla_flow_free:
 * @flow: (transfer full) (nullable): a workflow; results that the caller has not taken are freed
 *   too
 */
void armilla_flow_free (ArmillaFlow *flow);

/**
 * armilla_result_free:
 * @result: (transfer full) (nullable): a result; the data that it points to are freed too
 */
void armilla_result_free (ArmillaResult *result);

/**
 * ArmillaStageRole:
 * @ARMILLA_STAGE_INPUT: data that the stage reads
 * @ARMILLA_STAGE_OUTPUT: data that the stage computes
 * @ARMILLA_STAGE_PROPERTY: a value that the user may set
 *
 * Kinds of parts of a stage.
 */
typedef enum {
  ARMILLA_STAGE_INPUT,
  ARMILLA_STAGE_OUTPUT,
  ARMILLA_STAGE_PROPERTY
} ArmillaStageRole;

/**
 * ArmillaStagePart:
 * @role: kind of part
 * @name: name of the part, a key of workflow files
 * @type: of inputs and outputs the kind of data: "map", "alm", "cl", "table", "catalogue",
 *   "matrix", "any", "as the input", or a kind that a module defines; of properties "whole number",
 *   "number", "angle", "size", "time", "choice", "boolean", "text" or "list of texts"
 * @units: units that are accepted for a property, separated by ", "; "" if it has none
 * @range: accepted values of a property, "0 to 1000"; of a choice its words, separated by ", "; ""
 *   if any text is accepted
 * @initial: (nullable): default of a property, in the syntax of workflow files
 * @blurb: description of the part
 * @old: (nullable): former name of an input, which is accepted for one release
 * @optional: whether it may be left out
 *
 * An input, an output or a property of a stage.
 */
typedef struct {
  ArmillaStageRole role;
  const char *name, *type, *units, *range, *initial, *blurb, *old;
  int optional;
} ArmillaStagePart;

/**
 * ArmillaStageInfo:
 * @name: name of the stage in workflow files
 * @summary: summary in one line without a full stop
 * @description: (nullable): longer description
 * @reference: (nullable): paper and equation
 * @example: (nullable): keys of an example, in the syntax of armilla_stage_set_example()
 * @renamed: (nullable): present name of the stage, if @name is a former one, which is accepted for
 *   one release
 * @origin: the module that defines the stage, or the file that defines the short form
 * @gathers: whether the stage reads its inputs in every realisation, and runs once for all
 *   realisations
 * @joins: whether the stage reads its inputs at every point of a sweep, and runs once for all
 *   points
 * @n_parts: number of inputs, outputs and properties
 * @parts: (array length=n_parts): inputs, then outputs, then properties, in the order of the stage
 *
 * Description of a stage, or of a short form of several.
 */
typedef struct {
  const char *name, *summary, *description, *reference, *example, *renamed, *origin;
  int gathers, joins;
  int n_parts;
  const ArmillaStagePart *parts;
} ArmillaStageInfo;

/**
 * ArmillaStages:
 *
 * Descriptions of all stages and short forms. Immutable; any number of threads may read it.
 */
typedef struct ArmillaStages ArmillaStages;

/**
 * armilla_stages_new:
 * @stages: (out) (transfer full): descriptions of all stages
 * @failure: (nullable): filled on failure
 *
 * Loads the modules that belong to Armilla, and those of the folders in the environment variable
 * ARMILLA_PLUGIN_PATH, and describes their stages and the short forms.
 *
 * Returns: %ARMILLA_STATUS_FILE if a folder of modules cannot be read
 */
ArmillaStatus armilla_stages_new (ArmillaStages **stages, ArmillaFailure *failure);

/**
 * armilla_stages_free:
 * @stages: (transfer full) (nullable): descriptions, invalid afterwards
 */
void armilla_stages_free (ArmillaStages *stages);

/**
 * armilla_stages_get:
 * @stages: descriptions of all stages
 * @number: number of a stage: stages from 0 on in the order of their names, then short forms,
 *   then former names
 *
 * Returns: (transfer none) (nullable): the description; %NULL beyond the last one
 */
const ArmillaStageInfo *armilla_stages_get (const ArmillaStages *stages, int number);

/**
 * armilla_stages_find:
 * @stages: descriptions of all stages
 * @name: name of a stage in workflow files
 *
 * Returns: (transfer none) (nullable): the description; %NULL if there is no such stage
 */
const ArmillaStageInfo *armilla_stages_find (const ArmillaStages *stages, const char *name);

/**
 * armilla_stages_warnings:
 * @stages: descriptions of all stages
 *
 * Returns: (transfer none): a line for each module that could not be loaded; "" if all could
 */
const char *armilla_stages_warnings (const ArmillaStages *stages);

typedef struct ArmillaStageCall ArmillaStageCall;

/**
 * ArmillaStageArgument:
 * @name: name of an input or a property in workflow files
 * @value: (nullable): value of a property in the syntax of workflow files: "4.7 arcmin", except
 *   that `${}` and backslashes have no special meaning
 * @inputs: (nullable) (array length=n_inputs): data of an input
 * @n_inputs: 1; or the number of realisations or points, for a stage that gathers or joins; or the
 *   number of runs, for any other stage. Every input has either one array or this number of arrays
 * @call: (nullable): the call whose output is the input: for data that cannot be passed as arrays,
 *   and to run several stages in one graph of tasks
 * @output: (nullable): name of the output of @call to take; %NULL for the first one
 *
 * An argument of a call. Exactly one of @value, @inputs and @call is set.
 */
typedef struct {
  const char *name;
  const char *value;
  const ArmillaFlowInput *inputs;
  int n_inputs;
  const ArmillaStageCall *call;
  const char *output;
} ArmillaStageArgument;

/**
 * ArmillaStageCall:
 * @stage: name of the stage or short form
 * @n_arguments: number of arguments
 * @arguments: (array length=n_arguments): arguments
 *
 * A call of a stage.
 */
struct ArmillaStageCall {
  const char *stage;
  int n_arguments;
  const ArmillaStageArgument *arguments;
};

/**
 * armilla_stage_flow:
 * @call: a call; texts are copied, arrays are read in place by each run
 * @outputs: (nullable) (array zero-terminated=1): names of the outputs to compute; %NULL: the first
 *   one, if the stage has outputs
 * @flow: (out) (transfer full): the call as a workflow
 * @failure: (nullable): filled on failure
 *
 * Converts a call to a workflow, for armilla_flow_check() and armilla_flow_run(). The names of
 * results are those of the outputs. A line of armilla_flow_problem() about an argument begins with
 * "STAGE: ARGUMENT: ".
 *
 * Returns: %ARMILLA_STATUS_ARGUMENT if the stage, an argument or an output does not exist, or if
 *   the shape of an array contradicts its structure
 */
ArmillaStatus armilla_stage_flow (const ArmillaStageCall *call, const char *const *outputs,
                                  ArmillaFlow **flow, ArmillaFailure *failure);

/**
 * armilla_stage_call:
 * @session: the session whose workers compute
 * @call: a call
 * @outputs: (nullable) (array zero-terminated=1): as for armilla_stage_flow()
 * @results: (out caller-allocates) (transfer full) (array): a result for each output, or for the
 *   first one if @outputs is %NULL; all %NULL on failure. If a stage runs several times, the
 *   results of the first run are first. May be %NULL for a stage without outputs
 * @failure: (nullable): filled on failure
 *
 * Calls a stage as a function: the session runs it on the caller's arrays. Existing files are not
 * replaced. Collective if the session has a communicator. The bits are those of a workflow file
 * with the same values.
 *
 * Returns: the status, as for armilla_stage_flow() and armilla_flow_run()
 */
ArmillaStatus armilla_stage_call (ArmillaSession *session, const ArmillaStageCall *call,
                                  const char *const *outputs, ArmillaResult **results,
                                  ArmillaFailure *failure);

#ifdef __cplusplus
}
#endif
