/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assigns blocks to ranks that share a task graph. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* Assigns blocks to ranks so that cost over speed is equal. */
typedef struct {
  int n_ranks;          /* number of ranks */
  const double *speeds; /* speed of each rank in any unit */
  double *loads;        /* total cost of the blocks of each rank */
} ArmillaBlockDeal;

void armilla_block_deal_init (ArmillaBlockDeal *self, int n_ranks, const double *speeds);
int armilla_block_deal_next (ArmillaBlockDeal *self, double cost);
void armilla_block_deal_clear (ArmillaBlockDeal *self);
double armilla_block_deal_again (const double *costs, int n, const double *speeds, int n_ranks,
                                 int *owners);

double armilla_block_deal_rate (void);
void armilla_block_deal_round (double *speeds, int n_ranks);
gboolean armilla_block_deal_parse (const char *text, double *speeds, int n_ranks, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ArmillaBlockDeal, armilla_block_deal_clear)

G_END_DECLS
