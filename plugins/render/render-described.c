/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of panel: a description of a picture. The stage that draws the picture chooses its
 * size and requests its data. */
#include "plugins/render/render-stage.h"

G_DEFINE_FINAL_TYPE (ArmillaPicture, armilla_picture, ARMILLA_TYPE_DATA)

static void
armilla_picture_drop (ArmillaData *data)
{
  ArmillaPicture *self = ARMILLA_PICTURE (data);

  for (int i = 0; self->holds && i < ARMILLA_RENDER_PORTS; i++)
    if (self->inputs[i] != NULL)
      armilla_data_unhold (self->inputs[i]);
  self->holds = FALSE;
}

static void
armilla_picture_finalize (GObject *object)
{
  ArmillaPicture *self = ARMILLA_PICTURE (object);

  for (int i = 0; i < ARMILLA_RENDER_PORTS; i++)
    g_clear_object (&self->inputs[i]);
  g_clear_object (&self->stage);
  G_OBJECT_CLASS (armilla_picture_parent_class)->finalize (object);
}

static char *
armilla_picture_describe (ArmillaData *data)
{
  return g_strdup_printf ("picture: %s", ARMILLA_PICTURE (data)->kind);
}

static void
armilla_picture_class_init (ArmillaPictureClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = armilla_picture_finalize;
  ARMILLA_DATA_CLASS (klass)->drop = armilla_picture_drop;
  ARMILLA_DATA_CLASS (klass)->describe = armilla_picture_describe;
}

static void
armilla_picture_init (ArmillaPicture *self)
{
  (void) self;
}

/* Returns a description of the picture that a prepared stage describes. It keeps the inputs alive.
 * @kind: static string. */
ArmillaData *
armilla_picture_new (ArmillaRender *stage, ArmillaData *const *inputs, const char *kind)
{
  ArmillaPicture *self = g_object_new (armilla_picture_get_type (), NULL);

  self->stage = g_object_ref (stage);
  self->kind = kind;
  for (int i = 0; i < ARMILLA_RENDER_PORTS; i++)
    if (inputs[i] != NULL)
      {
        self->inputs[i] = g_object_ref (inputs[i]);
        armilla_data_hold (inputs[i]);
      }
  self->holds = TRUE;
  return ARMILLA_DATA (self);
}
