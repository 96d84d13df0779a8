/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stage render: colours and texts from properties, and output of all pictures. */
#include <math.h>

#include "plugins/render/render-stage.h"

/* Returns the colour axis with the ends that the user has set; other ends are NaN. */
ArmillaAxis
armilla_render_colours (ArmillaRender *self)
{
  return (ArmillaAxis) {
    .scale = self->colour_scale,
    .low = armilla_stage_given (self, "min") ? self->min : NAN,
    .high = armilla_stage_given (self, "max") ? self->max : NAN,
    .at = armilla_stage_given (self, "colour-threshold") ? self->colour_threshold : NAN,
  };
}

/* Returns whether the colour range becomes symmetric about 0 if there are positive and negative
 * data. */
gboolean
armilla_render_is_centred (ArmillaRender *self)
{
  return !armilla_stage_given (self, "min") && !armilla_stage_given (self, "max")
         && !armilla_stage_given (self, "palette-file")
         && armilla_palette_is_diverging (self->palette);
}

/* Fills the table with the colours of the user's file, or of a palette. */
gboolean
armilla_render_palette (ArmillaRender *self, double table[ARMILLA_PALETTE_SIZE][3], GError **error)
{
  if (armilla_stage_given (self, "palette-file"))
    return armilla_palette_read (self->palette_file, table, error);
  armilla_palette_fill (self->palette, table);
  return TRUE;
}

/* Returns the value of a property; NULL if it is not set. */
const char *
armilla_render_given (ArmillaRender *self, const char *property, const char *value)
{
  return armilla_stage_given (self, property) ? value : NULL;
}

gboolean
armilla_render_write (ArmillaStageOutput *output, ArmillaPictureKind kind, int width, int height,
                      ArmillaDraw draw, gpointer user, GError **error)
{
  return armilla_picture_write (output->output, kind, width, height, draw, user, error)
         && armilla_stage_output_commit (output, error);
}
