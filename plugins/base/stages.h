/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The GTypes that the family descriptors list. */

#include <glib-object.h>

G_BEGIN_DECLS

GType armilla_alm2cl_get_type (void);
GType armilla_alm2map_get_type (void);
GType armilla_bandpowers_get_type (void);
GType armilla_bin_catalogue_get_type (void);
GType armilla_change_order_get_type (void);
GType armilla_combine_alm_get_type (void);
GType armilla_combine_get_type (void);
GType armilla_coupling_get_type (void);
GType armilla_covariance_get_type (void);
GType armilla_decouple_get_type (void);
GType armilla_expression_cl_get_type (void);
GType armilla_expression_map_get_type (void);
GType armilla_expression_table_get_type (void);
GType armilla_filter_alm_get_type (void);
GType armilla_gradient_get_type (void);
GType armilla_convolve_get_type (void);
GType armilla_map2alm_get_type (void);
GType armilla_collect_get_type (void);
GType armilla_map_statistics_get_type (void);
GType armilla_mask_get_type (void);
GType armilla_noise_map_get_type (void);
GType armilla_pair_correlation_get_type (void);
GType armilla_panel_get_type (void);
GType armilla_purify_get_type (void);
GType armilla_random_alm_get_type (void);
GType armilla_random_catalogue_get_type (void);
GType armilla_read_alm_get_type (void);
GType armilla_read_catalogue_get_type (void);
GType armilla_read_cl_get_type (void);
GType armilla_read_map_get_type (void);
GType armilla_read_matrix_get_type (void);
GType armilla_read_table_get_type (void);
GType armilla_remove_monopole_get_type (void);
GType armilla_render_get_type (void);
GType armilla_render_panels_get_type (void);
GType armilla_render_patches_get_type (void);
GType armilla_resize_alm_get_type (void);
GType armilla_rotate_get_type (void);
GType armilla_rotate_map_get_type (void);
GType armilla_select_rows_get_type (void);
GType armilla_set_fields_alm_get_type (void);
GType armilla_set_fields_get_type (void);
GType armilla_shear_correlation_get_type (void);
GType armilla_smooth_alm_get_type (void);
GType armilla_sweep_table_get_type (void);
GType armilla_triple_correlation_get_type (void);
GType armilla_ud_grade_get_type (void);
GType armilla_write_alm_get_type (void);
GType armilla_write_catalogue_get_type (void);
GType armilla_write_cl_get_type (void);
GType armilla_write_map_get_type (void);
GType armilla_write_matrix_get_type (void);
GType armilla_write_table_get_type (void);

G_END_DECLS
