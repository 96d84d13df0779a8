/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plugin with a data type of its own, made of what is installed: numbers that have the values of
 * spectra in one tile. They are described, counted, saved and loaded by their class. */
#include <armilla/armilla.h>
#include <string.h>

#define PROFILE_TYPE_DATA (profile_data_get_type ())
G_DECLARE_FINAL_TYPE (ProfileData, profile_data, PROFILE, DATA, ArmillaData)

struct _ProfileData {
  ArmillaData parent_instance;
  ArmillaCl *values;
};

G_DEFINE_FINAL_TYPE (ProfileData, profile_data, ARMILLA_TYPE_DATA)

static const char magic[8] = "PROFILE";

static gboolean
keep_values (gpointer file, ArmillaPiece *piece, GError **error)
{
  return armilla_checkpoint_write (file, 0, magic, sizeof magic, error)
         && armilla_checkpoint_write (file, sizeof magic, piece->values, 8 * piece->n_values,
                                      error);
}

static gboolean
profile_save (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file, GError **error)
{
  return armilla_graph_drain (graph, ARMILLA_DATA (PROFILE_DATA (data)->values), keep_values,
                              armilla_checkpoint_end, file, armilla_checkpoint_free, error);
}

static gboolean
restore_values (gpointer file, ArmillaPiece *piece, GError **error)
{
  char found[sizeof magic];

  if (!armilla_checkpoint_read (file, 0, found, sizeof found, error))
    return FALSE;
  if (memcmp (found, magic, sizeof magic) == 0)
    return armilla_checkpoint_read (file, sizeof magic, piece->values, 8 * piece->n_values, error);
  g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "this is no profile");
  return FALSE;
}

static gboolean
profile_load (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file, GError **error)
{
  return armilla_graph_fill (graph, ARMILLA_DATA (PROFILE_DATA (data)->values), restore_values,
                             file, armilla_checkpoint_free, error);
}

static char *
profile_describe (ArmillaData *data)
{
  return g_strdup_printf ("profile: %" G_GINT64_FORMAT " numbers",
                          armilla_cl_lmax (PROFILE_DATA (data)->values) + 1);
}

static double
profile_bytes (ArmillaData *data)
{
  return armilla_data_bytes (ARMILLA_DATA (PROFILE_DATA (data)->values));
}

static void
profile_drop (ArmillaData *data)
{
  armilla_data_release (ARMILLA_DATA (PROFILE_DATA (data)->values));
}

static void
profile_finalize (GObject *object)
{
  g_object_unref (PROFILE_DATA (object)->values);
  G_OBJECT_CLASS (profile_data_parent_class)->finalize (object);
}

static void
profile_data_class_init (ProfileDataClass *klass)
{
  ArmillaDataClass *data = ARMILLA_DATA_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = profile_finalize;
  data->drop = profile_drop;
  data->describe = profile_describe;
  data->bytes = profile_bytes;
  data->save = profile_save;
  data->load = profile_load;
}

static void
profile_data_init (ProfileData *self)
{
  (void) self;
}

/* Two stages: squares of spectra as a profile, and roots of a profile as spectra. */
struct _ProfileSquare {
  ArmillaStage parent_instance;
};

struct _ProfileRoot {
  ArmillaStage parent_instance;
};

ARMILLA_DEFINE_STAGE (ProfileSquare, profile_square, PROFILE, SQUARE)
ARMILLA_DEFINE_STAGE (ProfileRoot, profile_root, PROFILE, ROOT)

static const ArmillaPort square_ports[] = {
  { "cl", armilla_cl_get_type, ARMILLA_PORT_IN, "spectra" },
  { "profile", profile_data_get_type, ARMILLA_PORT_OUT, "their squares" },
  { NULL, NULL, 0, NULL },
};

static const ArmillaPort root_ports[] = {
  { "profile", profile_data_get_type, ARMILLA_PORT_IN, "numbers" },
  { "cl", armilla_cl_get_type, ARMILLA_PORT_OUT, "their roots" },
  { NULL, NULL, 0, NULL },
};

static ArmillaCl *
new_like (ArmillaCl *cl)
{
  return armilla_cl_new (armilla_cl_lmax (cl), armilla_cl_names (cl), armilla_cl_n_fields (cl));
}

static gboolean
square_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ProfileData *profile = g_object_new (PROFILE_TYPE_DATA, NULL);

  (void) stage, (void) context, (void) error;
  profile->values = new_like (ARMILLA_CL (inputs[0]));
  outputs[0] = ARMILLA_DATA (profile);
  return TRUE;
}

static gboolean
square_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
              ArmillaData *const *outputs, GError **error)
{
  (void) stage;
  return armilla_graph_power_cl (graph, ARMILLA_CL (inputs[0]), 2,
                                 PROFILE_DATA (outputs[0])->values, error);
}

static gboolean
root_prepare (ArmillaStage *stage, const ArmillaStageContext *context, ArmillaData *const *inputs,
              ArmillaData **outputs, GError **error)
{
  (void) stage, (void) context, (void) error;
  outputs[0] = ARMILLA_DATA (new_like (PROFILE_DATA (inputs[0])->values));
  return TRUE;
}

static gboolean
root_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
            ArmillaData *const *outputs, GError **error)
{
  (void) stage;
  return armilla_graph_power_cl (graph, PROFILE_DATA (inputs[0])->values, 0.5,
                                 ARMILLA_CL (outputs[0]), error);
}

static void
profile_square_class_init (ProfileSquareClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "profile-square";
  stage->summary = "Square spectra";
  stage->ports = square_ports;
  stage->prepare = square_prepare;
  stage->build = square_build;
}

static void
profile_root_class_init (ProfileRootClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "profile-root";
  stage->summary = "Take roots of a profile";
  stage->ports = root_ports;
  stage->prepare = root_prepare;
  stage->build = root_build;
}

ARMILLA_DEFINE_PLUGIN ("profile", "1", "GPL-3.0-or-later", profile_square_get_type,
                       profile_root_get_type)
