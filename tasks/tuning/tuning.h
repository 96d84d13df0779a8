/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choices that make transforms fast on one machine and change results only by rounding. */
#pragma once

#include <armilla/alm.h>

G_BEGIN_DECLS

/* All parameters, one per line: name, key in the file, maximum, and the candidates of armilla tune
 * in ascending order. 0 means the default. Code that uses a parameter calls armilla_tuning_get()
 * with the graph's tuning. vector-length: maximum doubles per vector of the CPU kernels; the
 * default is that of the processor. interpolation: 1 never, 2 always. convolve-ring,
 * convolve-harmonic: measured time of a convolution in percent of the built-in prediction; they too
 * affect only rounding. */
#define ARMILLA_TUNE_PARAMETERS(X)                                                                 \
  X (RING_BLOCK, "ring-block", 1 << 20, 32, 64, 128, 256, 384, 512, 768, 1024, 2048)               \
  X (M_BLOCKS, "m-blocks", 1 << 20, 1, 2, 4, 8, 16, 32, 64)                                        \
  X (VECTOR_LENGTH, "vector-length", 8, 2, 4)                                                      \
  X (INTERPOLATION, "interpolation", 2, 1, 2)                                                      \
  X (CONVOLVE_RING, "convolve-ring", 1000000, 0)                                                   \
  X (CONVOLVE_HARMONIC, "convolve-harmonic", 1000000, 0)

#define ARMILLA_TUNE_NAME(name, ...) ARMILLA_TUNE_##name,
typedef enum { ARMILLA_TUNE_PARAMETERS (ARMILLA_TUNE_NAME) ARMILLA_TUNE_COUNT } ArmillaTuneName;
#undef ARMILLA_TUNE_NAME

/* Version of the choices in a file; must be raised when kernels or tasks change so that old choices
 * are no good. */
#define ARMILLA_TUNE_GENERATION 2

#define ARMILLA_TUNE_CANDIDATES 16

typedef struct {
  const char *key;
  gint64 max;
  gint64 candidates[ARMILLA_TUNE_CANDIDATES]; /* terminated by 0 */
} ArmillaTuneParameter;

typedef struct {
  const char *workers; /* kind of workers: "cpu", "cuda" or "both" */
  /* lmax, or number of ring pairs of a convolution; a power of two, which represents the nearest
   * sizes */
  gint64 size;
  gint64 batch;        /* number of maps transformed together; also a power of two */
  /* direction of the transforms; graphs with both directions or none use the choices for both */
  ArmillaTransforms which;
} ArmillaTuneClass;

typedef struct {
  gint64 value[ARMILLA_TUNE_COUNT];
} ArmillaTuneChoice;

/* Tuned parameters of each class of transforms. Immutable once it is shared. */
typedef struct _ArmillaTuning ArmillaTuning;

const ArmillaTuneParameter *armilla_tune_parameter (ArmillaTuneName name);
gboolean armilla_tune_is_cut (ArmillaTuneName name);
gint64 armilla_tune_class_of (gint64 size);

ArmillaTuning *armilla_tuning_new (void);
ArmillaTuning *armilla_tuning_copy (const ArmillaTuning *tuning);
ArmillaTuning *armilla_tuning_ref (ArmillaTuning *tuning);
void armilla_tuning_unref (ArmillaTuning *tuning);
void armilla_tuning_set (ArmillaTuning *tuning, ArmillaTuneClass klass,
                         const ArmillaTuneChoice *choice);
gint64 armilla_tuning_get (const ArmillaTuning *tuning, ArmillaTuneClass klass,
                           ArmillaTuneName name);

/* Returns the name of the file from which it was read, for reports, or NULL. */
const char *armilla_tuning_origin (const ArmillaTuning *tuning);
char *armilla_tuning_choices (const ArmillaTuning *tuning);
char *armilla_tuning_to_text (const ArmillaTuning *tuning, const char *machine);
ArmillaTuning *armilla_tuning_parse (const char *text, gsize length, const char *machine,
                                     const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaTuning, armilla_tuning_unref)

G_END_DECLS
