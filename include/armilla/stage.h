/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>
#include <gmodule.h>

#include <armilla/data.h>
#include <armilla/graph.h>
#include <armilla/quantity.h>

G_BEGIN_DECLS

/**
 * ArmillaPortFlags:
 * @ARMILLA_PORT_IN: takes data
 * @ARMILLA_PORT_OUT: gives data
 * @ARMILLA_PORT_OPTIONAL: may stay unconnected (inputs only)
 */
typedef enum {
  ARMILLA_PORT_IN = 1 << 0,
  ARMILLA_PORT_OUT = 1 << 1,
  ARMILLA_PORT_OPTIONAL = 1 << 2
} ArmillaPortFlags;

/**
 * ArmillaPort:
 * @name: name of the port, NULL ends a table
 * @get_type: GType of the data, e.g. armilla_map_get_type
 * @flags: direction
 * @blurb: what flows, with shape and unit
 */
typedef struct {
  const char *name;
  GType (*get_type) (void);
  ArmillaPortFlags flags;
  const char *blurb;
} ArmillaPort;

/* Inputs, or outputs, that a stage may have. */
#define ARMILLA_STAGE_MAX_PORTS 8

/* The GType of stages. */
#define ARMILLA_TYPE_STAGE (armilla_stage_get_type ())
G_DECLARE_DERIVABLE_TYPE (ArmillaStage, armilla_stage, ARMILLA, STAGE, GObject)

/**
 * ArmillaStageContext:
 * @index: number of the realisation
 * @n_ranks: ranks of the run
 * @rank: this rank; -1 in a plan, where no rank writes anything
 * @program: program name and version, for HISTORY
 * @workflow: path of the workflow file
 * @workflow_text: its text
 * @overwrite: whether existing outputs may be replaced
 * @memory: bytes that a node may take; 0 where nobody knows
 * @spills: whether tiles of maps and a_lm go to a disk where they do not fit into that
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
 *   order of the OUT ports. No task is submitted. Runs on every rank.
 * @build: submits the tasks. Same objects as in prepare. Runs on every rank in the same order;
 *   must not depend on data values that differ between ranks. The runner drops the stage and its
 *   inputs once all their consumers are built: what an I/O thread needs later must be given to the
 *   graph as user data that owns it (g_object_ref() of the stage with g_object_unref() as destroy).
 * @transforms: (nullable): which transforms @build will ask for, by the properties alone: nothing
 *   is prepared yet. A graph of one direction is cut as was found best for it. %NULL: none
 * @memory: (nullable): after @prepare, how many bytes @build will have allocated at once beside the
 *   tiles of maps, a_lm and spectra, which are known: catalogues, histograms, pictures. A node that
 *   no memory holds is refused before the first task
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
};

GParamSpec *armilla_param_spec_quantity (const char *name, const char *blurb,
                                         ArmillaDimension dimension, double minimum,
                                         double maximum, double default_value);
ArmillaDimension armilla_param_spec_dimension (GParamSpec *pspec);
GParamSpec *armilla_param_spec_required (GParamSpec *pspec);
gboolean armilla_param_spec_is_required (GParamSpec *pspec);
GParamSpec *armilla_param_spec_input_file (GParamSpec *pspec);
gboolean armilla_param_spec_is_input_file (GParamSpec *pspec);

/* Flags of every property of a stage: it is set and read by name, at any time. */
#define ARMILLA_PARAM_RW (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)

/**
 * ARMILLA_PLUGIN_ABI:
 *
 * Raised whenever this interface changes; a module with another number is refused.
 */
#define ARMILLA_PLUGIN_ABI 4

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

G_END_DECLS
