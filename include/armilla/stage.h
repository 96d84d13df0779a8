/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages and modules: the interface between plugins and the program. A class is made and a stage is
 * prepared and built in one thread, on every rank alike. */
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
 * @ARMILLA_PORT_IN: takes data
 * @ARMILLA_PORT_OUT: gives data
 * @ARMILLA_PORT_OPTIONAL: may stay unconnected (inputs only)
 * @ARMILLA_PORT_AS_INPUT: gives data of the kind of the first input that is connected (outputs
 *   only); @get_type of the port is that of all kinds that it may be
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
 * @flags: direction
 * @blurb: description of the data, with shape and unit
 */
typedef struct {
  const char *name;
  GType (*get_type) (void);
  ArmillaPortFlags flags;
  const char *blurb;
} ArmillaPort;

/* Inputs, or outputs, that a stage may have. */
#define ARMILLA_STAGE_MAX_PORTS 32

/* The GType of stages. */
#define ARMILLA_TYPE_STAGE (armilla_stage_get_type ())
G_DECLARE_DERIVABLE_TYPE (ArmillaStage, armilla_stage, ARMILLA, STAGE, GObject)

/**
 * ArmillaStageContext:
 * @index: number of the realisation; a stage whose outputs depend on it has @draws of its class set
 * @n_ranks: ranks of the run
 * @rank: this rank; -1 in a plan, where no rank writes anything
 * @program: program name and version, for HISTORY
 * @workflow: path of the workflow file
 * @workflow_text: its text
 * @overwrite: whether existing outputs may be replaced
 * @memory: bytes of the machine's memory that a node may take; 0 if unknown
 * @spills: whether tiles of maps and a_lm go to a disk where they do not fit into a bound
 * @used: bit i: output number i is connected; an output that is not may stay %NULL
 * @collected: (nullable): of a stage that has `gather`, once all realisations have been: what came
 *   of them. Its files are there when tasks run
 * @points: (nullable): of a stage that @joins points, once all have been: a row for each, in their
 *   order, and a column for each key that is swept
 * @sources: (nullable): by input, the name of the node it is connected to; %NULL where it is not
 * @kept: what stages keep from one realisation for the next: contents of files, grids; what
 *   varies from realisation to realisation only while it is little. For the stages of the library
 *
 * What a stage may want to know of the run while it is prepared.
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
 * @summary: one line
 * @description: (nullable): more
 * @reference: (nullable): paper and equation
 * @ports: table ended by a NULL name
 * @prepare: checks properties and inputs, opens files, and describes the outputs: inputs come in
 *   the order of the IN ports of @ports (NULL where unconnected), outputs are to be made in the
 *   order of the OUT ports. No task is submitted. Runs on every rank, once for each object
 *   unless it is @reusable.
 * @build: submits the tasks. Same objects as in prepare. Runs on every rank in the same order;
 *   must not depend on data values that differ between ranks. The runner drops the stage and its
 *   inputs once all their consumers are built: what an I/O thread needs later must be given to the
 *   graph as user data that owns it (g_object_ref() of the stage with g_object_unref() as destroy).
 * @transforms: (nullable): transforms that @build will request, from the properties alone: called
 *   before @prepare. The tiling is tuned for graphs with one direction only. %NULL: none
 * @memory: (nullable): called after @prepare: maximum bytes that @build will have allocated beside
 * the
 *   tiles of its outputs and inputs, which are known: for catalogues, histograms, pictures; and,
 *   unless @spills of the context is set, for tiles of intermediate data. A node that exceeds the
 *   memory is rejected before the first task
 * @gather: (nullable): of a stage that collects over realisations: called once a realisation, in
 *   their order, after what gives its inputs was submitted; asks for armilla_graph_collect() of
 *   them. @build is called once, after the last realisation, with inputs that are only described,
 *   and so is what depends on its outputs. What it takes follows from its inputs and from which
 *   outputs are connected, not from its properties: a run that is resumed takes what an earlier one
 *   has kept. %NULL: the stage is built for each realisation
 * @joins: whether @gather is called once for each point of a sweep instead of for each realisation,
 *   with what is there after the last realisation of the point, and @build after the last point
 * @draws: whether what the stage gives depends on the number of the realisation, also where no
 *   property does, as that of random numbers. A stage that does not is made once for all
 *   realisations where its properties and inputs are the same
 * @reusable: whether @prepare may be called again for the same object, which then describes further
 *   outputs, while what @build has submitted before still runs: for a stage that opens files and
 *   keeps them, so that each is opened once for all realisations in which its properties are the
 *   same
 *
 * A kind of node. Everything that a user may ask about it is in its class: ports here, properties
 * as GParamSpecs with range, default, blurb and, by armilla_param_spec_quantity(), a unit.
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
 * @Type: name of the object's structure, of which struct _Type is defined above; its first member
 *   is ArmillaStage parent_instance, and it is zero before properties have their defaults
 * @type: the same in lower case; type_class_init() must be defined
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
 * @ARMILLA_PROPERTY_FILE_OR_NSIDE: text that names such a file, unless it is empty, an nside in
 *   digits, or begins with the word "compute": something that HEALPix has for each nside
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
 * @least: minimum of integers; of unsigned 64-bit ones the same bits
 * @most: maximum, likewise
 * @whole: default of integers, booleans and enumerations
 * @minimum: of doubles, in the base unit of @dimension
 * @maximum: likewise
 * @real: default of doubles
 * @text: (nullable): default of a text
 * @words: words of an enumeration in workflow files, for each value from 0 on, ended by %NULL
 * @dimension: dimension of the unit of doubles
 *
 * Type, range, default and position of a property; made by ARMILLA_BOOLEAN() and the other macros.
 */
typedef struct {
  GType type;
  gsize offset;
  gint64 least, most, whole;
  double minimum, maximum, real;
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
 * Where the member is in the structure, bytes; what ARMILLA_BOOLEAN() and its like are made of.
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
             .least = (low), .most = (high), .whole = (initial) }

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
             .least = (low), .most = (high), .whole = (initial) }

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
             .least = (gint64) (low), .most = (gint64) (high), .whole = (gint64) (initial) }

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
 * @what: what the unit must be that a workflow file gives, an #ArmillaDimension
 * @low: smallest value, in the base unit
 * @high: largest value, in the base unit
 * @initial: default, in the base unit
 *
 * The value of an #ArmillaProperty.
 */
#define ARMILLA_QUANTITY(Type, member, what, low, high, initial) \
  .value = { .type = G_TYPE_DOUBLE, .offset = ARMILLA_MEMBER (Type, member, double), \
             .minimum = (low), .maximum = (high), .real = (initial), .dimension = (what) }

/**
 * ARMILLA_ENUM:
 * @Type: structure of the object, or of a part of it
 * @member: its member, an enumeration of the size of int
 * @said: static array of what a workflow file says for each of its values from 0 on, "" for those
 *   that it cannot have; ended by %NULL
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
 * @member: its member, a char *, which the object owns; never NULL unless the default is
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
 * Gives the stage an example for its documentation in Python. The values of inputs are names of
 * samples (`armilla.samples`); a required input that the text does not name has the sample of its
 * kind. Text such as "[write-map]; file = map.fits; [read-map]; file = map.fits" has several stages
 * run. Not needed if the stage runs with samples and defaults.
 */
void armilla_stage_set_example (ArmillaStageClass *klass, const char *text);

/**
 * armilla_stage_given:
 * @stage: (type GObject): a stage
 * @property: name of a property of armilla_stage_install()
 *
 * Returns: whether it was set, even to its default
 */
gboolean armilla_stage_given (gpointer stage, const char *property);

/**
 * ARMILLA_STAGE_OWNS:
 * @klass: class of a stage, in its class_init
 * @Type: structure of the object
 * @member: its member, a pointer
 * @destroy: frees what that points to
 *
 * Like armilla_stage_own(), by the name of the member.
 */
#define ARMILLA_STAGE_OWNS(klass, Type, member, destroy) \
  armilla_stage_own (klass, G_STRUCT_OFFSET (Type, member), (GDestroyNotify) (destroy))

/**
 * armilla_param_spec_quantity:
 * @name: (transfer none): name of the property, a static string
 * @blurb: (transfer none): what it is, a static string
 * @dimension: what the unit must be
 * @minimum: smallest value, in the base unit of @dimension
 * @maximum: largest value, in the base unit of @dimension
 * @default_value: default, in the base unit of @dimension
 *
 * Makes a property of type double that takes a number with a unit in a workflow file
 * ("4.7 arcmin"). The object sees it in the base unit: radian, byte or second.
 *
 * Returns: (transfer floating): a GParamSpecDouble
 */
GParamSpec *armilla_param_spec_quantity (const char *name, const char *blurb,
                                         ArmillaDimension dimension, double minimum,
                                         double maximum, double default_value);

/* Flags of every property of a stage: it is set and read by name, at any time. */
#define ARMILLA_PARAM_RW (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)

/**
 * ARMILLA_PLUGIN_ABI:
 *
 * Raised whenever this interface changes; a module with another number is refused.
 */
#define ARMILLA_PLUGIN_ABI 7

/**
 * ArmillaPluginDesc:
 * @abi: ARMILLA_PLUGIN_ABI
 * @name: name of the family
 * @version: its version
 * @licence: its licence
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
 * @version: its version
 * @licence: its licence
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
 * they are prepared. Called by the thread that prepares. */

/**
 * armilla_stage_inherit:
 * @to: data made from @from
 * @from: (nullable): data
 *
 * Adds the notes of @from to @to; and gives a_lm without names of fields those of other a_lm.
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
 * @data: what will be written
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
 * Copies what a header says of the pixels' meaning: order for files, names, units, spins,
 * coordinates.
 */
void armilla_stage_copy_header (ArmillaMap *to, ArmillaMap *from);

/**
 * armilla_stage_copy_alm:
 * @from: a_lm
 * @layout: layout of the new ones
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
