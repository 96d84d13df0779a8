/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages and modules: the interface between plugins and the program. One thread initialises
 * classes, and prepares and builds stages, on every rank in the same order. */
#pragma once

#include <glib-object.h>
#include <gmodule.h>

#include <armilla/checkpoint.h>
#include <armilla/data.h>
#include <armilla/harmonic.h>
#include <armilla/quantity.h>

G_BEGIN_DECLS

/**
 * ArmillaPortFlags:
 * @ARMILLA_PORT_IN: input
 * @ARMILLA_PORT_OUT: output
 * @ARMILLA_PORT_OPTIONAL: may stay unconnected (inputs only)
 * @ARMILLA_PORT_AS_INPUT: the data are of the kind of the first connected input (outputs only);
 *   @get_type of the port returns a common base type of all these kinds
 */
typedef enum {
  ARMILLA_PORT_IN = 1 << 0,
  ARMILLA_PORT_OUT = 1 << 1,
  ARMILLA_PORT_OPTIONAL = 1 << 2,
  ARMILLA_PORT_AS_INPUT = 1 << 3
} ArmillaPortFlags;

/**
 * ArmillaPort:
 * @name: name of the port, NULL ends a table
 * @get_type: GType of the data, e.g. armilla_map_get_type
 * @flags: direction, and whether the port is optional
 * @blurb: description of the data, with shape and unit
 */
typedef struct {
  const char *name;
  GType (*get_type) (void);
  ArmillaPortFlags flags;
  const char *blurb;
} ArmillaPort;

/* Maximum number of inputs, and of outputs, of a stage. */
#define ARMILLA_STAGE_MAX_PORTS 64

/* The GType of stages. */
#define ARMILLA_TYPE_STAGE (armilla_stage_get_type ())
G_DECLARE_DERIVABLE_TYPE (ArmillaStage, armilla_stage, ARMILLA, STAGE, GObject)

/**
 * ArmillaStageContext:
 * @index: number of the realisation; a stage whose outputs depend on it must set @draws of its
 *   class
 * @n_ranks: number of ranks of the run
 * @rank: number of this rank; -1 in a plan, in which no rank writes anything
 * @program: program name and version, for HISTORY
 * @workflow: path of the workflow file
 * @workflow_text: text of the workflow file
 * @overwrite: whether existing outputs may be replaced
 * @memory: bytes of the machine's memory that a node may take; 0 if unknown
 * @spills: whether tiles of maps and a_lm are written to a disk if they exceed the memory limit
 * @used: bit i is set if output number i is connected; other outputs may remain %NULL
 * @collected: (nullable): for a stage with @gather, after the last realisation: the collected data.
 *   Their files exist when tasks run
 * @points: (nullable): for a stage with @joins, after the last point: a table with a row per point,
 *   in their order, and a column per swept key
 * @sources: (nullable): for each input the name of the node to which it is connected; %NULL if it
 *   is not connected
 * @kept: data that stages reuse in the next realisation: contents of files, grids; data that differ
 *   between realisations only if they are small. For the stages of the library
 *
 * Description of the run for a stage that is being prepared.
 */
typedef struct {
  gint64 index;
  int n_ranks, rank;
  const char *program;
  const char *workflow;
  const char *workflow_text;
  gboolean overwrite;
  double memory;
  gboolean spills;
  guint32 used;
  ArmillaCollected *collected;
  const ArmillaTable *points;
  const char *const *sources;
  GHashTable *kept;
} ArmillaStageContext;

/**
 * ArmillaStageClass:
 * @nick: the stage's name in workflow files
 * @summary: summary in one line
 * @description: (nullable): longer description
 * @reference: (nullable): paper and equation that the stage implements
 * @ports: table ended by a NULL name
 * @prepare: checks properties and inputs, opens files, and describes the outputs. Inputs are in the
 *   order of the IN ports of @ports (NULL if unconnected); outputs must be created in the order of
 *   the OUT ports. Submits no task. Runs on every rank, once per object unless @reusable is set
 * @build: requests the tasks, for the same objects as in @prepare. Runs on every rank in the same
 *   order; must not depend on data values that differ between ranks. The runner drops its
 *   references to the stage and its inputs when all their consumers are built, so objects that an
 *   I/O thread needs later must be passed to the graph as user data that own them (g_object_ref()
 *   of the stage with g_object_unref() as destroy)
 * @transforms: (nullable): transforms that @build will request, from the properties alone: called
 *   before @prepare. The tiling is tuned for graphs with one direction only. %NULL: none
 * @memory: (nullable): called after @prepare: maximum bytes that the stage allocates in addition to
 *   the tiles of its inputs and outputs, which are known: for catalogues, histograms, pictures;
 *   and, unless @spills of the context is set, for tiles of intermediate data. A node that exceeds
 *   the memory is rejected before the first task
 * @gather: (nullable): for a stage that collects over realisations: called once per realisation, in
 *   their order, after the producers of its inputs were submitted; calls armilla_graph_collect()
 *   for the inputs. @build, and that of the stages that depend on its outputs, is called once,
 *   after the last realisation, with inputs that are only described. The collected statistics must
 *   depend only on the inputs and on which outputs are connected, not on properties, because a
 *   resumed run uses those that an earlier run stored. %NULL: the stage is built for each
 *   realisation
 * @joins: whether @gather is called once per point of a sweep instead of once per realisation, with
 *   the data that exist after the last realisation of the point, and @build after the last point
 * @draws: whether the outputs depend on the number of the realisation even if the properties do
 *   not, as with random numbers. Other stages run once for all realisations in which their
 *   properties and inputs are the same
 * @reusable: whether @prepare may be called again for the same object, to describe further outputs,
 *   while tasks of an earlier @build still run: for a stage that keeps its files open, so that each
 *   file is opened once for all realisations in which its properties are the same
 *
 * The class describes a stage completely: ports are listed here; properties are GParamSpecs with
 * range, default, blurb and, if made by armilla_param_spec_quantity(), a unit.
 */
struct _ArmillaStageClass {
  GObjectClass parent_class;
  const char *nick;
  const char *summary;
  const char *description;
  const char *reference;
  const ArmillaPort *ports;
  gboolean (*prepare) (ArmillaStage *self, const ArmillaStageContext *context,
                       ArmillaData *const *inputs, ArmillaData **outputs, GError **error);
  gboolean (*build) (ArmillaStage *self, ArmillaGraph *graph, ArmillaData *const *inputs,
                     ArmillaData *const *outputs, GError **error);
  ArmillaTransforms (*transforms) (ArmillaStage *self);
  double (*memory) (ArmillaStage *self, ArmillaData *const *inputs,
                    ArmillaData *const *outputs);
  gboolean (*gather) (ArmillaStage *self, ArmillaGraph *graph, ArmillaData *const *inputs,
                      ArmillaLot *lot, GError **error);
  gboolean joins;
  gboolean draws;
  gboolean reusable;
};

/**
 * ARMILLA_DEFINE_STAGE:
 * @Type: name of the object's structure; struct _Type must be defined before; its first member is
 *   ArmillaStage parent_instance. Objects are zeroed before properties get their defaults
 * @type: the same name in lower case; type_class_init() must be defined
 * @MODULE: first part of the name of the macro that casts
 * @NAME: rest of that name
 *
 * Declares and defines a type of stage: type_get_type() and MODULE_NAME().
 */
#define ARMILLA_DEFINE_STAGE(Type, type, MODULE, NAME) \
  G_DECLARE_FINAL_TYPE (Type, type, MODULE, NAME, ArmillaStage) \
  G_DEFINE_FINAL_TYPE (Type, type, ARMILLA_TYPE_STAGE) \
  static void type##_init (Type *self) { (void) self; }

/**
 * ArmillaPropertyFlags:
 * @ARMILLA_PROPERTY_REQUIRED: a workflow file must set it: there is no sensible default
 * @ARMILLA_PROPERTY_INPUT_FILE: name of a file that must exist before the run, unless
 *   it is empty
 * @ARMILLA_PROPERTY_FILE_OR_NSIDE: name of such a file, unless the text is empty, an nside in
 *   digits, or begins with the word "compute": for weights and windows, which HEALPix has for each
 *   nside
 */
typedef enum {
  ARMILLA_PROPERTY_REQUIRED = 1 << 0,
  ARMILLA_PROPERTY_INPUT_FILE = 1 << 1,
  ARMILLA_PROPERTY_FILE_OR_NSIDE = 1 << 2
} ArmillaPropertyFlags;

/**
 * ArmillaPropertyValue:
 * @type: fundamental type of the property
 * @offset: position of the value in the object
 * @min_whole: minimum of integers; of unsigned 64-bit ones the same bits
 * @max_whole: maximum of integers; of unsigned 64-bit ones the same bits
 * @whole: default of integers, booleans and enumerations
 * @min_real: of doubles, in the base unit of @dimension
 * @max_real: of doubles, in the base unit of @dimension
 * @real: default of doubles
 * @text: (nullable): default of a text
 * @words: words of an enumeration in workflow files, for each value from 0 on, ended by %NULL
 * @dimension: dimension of the unit of doubles
 *
 * Type, range, default and position of a property; initialised by ARMILLA_BOOLEAN() and the other
 * macros.
 */
typedef struct {
  GType type;
  gsize offset;
  gint64 min_whole, max_whole, whole;
  double min_real, max_real, real;
  const char *text;
  const char *const *words;
  ArmillaDimension dimension;
} ArmillaPropertyValue;

/**
 * ArmillaProperty:
 * @name: name of the property, a key of workflow files
 * @value: type, range, default and position: one of the macros below
 * @blurb: description, one sentence
 * @flags: further attributes
 *
 * Description of a property, in a static table:
 *
 * |[ static const ArmillaProperty properties[] = {
 *   { "fwhm", ARMILLA_QUANTITY (Smooth, fwhm, ARMILLA_DIMENSION_ANGLE, 0, G_PI, 0), "width" },
 *   { "file", ARMILLA_TEXT (Smooth, file, NULL), "name of a file", ARMILLA_PROPERTY_REQUIRED }, };
 *   ]|
 */
typedef struct {
  const char *name;
  ArmillaPropertyValue value;
  const char *blurb;
  ArmillaPropertyFlags flags;
} ArmillaProperty;

/**
 * ARMILLA_MEMBER:
 * @Type: a structure
 * @member: its member
 * @ctype: the type that the member must have; with another one, it does not compile
 *
 * Position of the member in the structure, bytes; used by ARMILLA_BOOLEAN() and the other macros.
 */
#define ARMILLA_MEMBER(Type, member, ctype) \
  _Generic (&((Type *) NULL)->member, ctype *: G_STRUCT_OFFSET (Type, member))

/**
 * ARMILLA_BOOLEAN:
 * @Type: structure of the object, or of a part of it
 * @member: its member, a gboolean
 * @initial: default
 *
 * The value of an #ArmillaProperty.
 */
#define ARMILLA_BOOLEAN(Type, member, initial) \
  .value = { .type = G_TYPE_BOOLEAN, .offset = ARMILLA_MEMBER (Type, member, gboolean), \
             .whole = (initial) }

/**
 * ARMILLA_INT:
 * @Type: structure of the object, or of a part of it
 * @member: its member, an int
 * @low: smallest value
 * @high: largest value
 * @initial: default
 *
 * The value of an #ArmillaProperty.
 */
#define ARMILLA_INT(Type, member, low, high, initial) \
  .value = { .type = G_TYPE_INT, .offset = ARMILLA_MEMBER (Type, member, int), \
             .min_whole = (low), .max_whole = (high), .whole = (initial) }

/**
 * ARMILLA_INT64:
 * @Type: structure of the object, or of a part of it
 * @member: its member, a gint64
 * @low: smallest value
 * @high: largest value
 * @initial: default
 *
 * The value of an #ArmillaProperty.
 */
#define ARMILLA_INT64(Type, member, low, high, initial) \
  .value = { .type = G_TYPE_INT64, .offset = ARMILLA_MEMBER (Type, member, gint64), \
             .min_whole = (low), .max_whole = (high), .whole = (initial) }

/**
 * ARMILLA_UINT64:
 * @Type: structure of the object, or of a part of it
 * @member: its member, a guint64
 * @low: smallest value
 * @high: largest value
 * @initial: default
 *
 * The value of an #ArmillaProperty.
 */
#define ARMILLA_UINT64(Type, member, low, high, initial) \
  .value = { .type = G_TYPE_UINT64, .offset = ARMILLA_MEMBER (Type, member, guint64), \
             .min_whole = (gint64) (low), .max_whole = (gint64) (high), \
             .whole = (gint64) (initial) }

/**
 * ARMILLA_DOUBLE:
 * @Type: structure of the object, or of a part of it
 * @member: its member, a double
 * @low: smallest value
 * @high: largest value
 * @initial: default
 *
 * The value of an #ArmillaProperty.
 */
#define ARMILLA_DOUBLE(Type, member, low, high, initial) \
  ARMILLA_QUANTITY (Type, member, ARMILLA_DIMENSION_NONE, low, high, initial)

/**
 * ARMILLA_QUANTITY:
 * @Type: structure of the object, or of a part of it
 * @member: its member, a double, in the base unit: radian, byte or second
 * @what: dimension of the unit that workflow files must use, an #ArmillaDimension
 * @low: smallest value, in the base unit
 * @high: largest value, in the base unit
 * @initial: default, in the base unit
 *
 * The value of an #ArmillaProperty.
 */
#define ARMILLA_QUANTITY(Type, member, what, low, high, initial) \
  .value = { .type = G_TYPE_DOUBLE, .offset = ARMILLA_MEMBER (Type, member, double), \
             .min_real = (low), .max_real = (high), .real = (initial), .dimension = (what) }

/**
 * ARMILLA_ENUM:
 * @Type: structure of the object, or of a part of it
 * @member: its member, an enumeration of the size of int
 * @said: static array of the words in workflow files for each value, from 0; "" for values that are
 *   not allowed; ended by %NULL
 * @initial: default
 *
 * The value of an #ArmillaProperty.
 */
#define ARMILLA_ENUM(Type, member, said, initial) \
  .value = { .type = G_TYPE_ENUM, .words = (said), .whole = (initial), \
             .offset = G_STRUCT_OFFSET (Type, member) \
                       + 0 / (sizeof (((Type *) NULL)->member) == sizeof (int)) }

/**
 * ARMILLA_TEXT:
 * @Type: structure of the object, or of a part of it
 * @member: its member, a char *, which the object owns; %NULL only if the default is %NULL
 * @initial: default, a static string or NULL
 *
 * The value of an #ArmillaProperty.
 */
#define ARMILLA_TEXT(Type, member, initial) \
  .value = { .type = G_TYPE_STRING, .offset = ARMILLA_MEMBER (Type, member, char *), \
             .text = (initial) }

/**
 * armilla_stage_install:
 * @klass: class of a stage, in its class_init, which sets no get_property or set_property
 * @part: position in the object of the structure whose members @properties name; 0 for the object
 * itself
 * @properties: (array length=n): static table
 * @n: number of properties, G_N_ELEMENTS (properties)
 *
 * Adds properties to the stage, in this order. They are initialised to their defaults and freed
 * automatically.
 */
void armilla_stage_install (ArmillaStageClass *klass, gsize part,
                            const ArmillaProperty *properties, gsize n);

/**
 * armilla_stage_own:
 * @klass: class of a stage, in its class_init
 * @offset: position of a pointer in the object, initially NULL
 * @destroy: frees the pointer
 *
 * Frees the pointer with the object, unless it is NULL.
 */
void armilla_stage_own (ArmillaStageClass *klass, gsize offset, GDestroyNotify destroy);

/**
 * armilla_stage_set_example:
 * @klass: class of a stage, in its class_init
 * @text: (transfer none): keys of an example as a workflow file has them, a static string,
 *   separated by ";": "map = iqu; lmax = 32"
 *
 * Sets the example of the stage in its Python documentation. The values of inputs are names of
 * samples (`armilla.samples`); a required input that the text does not name gets the sample of its
 * kind. Text such as "[write-map]; file = map.fits; [read-map]; file = map.fits" runs several
 * stages. Not needed if the stage runs with samples and defaults.
 */
void armilla_stage_set_example (ArmillaStageClass *klass, const char *text);

/**
 * armilla_stage_given:
 * @stage: (type GObject): a stage
 * @property: name of a property of armilla_stage_install()
 *
 * Returns: whether the property was set, even to its default
 */
gboolean armilla_stage_given (gpointer stage, const char *property);

/**
 * ARMILLA_STAGE_OWNS:
 * @klass: class of a stage, in its class_init
 * @Type: structure of the object
 * @member: its member, a pointer
 * @destroy: frees the pointer
 *
 * Like armilla_stage_own(), with the name of the member instead of its offset.
 */
#define ARMILLA_STAGE_OWNS(klass, Type, member, destroy) \
  armilla_stage_own (klass, G_STRUCT_OFFSET (Type, member), (GDestroyNotify) (destroy))

/**
 * armilla_param_spec_quantity:
 * @name: (transfer none): name of the property, a static string
 * @blurb: (transfer none): description, a static string
 * @dimension: dimension of the unit
 * @minimum: smallest value, in the base unit of @dimension
 * @maximum: largest value, in the base unit of @dimension
 * @default_value: default, in the base unit of @dimension
 *
 * Creates a property of type double whose value in a workflow file is a number with a unit ("4.7
 * arcmin"). The object gets it in the base unit: radian, byte or second.
 *
 * Returns: (transfer floating): a GParamSpecDouble
 */
GParamSpec *armilla_param_spec_quantity (const char *name, const char *blurb,
                                         ArmillaDimension dimension, double minimum,
                                         double maximum, double default_value);

/* Flags of every property of a stage: readable and writable at any time. */
#define ARMILLA_PARAM_RW (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)

/**
 * ARMILLA_PLUGIN_ABI:
 *
 * Raised whenever this interface changes; a module with a different number is rejected.
 */
#define ARMILLA_PLUGIN_ABI 7

/**
 * ArmillaPluginDesc:
 * @abi: ARMILLA_PLUGIN_ABI
 * @name: name of the family
 * @version: version of the family
 * @licence: licence of the family
 * @stage_types: (array zero-terminated=1): functions that give the stages' GTypes
 *
 * A module exports one of these as `armilla_plugin_desc`.
 */
typedef struct {
  guint abi;
  const char *name;
  const char *version;
  const char *licence;
  GType (*const *stage_types) (void);
} ArmillaPluginDesc;

/**
 * ARMILLA_DEFINE_PLUGIN:
 * @name: name of the family
 * @version: version of the family
 * @licence: licence of the family
 * @...: functions that give the stages' GTypes
 *
 * Defines what a module exports.
 */
#define ARMILLA_DEFINE_PLUGIN(name, version, licence, ...) \
  static GType (*const armilla_plugin_types[]) (void) = { __VA_ARGS__, NULL }; \
  extern const ArmillaPluginDesc armilla_plugin_desc; \
  const ArmillaPluginDesc armilla_plugin_desc \
    = { ARMILLA_PLUGIN_ABI, name, version, licence, armilla_plugin_types };

/* Lines for HISTORY, names of fields and headers, which stages copy from inputs to outputs while
 * they are prepared. The thread that prepares the stages calls these functions. */

/**
 * armilla_stage_inherit:
 * @to: data made from @from
 * @from: (nullable): data
 *
 * Appends the notes of @from to those of @to. If both are a_lm, and @to has no names of fields,
 * copies these too.
 */
void armilla_stage_inherit (ArmillaData *to, ArmillaData *from);

/**
 * armilla_stage_note:
 * @data: data
 * @format: a line for HISTORY of every file made from @data, as for printf()
 * @...: its arguments
 */
void armilla_stage_note (ArmillaData *data, const char *format, ...) G_GNUC_PRINTF (2, 3);

/**
 * armilla_stage_history:
 * @context: the run
 * @data: data that will be written
 *
 * Returns: (transfer full): lines for HISTORY: the program and its version, the notes of @data
 *   (seeds), the realisation, and the workflow with its text
 */
char **armilla_stage_history (const ArmillaStageContext *context, ArmillaData *data);

/**
 * armilla_stage_copy_header:
 * @to: a map with as many fields as @from
 * @from: a map
 *
 * Copies the members of the header that describe the pixels: order in files, names, units, spins,
 * coordinates.
 */
void armilla_stage_copy_header (ArmillaMap *to, ArmillaMap *from);

/**
 * armilla_stage_copy_alm:
 * @from: a_lm
 * @layout: layout of the returned a_lm
 *
 * Returns: (transfer full): a_lm with the fields, spins, unit, coordinates, field names and notes
 *   of @from
 */
ArmillaAlm *armilla_stage_copy_alm (ArmillaAlm *from, ArmillaAlmLayout layout);

/**
 * armilla_stage_set_names:
 * @header: a header
 * @names: (array length=header->fields.n): names to copy into it
 */
void armilla_stage_set_names (ArmillaMapHeader *header, const char *const *names);

/**
 * armilla_stage_set_unit:
 * @header: a header
 * @unit: (nullable): unit of every field
 */
void armilla_stage_set_unit (ArmillaMapHeader *header, const char *unit);

G_END_DECLS
