/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Catalogues as data passed between nodes. The thread that prepares and builds stages calls these
 * functions, on every rank in the same order. */
#pragma once

#include <armilla/catalogue.h>
#include <armilla/graph.h>
#include <armilla/table-data.h>

G_BEGIN_DECLS

/**
 * ArmillaObjects:
 *
 * Port type "catalogue": objects on the sphere. Every rank holds all objects. Their parts are known
 * from the beginning, the objects themselves after the graph has executed the job that produces
 * them.
 */
#define ARMILLA_TYPE_OBJECTS (armilla_objects_get_type ())
G_DECLARE_FINAL_TYPE (ArmillaObjects, armilla_objects, ARMILLA, OBJECTS, ArmillaData)

/**
 * armilla_objects_new:
 * @parts: parts of the catalogue in addition to positions
 *
 * Describes a catalogue before its objects are known.
 *
 * Returns: (transfer full): the objects, without a catalogue
 */
ArmillaObjects *armilla_objects_new (ArmillaCatalogueParts parts);

/**
 * armilla_objects_set_catalogue:
 * @self: objects
 * @catalogue: (transfer none): the catalogue, with the parts that @self was described with
 *
 * Sets the catalogue, the same on every rank. Called in an #ArmillaHostMake on every
 * rank.
 */
void armilla_objects_set_catalogue (ArmillaObjects *self, ArmillaCatalogue *catalogue);

G_END_DECLS
