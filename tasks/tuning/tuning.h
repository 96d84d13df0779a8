/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choices that make transforms fast on one machine and change no result beyond rounding. */
#pragma once

#include <armilla/alm.h>

G_BEGIN_DECLS

/* All that can be chosen, a line each: name, key in the file, largest value, and the values that
 * armilla tune tries, ascending. 0 stands for the default everywhere. The place that uses one asks
 * armilla_tuning_get() of the graph's tuning. vector-length: doubles of a vector of the CPU
 * kernels, at most; the default is what the processor has. interpolation: 1 never, 2 always.
 * convolve-ring, convolve-harmonic: not tried but measured, the time of a convolution in percent of
 * what is predicted without them; what they decide is rounding, too. */
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

/* Raise it when kernels or tasks change so that older choices mean nothing. */
#define ARMILLA_TUNE_GENERATION 2

#define ARMILLA_TUNE_CANDIDATES 16

typedef struct {
  const char *key;
  gint64 most;
  gint64 candidates[ARMILLA_TUNE_CANDIDATES]; /* ended by 0 */
} ArmillaTuneParameter;

typedef struct {
  const char *workers; /* "cpu", "cuda" or "both": who computes */
  /* highest degree, or number of ring pairs; a power of two stands for all that are nearest */
  gint64 size;
  gint64 batch;        /* number of maps; a power of two as well */
  /* what a graph computes: one direction has choices of its own; anything else is for both, and for
   * graphs without transforms */
  ArmillaTransforms which;
} ArmillaTuneClass;

typedef struct {
  gint64 value[ARMILLA_TUNE_COUNT];
} ArmillaTuneChoice;

/* A choice for each class that was tuned. Does not change once it is shared. */
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

/* Where it comes from, for reports; NULL for what was not read from a file. */
const char *armilla_tuning_origin (const ArmillaTuning *tuning);
char *armilla_tuning_choices (const ArmillaTuning *tuning);
char *armilla_tuning_to_text (const ArmillaTuning *tuning, const char *machine);
ArmillaTuning *armilla_tuning_parse (const char *text, gsize length, const char *machine,
                                     const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaTuning, armilla_tuning_unref)

G_END_DECLS
