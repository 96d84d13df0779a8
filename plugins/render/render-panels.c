/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several pictures in one file. */
#include "plugins/render/render-stage.h"

struct _ArmillaRenderPanels {
  ArmillaStage parent_instance;
  char *file, *title;
  int width, columns;
  ArmillaPictureKind kind;
  ArmillaStageOutput *output;
  char **sources; /* [input]: name of the node that describes it, the prefix of its errors */
};

ARMILLA_DEFINE_STAGE (ArmillaRenderPanels, armilla_render_panels, ARMILLA, RENDER_PANELS)

#define OTHER(name) \
  { name, armilla_picture_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL, "another picture" }

static const ArmillaPort ports[] = {
  { "panel", armilla_picture_get_type, ARMILLA_PORT_IN, "the first picture, upper left" },
  OTHER ("panel2"), OTHER ("panel3"), OTHER ("panel4"), OTHER ("panel5"), OTHER ("panel6"),
  OTHER ("panel7"), OTHER ("panel8"), OTHER ("panel9"), OTHER ("panel10"), OTHER ("panel11"),
  OTHER ("panel12"), OTHER ("panel13"), OTHER ("panel14"), OTHER ("panel15"), OTHER ("panel16"),
  OTHER ("panel17"), OTHER ("panel18"), OTHER ("panel19"), OTHER ("panel20"), OTHER ("panel21"),
  OTHER ("panel22"), OTHER ("panel23"), OTHER ("panel24"), { NULL, NULL, 0, NULL },
};

G_STATIC_ASSERT (G_N_ELEMENTS (ports) == ARMILLA_PAGE_MAX + 1);

static ArmillaCell
cell_of (const ArmillaRenderPanels *self, ArmillaData *const *inputs)
{
  int n = 0, columns;

  for (int i = 0; i < ARMILLA_PAGE_MAX; i++)
    n += inputs[i] != NULL;
  columns = self->columns > 0 ? MIN (self->columns, n) : armilla_panel_columns (n);
  return (ArmillaCell) { self->width / columns, columns };
}

static gboolean
render_panels_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                       ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaRenderPanels *self = ARMILLA_RENDER_PANELS (stage);

  (void) outputs;
  self->sources = g_new0 (char *, ARMILLA_PAGE_MAX + 1);
  for (int i = 0; i < ARMILLA_PAGE_MAX; i++)
    self->sources[i] = inputs[i] != NULL && context->sources != NULL
      ? g_strdup_printf ("[%s]", context->sources[i]) : g_strdup (ports[i].name);
  if (!armilla_stage_need_file (self->file, error)
      || !armilla_picture_kind (self->file, &self->kind, error))
    return FALSE;
  self->output = armilla_stage_output_new (self->file, context, NULL, error);
  return self->output != NULL;
}

static double
render_panels_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  const ArmillaCell cell = cell_of (ARMILLA_RENDER_PANELS (stage), inputs);
  double bytes = 0;

  (void) outputs;
  for (int i = 0; i < ARMILLA_PAGE_MAX; i++)
    if (inputs[i] != NULL)
      bytes += armilla_render_bytes (ARMILLA_PICTURE (inputs[i])->stage,
                                     ARMILLA_PICTURE (inputs[i])->inputs, cell);
  return bytes;
}

static gboolean
render_panels_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                     ArmillaData *const *outputs, GError **error)
{
  ArmillaRenderPanels *self = ARMILLA_RENDER_PANELS (stage);
  ArmillaPage *page = armilla_page_new (stage, self->output, self->kind, cell_of (self, inputs),
                                        self->title);
  gboolean ok = TRUE;

  (void) outputs;
  armilla_stage_output_begin (self->output, graph);
  for (int i = 0; ok && i < ARMILLA_PAGE_MAX; i++)
    if (inputs[i] != NULL)
      ok = armilla_render_build (ARMILLA_PICTURE (inputs[i])->stage, graph,
                                 ARMILLA_PICTURE (inputs[i])->inputs, page, self->sources[i],
                                 error);
  armilla_page_unref (page);
  return ok;
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaRenderPanels, file, NULL),
    "name of the picture; ends in .png, .svg or .pdf", ARMILLA_PROPERTY_REQUIRED },
  { "title", ARMILLA_TEXT (ArmillaRenderPanels, title, ""), "title above all panels" },
  { "width", ARMILLA_INT (ArmillaRenderPanels, width, 200, 8192, 1000),
    "width of the whole picture in points (pixels of a PNG)" },
  { "columns", ARMILLA_INT (ArmillaRenderPanels, columns, 0, ARMILLA_PAGE_MAX, 0),
    "number of panels in a row; 0: two for two or four panels, three for up to nine, otherwise "
    "four" },
};

static void
armilla_render_panels_class_init (ArmillaRenderPanelsClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "render-panels";
  armilla_stage_set_example (stage, "file = panels.png");
  stage->summary = "Draw several pictures into one file, in rows";
  stage->description =
    "The inputs are drawn row by row with the properties of their stage panel. All panels have "
    "the same width; plots are as high as the highest picture of their row, up to 1.25 times "
    "their width. Text has the same size in all panels, so it is relatively large in narrow ones. "
    "A legend that an earlier plot already has is not repeated. The file is renamed to its final "
    "name when it is complete.";
  stage->ports = ports;
  stage->prepare = render_panels_prepare;
  stage->build = render_panels_build;
  stage->memory = render_panels_memory;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaRenderPanels, output, armilla_stage_output_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaRenderPanels, sources, g_strfreev);
}
