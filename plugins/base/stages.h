/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stage types of this source tree. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* The stages that are built into the library: types armilla_NAME_get_type (). */
#define ARMILLA_BUILTIN_STAGES(_)                                                                  \
  _ (adjoint_alm2points)                                                                           \
  _ (adjoint_lens)                                                                                 \
  _ (alm2cl)                                                                                       \
  _ (alm2map)                                                                                      \
  _ (alm2points)                                                                                   \
  _ (assign_patches)                                                                               \
  _ (bandpowers)                                                                                   \
  _ (bin_catalogue)                                                                                \
  _ (catalogue2alm)                                                                                \
  _ (change_order)                                                                                 \
  _ (collect)                                                                                      \
  _ (combine)                                                                                      \
  _ (convolve)                                                                                     \
  _ (count_objects)                                                                                \
  _ (coupling)                                                                                     \
  _ (covariance)                                                                                   \
  _ (decouple)                                                                                     \
  _ (distance_correlation)                                                                         \
  _ (expression_stage)                                                                             \
  _ (filter_alm)                                                                                   \
  _ (find_peaks)                                                                                   \
  _ (gradient)                                                                                     \
  _ (inverse_deflection)                                                                           \
  _ (joint_covariance_stage)                                                                       \
  _ (kg_correlation)                                                                               \
  _ (kk_correlation)                                                                               \
  _ (lens)                                                                                         \
  _ (map2alm)                                                                                      \
  _ (map_statistics)                                                                               \
  _ (mask)                                                                                         \
  _ (ng_correlation)                                                                               \
  _ (nk_correlation)                                                                               \
  _ (noise_map)                                                                                    \
  _ (pair_correlation)                                                                             \
  _ (points2alm)                                                                                   \
  _ (purify)                                                                                       \
  _ (random_alm)                                                                                   \
  _ (random_catalogue)                                                                             \
  _ (read_alm)                                                                                     \
  _ (read_catalogue)                                                                               \
  _ (read_cl)                                                                                      \
  _ (read_map)                                                                                     \
  _ (read_matrix)                                                                                  \
  _ (read_table)                                                                                   \
  _ (remove_monopole)                                                                              \
  _ (resize_alm)                                                                                   \
  _ (rotate)                                                                                       \
  _ (rotate_map)                                                                                   \
  _ (sample_map)                                                                                   \
  _ (select_rows)                                                                                  \
  _ (set_fields)                                                                                   \
  _ (shear_correlation)                                                                            \
  _ (smooth_alm)                                                                                   \
  _ (stack_stage)                                                                                  \
  _ (sweep_table)                                                                                  \
  _ (triple_correlation)                                                                           \
  _ (ud_grade)                                                                                     \
  _ (wiener)                                                                                       \
  _ (write_alm)                                                                                    \
  _ (write_catalogue)                                                                              \
  _ (write_cl)                                                                                     \
  _ (write_map)                                                                                    \
  _ (write_matrix)                                                                                 \
  _ (write_table)                                                                                  \
  _ (write_two_point)

#define ARMILLA_DECLARE_STAGE(name) GType armilla_##name##_get_type (void);
ARMILLA_BUILTIN_STAGES (ARMILLA_DECLARE_STAGE)

/* The stages of the module render, which requires cairo. */
GType armilla_panel_get_type (void);
GType armilla_render_get_type (void);
GType armilla_render_panels_get_type (void);
GType armilla_render_patches_get_type (void);

G_END_DECLS
