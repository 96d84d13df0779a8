/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "core/catalogues/catalogue.h"
#include "core/catalogues/estimator.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/objects.h"

enum { CATALOGUE, LIKE };

typedef enum { CUT, K_MEANS } Method;

struct _ArmillaAssignPatches {
  ArmillaStage parent_instance;
  int patches;
  Method method;
};

ARMILLA_DEFINE_STAGE (ArmillaAssignPatches, armilla_assign_patches, ARMILLA, ASSIGN_PATCHES)

static const ArmillaPort ports[] = {
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_IN, "the objects" },
  { "like", armilla_objects_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "a catalogue with patches: objects get the patch of the nearest centre" },
  { "out", armilla_objects_get_type, ARMILLA_PORT_OUT,
    "the objects, with all columns, and a column of patches" },
  { NULL, NULL, 0, NULL },
};

static gboolean
assign_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  const ArmillaAssignPatches *self = ARMILLA_ASSIGN_PATCHES (stage);
  ArmillaObjects *objects = ARMILLA_OBJECTS (inputs[CATALOGUE]);
  const ArmillaCatalogue *like
    = inputs[LIKE] != NULL ? armilla_objects_like (ARMILLA_OBJECTS (inputs[LIKE])) : NULL;
  const gboolean given = armilla_stage_given (stage, "patches");
  ArmillaObjects *out;
  ArmillaCatalogue *shape;

  (void) context;
  if (like != NULL && (given || armilla_stage_given (stage, "method")))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s has no effect with like, whose patches are used; leave out one of "
                         "them", given ? "patches" : "method");
  if (like == NULL && !given)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "patches is not set; set the number of patches, or connect like");
  if (like != NULL && like->patch == NULL)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "like has no patches; connect the output of an assign-patches");
  shape = armilla_catalogue_copy (armilla_objects_like (objects),
                                  armilla_objects_parts (objects) | ARMILLA_CATALOGUE_PATCH,
                                  error);
  if (shape == NULL)
    return FALSE;
  shape->n_patches = like != NULL ? like->n_patches : self->patches;
  out = armilla_objects_new_like (shape);
  armilla_objects_expect (out, armilla_objects_expected (objects));
  outputs[0] = ARMILLA_DATA (out);
  armilla_stage_inherit (outputs[0], inputs[CATALOGUE]);
  return TRUE;
}

static ArmillaPatches *
find_patches (const ArmillaAssignPatches *self, const ArmillaCatalogue *catalogue,
              const ArmillaCatalogue *like, GError **error)
{
  ArmillaPatches *patches
    = like != NULL               ? armilla_patches_new_around (like, error)
      : self->method == K_MEANS ? armilla_patches_new_means (catalogue, self->patches, error)
                                : armilla_patches_new (catalogue, self->patches, error);

  if (patches == NULL)
    g_prefix_error (error, "%s: ", ports[like != NULL ? LIKE : CATALOGUE].name);
  return patches;
}

static gboolean
assign (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const ArmillaCatalogue *catalogue = in[CATALOGUE].catalogue, *like = in[LIKE].catalogue;
  g_autoptr (ArmillaCatalogue) turned = NULL;
  g_autoptr (ArmillaPatches) patches = NULL;

  /* centres in the coordinates of the objects, so that these are not rotated back and forth */
  if (like != NULL && like->coordsys != 0 && catalogue->coordsys != 0)
    turned = armilla_catalogue_rotate (like, catalogue->coordsys, error);
  else if (like != NULL)
    turned = armilla_catalogue_copy (like, armilla_catalogue_parts (like), error);
  if (like != NULL && turned == NULL)
    return FALSE;
  patches = find_patches (user, catalogue, turned, error);
  out->catalogue = patches != NULL ? armilla_patches_apply (patches, catalogue, error) : NULL;
  return out->catalogue != NULL;
}

static gboolean
assign_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
              ArmillaData *const *outputs, GError **error)
{
  return armilla_graph_make (graph, inputs, 2, outputs[0], assign, g_object_ref (stage),
                             g_object_unref, error);
}

static const char *const methods[] = { [CUT] = "cut", [K_MEANS] = "k-means", NULL };

static const ArmillaProperty properties[] = {
  { "patches", ARMILLA_INT (ArmillaAssignPatches, patches, 2, 10000, 100),
    "number of patches; required without like" },
  { "method", ARMILLA_ENUM (ArmillaAssignPatches, method, methods, CUT),
    "cut: recursive cuts across the longest axis, equal numbers of objects; k-means: the closest "
    "of centres that are the means of their objects, rounder patches" },
};

static void
armilla_assign_patches_class_init (ArmillaAssignPatchesClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "assign-patches";
  armilla_stage_set_example (stage, "patches = 20");
  stage->summary = "Divide the objects of a catalogue into patches of the sky";
  stage->description =
    "Correlation functions compute jackknife errors by leaving out one patch at a time, and use "
    "the patches of their catalogues. To give several catalogues the same patches, as "
    "joint-covariance requires, divide one of them, such as random objects, and connect it to like "
    "for the others. An existing column of patches is replaced.";
  stage->reference = "Norberg et al. (2009), Statistical analysis of galaxy surveys - I. Robust "
                     "error estimation for two-point clustering statistics";
  stage->ports = ports;
  stage->prepare = assign_prepare;
  stage->build = assign_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
