/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Catalogues as data that flow between nodes. Called by the thread that prepares and builds, on
 * every rank alike and in the same order. */
#pragma once

#include <armilla/catalogue.h>
#include <armilla/graph.h>
#include <armilla/table-data.h>

G_BEGIN_DECLS

/**
 * ArmillaObjects:
 *
 * Port type "catalogue": objects on the sphere. Every rank has all of them. What parts they have is
 * known from the beginning, the objects themselves when the graph has come to the job that makes
 * them.
 */
#define ARMILLA_TYPE_OBJECTS (armilla_objects_get_type ())
G_DECLARE_FINAL_TYPE (ArmillaObjects, armilla_objects, ARMILLA, OBJECTS, ArmillaData)

/**
 * armilla_objects_new:
 * @parts: what the objects have beyond positions
 *
 * Describes objects.
 *
 * Returns: (transfer full): the objects, without a catalogue
 */
ArmillaObjects *armilla_objects_new (ArmillaCatalogueParts parts);

/**
 * armilla_objects_set_catalogue:
 * @self: objects
 * @catalogue: (transfer none): the catalogue, with the parts that @self was described with
 *
 * Sets the catalogue, the same on every rank. Called in an #ArmillaHostVisit.
 */
void armilla_objects_set_catalogue (ArmillaObjects *self, ArmillaCatalogue *catalogue);

/**
 * ArmillaHostObjects:
 * @user: what the caller gave
 * @error: where to put an error
 *
 * Makes a catalogue. Called on every rank, which must all make the same.
 *
 * Returns: (transfer full) (nullable): the objects; %NULL with @error set fails the run
 */
typedef ArmillaCatalogue *(*ArmillaHostObjects) (gpointer user, GError **error);

/**
 * armilla_graph_fill_objects:
 * @graph: a graph
 * @objects: objects; written
 * @fill: makes them; called on every rank
 * @user: for @fill
 * @destroy: (nullable): frees @user
 * @error: return location
 *
 * Asks for a catalogue. What is counted later is cut into tasks by what is in it, so that it is
 * made while the graph is submitted, not by a task.
 *
 * Returns: %TRUE
 */
gboolean armilla_graph_fill_objects (ArmillaGraph *graph, ArmillaObjects *objects,
                                     ArmillaHostObjects fill, gpointer user,
                                     GDestroyNotify destroy, GError **error);

/**
 * ArmillaHostVisit:
 * @user: what the caller gave
 * @catalogues: (array): the objects; %NULL where there were none
 * @error: where to put an error
 *
 * Called on every rank while the graph is submitted; must do the same on all.
 *
 * Returns: FALSE with @error set fails the run
 */
typedef gboolean (*ArmillaHostVisit) (gpointer user, ArmillaCatalogue *const *catalogues,
                                      GError **error);

/**
 * armilla_graph_visit_objects:
 * @graph: a graph
 * @objects: (array length=n): what to look at; %NULL in the place of none
 * @n: how many, at most 8
 * @visit: called once on every rank, when the objects are there
 * @user: for @visit
 * @destroy: (nullable): frees @user
 * @error: return location
 *
 * Looks at objects while the graph is submitted, before what is asked for after it. @visit may give
 * other objects their catalogues, with armilla_objects_set_catalogue(): that is how a stage makes
 * one catalogue of another.
 *
 * Returns: whether there are not too many; %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean armilla_graph_visit_objects (ArmillaGraph *graph, ArmillaObjects *const *objects, int n,
                                      ArmillaHostVisit visit, gpointer user,
                                      GDestroyNotify destroy, GError **error);

G_END_DECLS
