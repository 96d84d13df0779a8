/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "codelets/convolution/convolve-values.h"
#include "tasks/convolution/convolve-plan.h"

#define ROWS ARMILLA_CONVOLVE_ROWS
/* maximum number of kernel samples of a piece: 32 MiB */
#define PIECE_VALUES (1 << 22)
/* maximum size of the tables of a plan: 4 GiB */
#define MAX_BYTES 0x1p32

typedef struct {
  double theta;
  gint64 n, num, den;
  double phi0;
  int block;
  gint64 pair;  /* index in its block */
  gint64 order; /* highest order of the kernel on this ring */
  gboolean alone; /* whether the adjacent pairs have other numbers of pixels, as in polar caps */
} Pair;

/* Points of a ring at which the kernel is sampled: azimuths pi (2 c + shifted) / circle, c = 0, 1,
 * ... */
typedef struct {
  gint64 circle;
  int shifted;
  gint64 n_samples, n_modes, stride; /* maximum over all rows with this basis */
  gint64 cosines, squares;
} Basis;

/* A row: an input ring pair that contributes to an output ring pair, with the modes of the kernel
 * between them. */
typedef struct {
  int basis, across;
  gint64 pair, n_samples, n_modes;
} Row;

typedef struct {
  ArmillaConvolvePlan *plan;
  Pair *pairs;
  gint64 n_pairs;
  GArray *bases, *rows;
  double tolerance, bytes;
} Builder;

/* Returns the highest order of multipoles up to @band that is not negligible on a ring. Beyond l
 * sin theta Legendre functions decay like Airy's function, exp (-2/3 x^1.5) with x = (m - l sin
 * theta) (2 / (l sin theta))^(1/3); 3 more orders are added for the rings next to the poles. */
gint64
armilla_convolve_order (double band, double sine, double tolerance)
{
  const double x = pow (-1.5 * log (tolerance), 2.0 / 3), reach = band * sine;

  return (gint64) MIN (band, ceil (reach + x * cbrt (0.5 * reach + 0.5) + 3));
}

/* Returns the smallest number of samples of the form 2^k or 3 2^k that resolves the order. */
gint64
armilla_convolve_circle (gint64 order)
{
  gint64 n = 4;

  while (n < 2 * order + 2)
    n = n % 3 == 0 ? n / 3 * 4 : n / 2 * 3;
  return n;
}

/* Returns the value, relative to the largest |b_l|, below which b_l is negligible. */
double
armilla_convolve_tolerance (const ArmillaRingConvolution *options)
{
  return MAX (options->tolerance > 0 ? options->tolerance : 0.1 * options->accuracy, 1e-14);
}

static gint64
slot_of (const ArmillaRingBlock *block, gint64 p)
{
  return block->slots[2 * p].n_phi > 0 ? 2 * p : 2 * p + 1;
}

static gboolean
mirror_each_other (const ArmillaRingSlot *a, const ArmillaRingSlot *b)
{
  return a->n_phi == 0 || b->n_phi == 0
         || (a->n_phi == b->n_phi && a->phi0_num == b->phi0_num && a->phi0_den == b->phi0_den
             && a->phi0 == b->phi0);
}

static gboolean
take_pairs (Builder *b, GError **error)
{
  const ArmillaRingBlocks *rings = b->plan->rings;

  b->pairs = g_new0 (Pair, rings->grid->n_pairs);
  for (int i = 0; i < rings->n; i++)
    for (gint64 p = 0; p < rings->block[i].n_pairs; p++)
      {
        const ArmillaRingBlock *block = &rings->block[i];
        const ArmillaRingSlot *slot = &block->slots[slot_of (block, p)];
        const double s = block->pairs[ARMILLA_PAIR_SIN * block->n_pairs + p];
        const double c = block->pairs[ARMILLA_PAIR_COS * block->n_pairs + p];

        if (!mirror_each_other (&block->slots[2 * p], &block->slots[2 * p + 1]))
          return armilla_fail (error, ARMILLA_ERROR_VALUE,
                               "method = ring requires a grid whose hemispheres mirror each other; "
                               "use method = harmonic");
        b->pairs[b->n_pairs++]
          = (Pair) { .theta = atan2 (s, c), .n = slot->n_phi, .num = slot->phi0_num,
                     .den = slot->phi0_den, .phi0 = slot->phi0, .block = i, .pair = p,
                     .order = armilla_convolve_order ((double) b->plan->band, s, b->tolerance) };
      }
  for (gint64 i = 0; i < b->n_pairs; i++)
    b->pairs[i].alone = b->n_pairs > 1 && (i == 0 || b->pairs[i - 1].n != b->pairs[i].n)
                        && (i + 1 == b->n_pairs || b->pairs[i + 1].n != b->pairs[i].n);
  return TRUE;
}

/* Returns 0 if two rings have equal azimuths of pixels, 1 if the azimuths differ by half a pixel,
 * -1 otherwise. */
static int
stagger (const Pair *a, const Pair *b)
{
  const gint64 limit = 1 << 20;
  gint64 shift, turn;

  if (a->n != b->n)
    return -1;
  if (a->num == b->num && a->den == b->den && a->phi0 == b->phi0)
    return 0;
  if (!a->den || !b->den || a->den > limit || b->den > limit || ABS (a->num) > limit
      || ABS (b->num) > limit || a->n > limit)
    return -1;
  /* difference of azimuths in pixels, shift / turn = n (a.num / a.den - b.num / b.den) / 2 */
  shift = a->n * (a->num * b->den - b->num * a->den);
  turn = 2 * a->den * b->den;
  return shift % turn == 0 ? 0 : 2 * shift % turn == 0 ? 1 : -1;
}

static int
find_basis (Builder *b, gint64 circle, int shifted)
{
  const Basis basis = { .circle = circle, .shifted = shifted };

  for (guint i = 0; i < b->bases->len; i++)
    {
      const Basis *other = &g_array_index (b->bases, Basis, i);

      if (other->circle == circle && other->shifted == shifted)
        return (int) i;
    }
  g_array_append_val (b->bases, basis);
  return (int) b->bases->len - 1;
}

/* Chooses the points of ring @in at which the kernel around a pixel of ring @out is sampled, and
 * the number of modes. If the pixels of both rings have equal azimuths and the kernel needs all
 * orders, it is sampled at the pixels, so that the sum is exact for any kernel. Otherwise it is
 * sampled as densely as its highest order requires. */
static void
choose_basis (Builder *b, const Pair *out, const Pair *in, Row *row)
{
  const ArmillaRingConvolution *options = &b->plan->options;
  /* Each ring of a cap has its own number of pixels; sampling at the pixels would cost more than it
   * saves. */
  const int place = out->alone ? -1 : stagger (out, in);
  gint64 circle = armilla_convolve_circle (out->order), order = MIN (out->order, in->order);
  gint64 nyquist = (MIN (out->n, in->n) - 1) / 2;

  if (place >= 0
      && (circle >= out->n || options->exact || options->accuracy <= ARMILLA_CONVOLVE_EXACT)
      && (place == 0 || options->kernel_shift))
    {
      row->basis = find_basis (b, out->n, place);
      row->n_modes = out->n / 2 + 1;
      return;
    }
  /* turns the map by half a pixel through the phases of its modes */
  if (place >= 0 && circle >= out->n)
    {
      circle = out->n;
      order = MIN (order, nyquist);
    }
  if (!options->anti_ringing)
    order = MIN (order, nyquist);
  row->basis = find_basis (b, circle, 0);
  row->n_modes = order + 1;
}

/* Returns the number of samples within the support of the kernel. */
static gint64
count_samples (const Builder *b, const Basis *basis, const Pair *out, const Pair *in, int across)
{
  const ArmillaRingBlocks *rings = b->plan->rings;
  const ArmillaRingBlock *to = &rings->block[out->block], *from = &rings->block[in->block];
  const gint64 all = (basis->circle - basis->shifted) / 2 + 1;
  double sines, rest, places;

  rest = b->plan->table->chord2
         - armilla_meridian_chord2 (to->pairs, to->n_pairs, out->pair, from->pairs, from->n_pairs,
                                    in->pair, across, &sines);
  if (rest < 0)
    return 0;
  if (rest >= sines)
    return all;
  places = 2 * asin (sqrt (rest / sines)) / G_PI * (double) basis->circle * (1 + 1e-12) + 1e-9;
  return places < basis->shifted
           ? 0 : MIN (all, (gint64) ((places - basis->shifted) / 2) + 1);
}

static int
compare_rows (gconstpointer x, gconstpointer y)
{
  const Row *a = x, *b = y;

  if (a->basis != b->basis)
    return a->basis - b->basis;
  if (a->n_samples != b->n_samples)
    return a->n_samples < b->n_samples ? 1 : -1;
  if (a->across != b->across)
    return a->across - b->across;
  return (a->pair > b->pair) - (a->pair < b->pair);
}

/* Returns the number of ring pairs, counted from the poles, that are summed pixel by pixel: as many
 * as the options request and, if all orders are kept, all pairs for which the kernel reaches a ring
 * with other azimuths of pixels. */
static gint64
count_polar_pairs (const Builder *b)
{
  const ArmillaRingConvolution *options = &b->plan->options;
  const double cut = b->plan->table->cut * (1 + 1e-12) + 1e-15;
  gint64 n = MIN (options->polar_rings, b->n_pairs);

  for (gint64 p = b->n_pairs - 1; options->exact && p >= n; p--)
    for (const Pair *in = b->pairs; in < b->pairs + b->n_pairs; in++)
      if ((fabs (in->theta - b->pairs[p].theta) <= cut
           || G_PI - in->theta - b->pairs[p].theta <= cut)
          && stagger (&b->pairs[p], in) < 0)
        return p + 1;
  return n;
}

/* Finds the rows of an output pair in one input block, unless the pair is summed pixel by pixel. */
static void
find_rows (Builder *b, const Pair *out, const Pair *from, const Pair *end)
{
  const double cut = b->plan->table->cut * (1 + 1e-12) + 1e-15;

  g_array_set_size (b->rows, 0);
  if (out - b->pairs < b->plan->polar_pairs)
    return;
  for (const Pair *in = from; in < end; in++)
    for (int across = 0; across < 2; across++)
      {
        const double theta = across ? G_PI - in->theta : in->theta;
        Row row = { .across = across, .pair = in->pair };
        Basis *basis;

        if (fabs (theta - out->theta) > cut)
          continue;
        choose_basis (b, out, in, &row);
        basis = &g_array_index (b->bases, Basis, row.basis);
        row.n_samples = count_samples (b, basis, out, in, across);
        if (row.n_samples == 0 || row.n_modes < 1)
          continue;
        basis->n_samples = MAX (basis->n_samples, row.n_samples);
        basis->n_modes = MAX (basis->n_modes, row.n_modes);
        g_array_append_val (b->rows, row);
      }
  g_array_sort (b->rows, compare_rows);
  b->plan->n_rows += b->rows->len;
}

/* Adds a group of up to ARMILLA_CONVOLVE_ROWS rows of one basis, from row @at on, which a kernel
 * processes together. Returns the number of rows. */
static guint
add_group (Builder *b, const Pair *out, guint at, GArray *groups, ArmillaConvolvePiece *piece)
{
  const Row *first = &g_array_index (b->rows, Row, at);
  ArmillaConvolveGroup group = { .out = (gint32) out->pair,
                                 .n_samples = (gint32) first->n_samples,
                                 .values = piece->gridding.n_values,
                                 .cosines = first->basis };
  gint64 max_modes = 0;
  int n = 0;

  for (; n < ROWS && at + (guint) n < b->rows->len && first[n].basis == first->basis; n++)
    {
      group.pair[n] = (gint32) first[n].pair;
      group.across[n] = first[n].across;
      group.n_modes[n] = (gint32) first[n].n_modes;
      max_modes = MAX (max_modes, first[n].n_modes);
      piece->reduction.products += (double) first[n].n_modes;
    }
  group.n_rows = n;
  for (int i = n; i < ROWS; i++)
    group.pair[i] = group.pair[0];
  piece->reduction.coefficients += (double) (n * group.n_samples) * (double) max_modes;
  piece->gridding.n_values += (gint64) group.n_samples * ROWS;
  piece->gridding.n_groups++;
  g_array_append_val (groups, group);
  return (guint) n;
}

/* Adds a piece: output pairs of block @out, from pair @p on, with block @in, until the piece has
 * PIECE_VALUES samples. Returns the pair with which the next piece begins. */
static gint64
add_piece (Builder *b, int out, int in, gint64 p, gboolean fresh)
{
  ArmillaConvolvePlan *plan = b->plan;
  const ArmillaRingBlock *to = &plan->rings->block[out], *from = &plan->rings->block[in];
  const gint64 size = plan->rings->max_pairs;
  const Pair *pairs = b->pairs + out * size, *others = b->pairs + in * size;
  ArmillaConvolvePiece piece
    = { .in_block = in, .fresh = fresh,
        .gridding = { .n_out = to->n_pairs, .n_in = from->n_pairs,
                      .n_intervals = plan->table->n, .scale = plan->table->scale,
                      .chord2 = plan->table->chord2 },
        .reduction = { .out_first = p, .n_out = to->n_pairs, .n_in = from->n_pairs,
                       .fresh = fresh } };
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (ArmillaConvolveGroup));
  g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (gint32));
  gint32 n = 0;

  for (; p < to->n_pairs && piece.gridding.n_values < PIECE_VALUES && b->bytes < MAX_BYTES; p++)
    {
      g_array_append_val (first, n);
      find_rows (b, &pairs[p], others, others + from->n_pairs);
      for (guint at = 0; at < b->rows->len;)
        at += add_group (b, &pairs[p], at, groups, &piece);
      b->bytes += (double) sizeof (ArmillaConvolveGroup) * ((double) groups->len - n);
      n = (gint32) groups->len;
    }
  g_array_append_val (first, n);
  piece.reduction.out_last = p - 1;
  piece.reduction.n_groups = n;
  piece.groups = (ArmillaConvolveGroup *) g_array_steal (groups, NULL);
  piece.first = (gint32 *) g_array_steal (first, NULL);
  g_array_append_val (plan->pieces[out], piece);
  return p;
}

/* Returns whether the kernel around a ring of block @out may reach a ring of block @in. */
static gboolean
blocks_meet (const Builder *b, int out, int in)
{
  const ArmillaRingBlocks *rings = b->plan->rings;
  const Pair *a = b->pairs + out * rings->max_pairs, *c = b->pairs + in * rings->max_pairs;
  const double a_last = a[rings->block[out].n_pairs - 1].theta;
  const double c_last = c[rings->block[in].n_pairs - 1].theta;
  const double cut = b->plan->table->cut * (1 + 1e-12) + 1e-15;

  return (a->theta - c_last <= cut && c->theta - a_last <= cut) || G_PI - a_last - c_last <= cut;
}

static void
add_pieces (Builder *b)
{
  ArmillaConvolvePlan *plan = b->plan;
  const int n = plan->rings->n;

  plan->pieces = g_new0 (GArray *, n);
  plan->first_in = g_new0 (int, n);
  plan->last_in = g_new0 (int, n);
  for (int out = 0; out < n; out++)
    {
      gboolean fresh = TRUE;

      plan->pieces[out] = g_array_new (FALSE, FALSE, sizeof (ArmillaConvolvePiece));
      for (int in = 0; in < n; in++)
        if (blocks_meet (b, out, in))
          {
            plan->first_in[out] = fresh ? in : plan->first_in[out];
            plan->last_in[out] = in;
            for (gint64 p = 0; p < plan->rings->block[out].n_pairs && b->bytes < MAX_BYTES;)
              p = add_piece (b, out, in, p, fresh);
            fresh = FALSE;
          }
    }
}

/* Computes the cosines that transform samples into modes: 2 cos (pi m q / circle) / circle for a
 * sample at q half steps, half of that at q = 0 and q = circle, which have no mirror image. The
 * mode m = circle / 2, which is its own alias, has half the weight, since the ring transform counts
 * each order twice. */
static void
fill_basis (const Basis *basis, double *cosines, double *squares)
{
  const gint64 circle = basis->circle;

  for (gint64 c = 0; c < basis->n_samples; c++)
    {
      const gint64 q = 2 * c + basis->shifted;
      const double weight = (q == 0 || q == circle ? 1.0 : 2.0) / (double) circle;
      double *row = cosines + c * basis->stride, cosine, sine;

      armilla_root_of_unity ((guint64) q, 2 * (guint64) circle, &cosine, &sine);
      squares[c] = sine * sine;
      for (gint64 m = 0; m < basis->n_modes; m++)
        {
          armilla_root_of_unity ((guint64) (m * q % (2 * circle)), (guint64) circle, &cosine,
                                 &sine);
          row[m] = weight * cosine * (2 * m == circle ? 0.5 : 1);
        }
      memset (row + basis->n_modes, 0,
              sizeof (double) * (gsize) (basis->stride - basis->n_modes));
    }
}

static gboolean
fill_bases (Builder *b, GError **error)
{
  ArmillaConvolvePlan *plan = b->plan;
  const gint64 pad = ARMILLA_CONVOLVE_PAD;

  for (guint i = 0; i < b->bases->len; i++)
    {
      Basis *basis = &g_array_index (b->bases, Basis, i);

      basis->stride = (basis->n_modes + pad - 1) / pad * pad;
      basis->cosines = plan->n_cosines;
      basis->squares = basis->cosines + basis->n_samples * basis->stride;
      plan->n_cosines = (basis->squares + basis->n_samples + 7) / 8 * 8;
    }
  b->bytes += 8 * (double) plan->n_cosines;
  if (b->bytes >= MAX_BYTES || plan->n_cosines > G_MAXINT32)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "method = ring needs tables of more than %.0f GiB for a kernel with a "
                         "support of %.3g degrees on this grid; use method = harmonic, or a "
                         "smaller cut-off", MAX_BYTES * 0x1p-30, plan->table->cut * 180 / G_PI);
  plan->cosines = g_new0 (double, MAX (plan->n_cosines, 1));
  for (guint i = 0; i < b->bases->len; i++)
    {
      const Basis *basis = &g_array_index (b->bases, Basis, i);

      fill_basis (basis, plan->cosines + basis->cosines, plan->cosines + basis->squares);
    }
  return TRUE;
}

/* Fills in the cosines of each group, and finds the highest order of each ring block in any row. */
static void
finish_pieces (Builder *b)
{
  ArmillaConvolvePlan *plan = b->plan;

  plan->mmax = g_new0 (gint64, plan->rings->n);
  for (int out = 0; out < plan->rings->n; out++)
    for (guint i = 0; i < plan->pieces[out]->len; i++)
      {
        ArmillaConvolvePiece *piece = &g_array_index (plan->pieces[out], ArmillaConvolvePiece, i);

        for (gint64 g = 0; g < piece->gridding.n_groups; g++)
          {
            ArmillaConvolveGroup *group = &piece->groups[g];
            const Basis *basis = &g_array_index (b->bases, Basis, group->cosines);

            group->cosines = basis->cosines;
            group->squares = basis->squares;
            group->stride = (gint32) basis->stride;
            for (int r = 0; r < group->n_rows; r++)
              {
                gint64 *to = &plan->mmax[out], *from = &plan->mmax[piece->in_block];

                *to = MAX (*to, group->n_modes[r] - 1);
                *from = MAX (*from, group->n_modes[r] - 1);
              }
          }
      }
}

static void
set_orders (ArmillaConvolvePlan *plan)
{
  for (int out = 0; out < plan->rings->n; out++)
    for (guint i = 0; i < plan->pieces[out]->len; i++)
      {
        ArmillaConvolvePiece *piece = &g_array_index (plan->pieces[out], ArmillaConvolvePiece, i);

        piece->reduction.mmax_out = plan->mmax[out];
        piece->reduction.mmax_in = plan->mmax[piece->in_block];
      }
}

/* Returns a plan that is not registered with StarPU. The ring blocks must outlive it, and the cut
 * of the options must be set. ARMILLA_ERROR_VALUE if the grid is not symmetric about the equator,
 * or the tables would be too large. */
ArmillaConvolvePlan *
armilla_convolve_plan_new (ArmillaRingBlocks *rings, ArmillaKernel *kernel,
                           const ArmillaRingConvolution *options, GError **error)
{
  ArmillaConvolvePlan *plan = g_new0 (ArmillaConvolvePlan, 1);
  const gint64 limit = 2 * armilla_convolve_degrees (rings->grid);
  g_autofree double *window = g_new (double, limit + 1);
  Builder b = { .plan = plan, .tolerance = armilla_convolve_tolerance (options) };
  double largest = 0;
  gboolean ok;

  plan->rings = rings;
  plan->kernel = armilla_kernel_ref (kernel);
  plan->options = *options;
  plan->table = armilla_kernel_tabulate (kernel, options->cut);
  armilla_kernel_table_window (plan->table, limit, window);
  for (gint64 l = 0; l <= limit; l++)
    largest = MAX (largest, fabs (window[l]));
  for (plan->band = limit; plan->band > 1 && fabs (window[plan->band]) <= b.tolerance * largest;)
    plan->band--;
  b.bases = g_array_new (FALSE, FALSE, sizeof (Basis));
  b.rows = g_array_new (FALSE, FALSE, sizeof (Row));
  ok = take_pairs (&b, error);
  if (ok)
    {
      plan->polar_pairs = count_polar_pairs (&b);
      add_pieces (&b);
    }
  ok = ok && fill_bases (&b, error);
  if (ok)
    {
      finish_pieces (&b);
      set_orders (plan);
    }
  g_free (b.pairs);
  g_array_unref (b.bases);
  g_array_unref (b.rows);
  if (!ok)
    g_clear_pointer (&plan, armilla_convolve_plan_free);
  return plan;
}

static void
free_handle (starpu_data_handle_t *handle)
{
  if (*handle)
    starpu_data_unregister (*handle);
  *handle = NULL;
}

/* Frees the plan, whose tasks must be done. */
void
armilla_convolve_plan_free (ArmillaConvolvePlan *plan)
{
  for (int out = 0; plan->pieces && out < plan->rings->n; out++)
    {
      for (guint i = 0; plan->pieces[out] && i < plan->pieces[out]->len; i++)
        {
          ArmillaConvolvePiece *piece = &g_array_index (plan->pieces[out], ArmillaConvolvePiece, i);

          free_handle (&piece->groups_handle);
          free_handle (&piece->first_handle);
          g_free (piece->groups);
          g_free (piece->first);
        }
      if (plan->pieces[out])
        g_array_unref (plan->pieces[out]);
    }
  free_handle (&plan->cosines_handle);
  free_handle (&plan->terms_handle);
  if (plan->scratch.handle)
    starpu_data_unregister_no_coherency (plan->scratch.handle);
  g_free (plan->pieces);
  g_free (plan->first_in);
  g_free (plan->last_in);
  g_free (plan->mmax);
  g_free (plan->cosines);
  armilla_kernel_table_free (plan->table);
  armilla_kernel_unref (plan->kernel);
  g_free (plan);
}
