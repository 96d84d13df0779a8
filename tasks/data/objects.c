/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/correlation.h>

#include "core/catalogues/catalogue.h"
#include "tasks/data/objects.h"
#include "tasks/data/store.h"

struct _ArmillaObjects {
  ArmillaData parent_instance;
  /* empty catalogue with the same columns (shears, patches, further ones) */
  ArmillaCatalogue *like;
  gint64 expected;             /* expected number of objects; 0: unknown */
  ArmillaCatalogue *catalogue; /* NULL: not computed yet, or released */
};

G_DEFINE_FINAL_TYPE (ArmillaObjects, armilla_objects, ARMILLA_TYPE_DATA)

static void
armilla_objects_drop (ArmillaData *data)
{
  g_clear_pointer (&ARMILLA_OBJECTS (data)->catalogue, armilla_catalogue_unref);
}

static void
armilla_objects_finalize (GObject *object)
{
  g_clear_pointer (&ARMILLA_OBJECTS (object)->like, armilla_catalogue_unref);
  G_OBJECT_CLASS (armilla_objects_parent_class)->finalize (object);
}

static char *
armilla_objects_describe (ArmillaData *data)
{
  ArmillaCatalogueParts parts = armilla_objects_parts (ARMILLA_OBJECTS (data));

  return g_strdup_printf ("catalogue: positions%s%s%s",
                          parts & ARMILLA_CATALOGUE_WEIGHT ? ", weights" : "",
                          parts & ARMILLA_CATALOGUE_SHEAR ? ", shears" : "",
                          parts & ARMILLA_CATALOGUE_PATCH ? ", patches" : "");
}

/* Describes the objects to steps on the host, which may use the catalogue after the data were
 * freed. */
static gboolean
armilla_objects_cut (ArmillaData *data, ArmillaGraph *graph, ArmillaCut *cut, GError **error)
{
  ArmillaCatalogue *catalogue;

  (void) graph;
  if (cut->writes)
    {
      cut->host = data;
      return TRUE;
    }
  catalogue = armilla_objects_catalogue (ARMILLA_OBJECTS (data), error);
  cut->host = catalogue ? armilla_catalogue_ref (catalogue) : NULL;
  cut->release = (GDestroyNotify) armilla_catalogue_unref;
  return catalogue != NULL;
}

static gboolean
armilla_objects_pieces (const ArmillaCut *cut, int tile, double *values, ArmillaHostPiece call,
                        gpointer user, GError **error)
{
  ArmillaPiece piece = { .catalogue = cut->writes ? NULL : cut->host };
  g_autoptr (ArmillaCatalogue) made = NULL;

  (void) tile, (void) values;
  if (!call (user, &piece, error))
    return FALSE;
  if (cut->writes)
    {
      made = piece.catalogue;
      armilla_objects_set_catalogue (cut->host, made);
    }
  return TRUE;
}

static const ArmillaDataVerbs verbs = {
  .is_whole = TRUE,
  .is_everywhere = TRUE,
  .need = armilla_need_whole,
  .cut = armilla_objects_cut,
  .pieces = armilla_objects_pieces,
};

static gboolean
armilla_objects_load (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file,
                      GError **error)
{
  return armilla_catalogue_load (data, ARMILLA_OBJECTS (data)->like, graph, file, error);
}

static void
armilla_objects_class_init (ArmillaObjectsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = armilla_objects_finalize;
  ARMILLA_DATA_CLASS (klass)->drop = armilla_objects_drop;
  ARMILLA_DATA_CLASS (klass)->describe = armilla_objects_describe;
  ARMILLA_DATA_CLASS (klass)->save = armilla_catalogue_save;
  ARMILLA_DATA_CLASS (klass)->load = armilla_objects_load;
  ARMILLA_DATA_CLASS (klass)->verbs = &verbs;
}

static void
armilla_objects_init (ArmillaObjects *self)
{
  (void) self;
}

ArmillaObjects *
armilla_objects_new (ArmillaCatalogueParts parts)
{
  g_autoptr (ArmillaCatalogue) like = armilla_catalogue_new (0, parts, NULL);

  return like != NULL ? armilla_objects_new_like (like) : NULL;
}

/* Describes objects with the columns, coordinates and number of patches of @like, an immutable
 * empty catalogue. */
ArmillaObjects *
armilla_objects_new_like (ArmillaCatalogue *like)
{
  ArmillaObjects *self = g_object_new (ARMILLA_TYPE_OBJECTS, NULL);

  self->like = armilla_catalogue_ref (like);
  return self;
}

/* Returns the empty catalogue that describes the columns. */
const ArmillaCatalogue *
armilla_objects_like (ArmillaObjects *self)
{
  return self->like;
}

/* Returns the parts that the objects have in addition to positions. */
ArmillaCatalogueParts
armilla_objects_parts (ArmillaObjects *self)
{
  return armilla_catalogue_parts (self->like);
}

/* Sets the number of objects, if it is known in advance; stages that read them estimate their
 * memory from it. */
void
armilla_objects_expect (ArmillaObjects *self, gint64 n)
{
  self->expected = n;
}

/* Returns the expected number; 0 if unknown. */
gint64
armilla_objects_expected (ArmillaObjects *self)
{
  return self->expected;
}

void
armilla_objects_set_catalogue (ArmillaObjects *self, ArmillaCatalogue *catalogue)
{
  armilla_catalogue_ref (catalogue);
  g_clear_pointer (&self->catalogue, armilla_catalogue_unref);
  self->catalogue = catalogue;
}

/* Returns the objects; NULL with %ARMILLA_ERROR_VALUE if none were set. */
ArmillaCatalogue *
armilla_objects_catalogue (ArmillaObjects *self, GError **error)
{
  if (!self->catalogue)
    g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                         "no objects: the catalogue was not filled before it was counted");
  return self->catalogue;
}

/* Returns (transfer full) a catalogue that shares the columns of @points and has @n more columns,
 * named like the last @n ones of @self. @columns: (out): the new columns, to be filled */
ArmillaCatalogue *
armilla_objects_with_columns (ArmillaObjects *self, ArmillaCatalogue *points, int n,
                              double **columns, GError **error)
{
  const ArmillaCatalogueValue *values = self->like->values + self->like->n_values - n;
  g_autoptr (ArmillaCatalogue) out = armilla_catalogue_share (points);

  for (int f = 0; f < n; f++)
    {
      columns[f] = armilla_catalogue_add_value (out, values[f].name, values[f].unit, error);
      if (!columns[f])
        return NULL;
    }
  return g_steal_pointer (&out);
}
