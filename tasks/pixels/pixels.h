/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Masks, monopoles, changes of resolution and orientation. Every rank calls these functions in
 * `build` in the same order; they request work, which is computed after the function returns. */
#pragma once

#include <armilla/data.h>

G_BEGIN_DECLS

/* Taper of a mask (Grain, Tristram and Stompor 2009): x^2 = (1 - cos d) / (1 - cos a), d being the
 * distance to the nearest pixel of weight 0 and a the angle of apodisation. */
typedef enum {
  ARMILLA_MASK_TAPER_C1, /* x - sin (2 pi x) / 2 pi */
  ARMILLA_MASK_TAPER_C2  /* (1 - cos (pi x)) / 2 */
} ArmillaMaskTaper;

typedef struct {
  /* whether the pixels of the mask are 1 unless UNSEEN, whatever their value */
  gboolean from_unseen;
  gboolean outside_unseen; /* whether pixels of weight 0 become UNSEEN; otherwise they become 0 */
  double apodise;          /* apodisation angle, radian; 0 for none */
  ArmillaMaskTaper taper;
} ArmillaMaskOptions;

gboolean armilla_graph_mask (ArmillaGraph *graph, ArmillaMap *map, ArmillaMap *mask,
                             const ArmillaMaskOptions *options, ArmillaMap *out, GError **error);
gboolean armilla_graph_ud_grade (ArmillaGraph *graph, ArmillaMap *map, gboolean pessimistic,
                                 double power, ArmillaMap *out, GError **error);
gboolean armilla_graph_rotate_map (ArmillaGraph *graph, ArmillaMap *map, double psi, double theta,
                                   double phi, ArmillaMap *out, GError **error);
gboolean armilla_graph_remove_monopole (ArmillaGraph *graph, ArmillaMap *map, gboolean dipole,
                                        double galactic_cut, ArmillaMap *out, GError **error);

G_END_DECLS
