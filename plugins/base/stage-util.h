/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Functions shared by the stages, linked into each module. Not installed. */

#include <armilla/armilla.h>

#include "core/spectra/cl-table.h"
#include "core/tables/table.h"

G_BEGIN_DECLS

GArray *armilla_stage_value_columns (const ArmillaCatalogue *like, char *const *names,
                                     const char *property, GError **error);
GArray *armilla_stage_columns (const char *text, const char *const *names, int n_names,
                               const char *property, const char *path, GError **error);
char **armilla_stage_words (const char *text);

char *armilla_stage_healpix_file (const char *value, const char *stem, int digits, gint64 *nside);
void armilla_stage_healpix_missing (const char *property, const char *value, const char *path,
                                    const char *limit, GError **error);
gboolean armilla_stage_need_file (const char *path, GError **error);
gboolean armilla_stage_need_fits (const char *path, const char *what, GError **error);

/* Values that a stage stores by a key, for later realisations of its node and for other nodes. They
 * live until all tasks of the run are submitted, or until the stage is prepared if properties of
 * the node vary between realisations. armilla_stage_kept () returns NULL for an unknown key;
 * armilla_stage_keep () takes ownership of the value. */
GHashTable *armilla_stage_kept_new (void);
gpointer armilla_stage_kept (const ArmillaStageContext *context, const char *key);
gpointer armilla_stage_keep (const ArmillaStageContext *context, const char *key, gpointer value,
                             GDestroyNotify destroy);

const ArmillaClTable *armilla_stage_table (const ArmillaStageContext *context, const char *path,
                                           ArmillaClRows rows, GError **error);

char *armilla_stage_source (const ArmillaStageContext *context, const ArmillaPort *ports,
                            int input);

/* A file that a stage writes: created in prepare, written by I/O threads, which hold a reference to
 * the stage. */
typedef struct {
  ArmillaGraph *graph; /* commits the file and holds the node's error; set in build */
  ArmillaFault *fault;
  ArmillaOutput *output; /* temporary file; NULL except on rank 0 */
  char **history;
  GMutex lock; /* guards the creation of a writer when the first values arrive */
} ArmillaStageOutput;

ArmillaStageOutput *armilla_stage_output_new (const char *path, const ArmillaStageContext *context,
                                              ArmillaData *data, GError **error);
void armilla_stage_output_begin (ArmillaStageOutput *self, ArmillaGraph *graph);
gboolean armilla_stage_output_share (ArmillaStageOutput *self, const char *path, gboolean can,
                                     gboolean *shared, GError **error);
gboolean armilla_stage_output_write_table (ArmillaStageOutput *self, const ArmillaTable *table,
                                           ArmillaTableFormat format, GError **error);
gboolean armilla_stage_output_commit (ArmillaStageOutput *self, GError **error);
void armilla_stage_output_free (ArmillaStageOutput *self);

/* Co-latitudes that select rings, radian; see stage-rings.c. */
typedef struct {
  double min, max;
} ArmillaStageTheta;

void armilla_stage_install_theta (ArmillaStageClass *klass, gsize part);
ArmillaGrid *armilla_stage_select_theta (gpointer stage, ArmillaGrid *grid,
                                         const ArmillaStageTheta *range, GError **error);
ArmillaMap *armilla_stage_new_map_of (ArmillaGrid *grid, ArmillaAlm *alm);
ArmillaMap *armilla_stage_uncropped (ArmillaMap *out);
gboolean armilla_stage_crop (ArmillaGraph *graph, ArmillaMap *map, ArmillaMap *out, GError **error);

/* What the inputs of a stage must have in common; see stage-agree.c. SHAPE: the pixels of maps,
 * lmax and mmax of a_lm; FIELDS: number of fields, spins and convention of polarisation;
 * ONE_OR_EACH: the second input has one field, or as many as the first; FIRST_UNIT: the unit of the
 * first field. */
typedef enum {
  ARMILLA_AGREE_COORDINATES = 1 << 0,
  ARMILLA_AGREE_UNITS = 1 << 1,
  ARMILLA_AGREE_FIRST_UNIT = 1 << 2,
  ARMILLA_AGREE_FIELDS = 1 << 3,
  ARMILLA_AGREE_ONE_OR_EACH = 1 << 4,
  ARMILLA_AGREE_SHAPE = 1 << 5
} ArmillaStageAgree;

gboolean armilla_stage_need_fields (const ArmillaPort *ports, ArmillaData *const *inputs,
                                    GError **error);
gboolean armilla_stage_agree (const ArmillaPort *ports, ArmillaData *const *inputs,
                              ArmillaStageAgree what, GError **error);
void armilla_stage_carry (ArmillaData *out, const ArmillaPort *ports, ArmillaData *const *inputs,
                          ArmillaStageAgree what);
void armilla_stage_limit_degrees (ArmillaData *data, ArmillaGraph *graph, ArmillaGrid *grid,
                                  gint64 lmax, const char *consequence);

/* In stage-data.c: */
int armilla_stage_connected (ArmillaData *const *inputs, int n, ArmillaData **found);
ArmillaData *armilla_stage_copy (ArmillaData *from);
void armilla_stage_new_tables (ArmillaData **outputs, int n, ArmillaData *const *inputs,
                               int n_inputs);

/* In stage-spectra.c: */
gboolean armilla_stage_same_fields (ArmillaAlm *a, ArmillaAlm *b);
ArmillaCl *armilla_stage_new_spectra (ArmillaAlm *a, ArmillaAlm *b, gint64 lmax);

/* Properties of transforms; see stage-legendre.c. */
typedef struct {
  int kind;
  char *table;
  double tolerance;
  gint64 transforms;
} ArmillaStageLegendre;

void armilla_stage_install_legendre (ArmillaStageClass *klass, gsize part);
gboolean armilla_stage_legendre_prepare (const ArmillaStageLegendre *self, GError **error);
gboolean armilla_stage_legendre_build (const ArmillaStageLegendre *self, ArmillaGraph *graph,
                                       ArmillaAlm *alm, ArmillaMap *map, gboolean *done,
                                       GError **error);

gboolean armilla_stage_is_teb (const int *spins, int n_fields);
gboolean armilla_stage_holds (const ArmillaStageContext *context, double bytes, const char *what,
                              const char *advice, GError **error);
ArmillaGrid *armilla_stage_new_healpix (const ArmillaStageContext *context, gint64 nside,
                                        int n_fields, GError **error);

G_END_DECLS
