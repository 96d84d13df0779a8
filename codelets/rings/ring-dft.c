/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/rings/ring-dft.h"

#include <fftw3.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/rings/ring-fft-math.h"
#include "codelets/rings/ring-fold.h"

/* A sequence of n = radix * q points is divided into radix interleaved parts of q points. FFTW
 * transforms all parts in one call if q has no prime factor above 13 or is very short. Without the
 * combination of the parts, this takes 25 us at n = 8192 and 69 us at 16384, where FFTW's own plans
 * of n take 43 and 92. Chirp-z, for q with larger prime factors, takes 1.5 to 5 times as long.
 * FFTW needs 1 to 7 ms and some 100 kB to plan a length with a large prime factor, and a HEALPix
 * map of nside 2048 has 2047 lengths in its caps: 11 s and 140 MB, but 0.12 s and 6 MB for the 334
 * that are products of small primes. Parts of other lengths are transformed by chirp-z at padded
 * lengths, four per octave. The method depends on the length alone, so that a ring has the same
 * bits whatever other lengths were planned. */

#define N_BUCKETS 1024
#define SHORT_PART 16
/* Maximum length of rings whose tables are stored with their plans. Computing a table takes as long
 * as transforming one or two rings; the tables of a HEALPix map take 4 MB. For longer rings the
 * computation is a smaller part of the work, and reading the tables from memory would cost more. */
#define KEPT_LENGTH 1024

struct _ArmillaDftPlan {
  int64_t n, radix, q;
  int64_t padded; /* length of a padded part; 0: no chirp-z */
  fftw_plan plan; /* transforms all parts or, with chirp-z, one padded part */
  ArmillaDftTables *kept; /* NULL: not computed yet, or the length is too long */
  ArmillaRingPhases *phases; /* phases for the azimuth of the first ring of this length; NULL: not
                              * computed yet, or the length is too long */
  ArmillaDftPlan *next;
};

typedef struct _PaddedPlan PaddedPlan;
struct _PaddedPlan {
  int64_t n;
  fftw_plan plan;
  PaddedPlan *next;
};

/* Buckets are lists that only grow: a lookup needs no lock. */
struct _ArmillaFftPlans {
  ArmillaDftPlan *buckets[N_BUCKETS];
  PaddedPlan *padded;
};

/* FFTW's planner is one per process and not thread-safe. */
static GMutex planner_lock;

ArmillaFftPlans *
armilla_fft_plans_new (void)
{
  return g_new0 (ArmillaFftPlans, 1);
}

void
armilla_fft_plans_free (ArmillaFftPlans *plans)
{
  if (!plans)
    return;
  g_mutex_lock (&planner_lock);
  for (int i = 0; i < N_BUCKETS; i++)
    while (plans->buckets[i])
      {
        ArmillaDftPlan *plan = plans->buckets[i];

        plans->buckets[i] = plan->next;
        if (plan->padded == 0)
          fftw_destroy_plan (plan->plan);
        free (plan->kept);
        free (plan->phases);
        g_free (plan);
      }
  while (plans->padded)
    {
      PaddedPlan *padded = plans->padded;

      plans->padded = padded->next;
      fftw_destroy_plan (padded->plan);
      g_free (padded);
    }
  g_mutex_unlock (&planner_lock);
  g_free (plans);
}

const ArmillaDftPlan *
armilla_fft_plans_find (const ArmillaFftPlans *plans, int64_t n)
{
  const ArmillaDftPlan *plan = __atomic_load_n (&plans->buckets[n % N_BUCKETS],
                                                __ATOMIC_ACQUIRE);

  while (plan && plan->n != n)
    plan = plan->next;
  return plan;
}

int64_t
armilla_dft_length (const ArmillaDftPlan *plan)
{
  return plan->n;
}

/* Returns the smallest of 2^k and its multiples by 5/4, 3/2 and 7/4, from 16 on, that holds the
 * convolution of q points, except those that are slower than the next one (192 takes 0.45 us, 224
 * takes 0.28). */
static int64_t
padded_length (int64_t q)
{
  static const int64_t slow[] = { 192, 384, 768, 896 };
  int64_t power = 16;

  while (power < 2 * q - 1)
    power *= 2;
  for (int64_t eighths = 5; eighths < 8 && power >= 32; eighths++)
    {
      const int64_t length = power / 8 * eighths;
      gboolean fast = length >= 2 * q - 1;

      for (gsize i = 0; i < G_N_ELEMENTS (slow); i++)
        fast = fast && length != slow[i];
      if (fast)
        return length;
    }
  return power;
}

/* Plans @radix interleaved transforms of @q points with contiguous results. The scratch is always
 * aligned to 64 bytes, so FFTW_ESTIMATE makes the same choice in every call; plans for unaligned
 * data take twice as long. The caller holds the lock. */
static fftw_plan
make_fftw_plan (int64_t radix, int64_t q)
{
  const fftw_iodim64 point = { q, radix, 1 }, part = { radix, 1, q };
  fftw_complex *in = fftw_malloc (sizeof *in * (gsize) (radix * q + 4));
  fftw_complex *out = fftw_malloc (sizeof *out * (gsize) (radix * q + 4));
  fftw_plan plan = NULL;

  if (in && out)
    {
      double *aligned_in = (double *) (((uintptr_t) in + 63) / 64 * 64);
      double *aligned_out = (double *) (((uintptr_t) out + 63) / 64 * 64);

      plan = fftw_plan_guru64_dft (1, &point, 1, &part, (fftw_complex *) aligned_in,
                                   (fftw_complex *) aligned_out, FFTW_BACKWARD,
                                   FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
    }
  fftw_free (in);
  fftw_free (out);
  return plan;
}

/* Returns the plan of a padded length, creating it if needed. The caller holds the lock. */
static fftw_plan
find_padded (ArmillaFftPlans *plans, int64_t n)
{
  PaddedPlan *padded;
  fftw_plan plan;

  for (padded = plans->padded; padded; padded = padded->next)
    if (padded->n == n)
      return padded->plan;
  plan = make_fftw_plan (1, n);
  if (!plan)
    return NULL;
  padded = g_new (PaddedPlan, 1);
  *padded = (PaddedPlan) { n, plan, plans->padded };
  plans->padded = padded;
  return plan;
}

/* Adds the plan of a length. The caller holds the lock. */
static int
add_length (ArmillaFftPlans *plans, int64_t n)
{
  ArmillaDftPlan *plan;

  if (armilla_fft_plans_find (plans, n))
    return 0;
  plan = g_new0 (ArmillaDftPlan, 1);
  plan->n = n;
  plan->radix = armilla_ring_radix (n);
  plan->q = n / plan->radix;
  if (plan->q > SHORT_PART && !armilla_is_smooth (plan->q))
    plan->padded = padded_length (plan->q);
  plan->plan = plan->padded ? find_padded (plans, plan->padded)
                            : make_fftw_plan (plan->radix, plan->q);
  if (!plan->plan)
    {
      g_free (plan);
      return -1;
    }
  plan->next = plans->buckets[n % N_BUCKETS];
  __atomic_store_n (&plans->buckets[n % N_BUCKETS], plan, __ATOMIC_RELEASE);
  return 0;
}

int
armilla_fft_plans_add (ArmillaFftPlans *plans, const ArmillaRingSlot *slots, int64_t n_slots)
{
  int result = 0;

  for (int64_t i = 0; i < n_slots && result == 0; i++)
    if (slots[i].n_phi > 0 && !armilla_fft_plans_find (plans, slots[i].n_phi))
      {
        g_mutex_lock (&planner_lock);
        result = add_length (plans, slots[i].n_phi);
        g_mutex_unlock (&planner_lock);
      }
  return result;
}

/* Returns the number of doubles for n complex numbers, rounded up to 64 bytes. */
static int64_t
aligned_complex (int64_t n)
{
  return (2 * n + 7) / 8 * 8;
}

/* Returns the number of doubles of the work arrays and tables for these sizes. The parts of a
 * factor table are aligned separately: at most 4 of up to n / 4 points, or one of n. */
static int64_t
work_size (const ArmillaDftSizes *sizes)
{
  return 2 * MAX (aligned_complex (sizes->padded), aligned_complex (sizes->q))
         + ARMILLA_DFT_TABLES
               * (aligned_complex (sizes->padded) + aligned_complex (sizes->q)
                  + aligned_complex (sizes->n) + 32);
}

void
armilla_dft_sizes_add (ArmillaDftSizes *sizes, const ArmillaDftPlan *plan)
{
  sizes->n = MAX (sizes->n, plan->n);
  sizes->q = MAX (sizes->q, plan->q);
  sizes->padded = MAX (sizes->padded, plan->padded);
}

int64_t
armilla_dft_work_size (int64_t longest)
{
  /* an odd length is a single part */
  const ArmillaDftSizes sizes = { longest, longest, padded_length (longest) };

  return work_size (&sizes);
}

/* Assigns parts of @memory to @table and returns the remaining memory. */
static double *
lay_out_tables (ArmillaDftTables *table, const ArmillaDftSizes *sizes, double *memory)
{
  table->factor = memory;
  table->chirp = table->factor + aligned_complex (sizes->n) + 32;
  table->kernel = table->chirp + aligned_complex (sizes->q);
  return table->kernel + aligned_complex (sizes->padded);
}

double *
armilla_dft_work_init (ArmillaDftWork *work, double *scratch, const ArmillaDftSizes *sizes)
{
  double *const end = scratch + work_size (sizes);

  *work = (ArmillaDftWork) { .simd = ARMILLA_FOR_ISA (armilla_isa_detect (), armilla_ring_simd) };
  work->a = scratch;
  work->b = work->a + MAX (aligned_complex (sizes->padded), aligned_complex (sizes->q));
  scratch = work->b + MAX (aligned_complex (sizes->padded), aligned_complex (sizes->q));
  for (int i = 0; i < ARMILLA_DFT_TABLES; i++)
    scratch = lay_out_tables (&work->table[i], sizes, scratch);
  return end;
}

/* Sets roots[j] to exp (i pi step j / n), j < count: products of numbers of two tables, each
 * accurate to 1.5e-16. */
static void
fill_roots (const ArmillaRingSimd *simd, double *roots, int64_t step, int64_t n, int64_t count)
{
  double small[2 * 64];

  for (int64_t j = 0; j < MIN (64, count); j++)
    armilla_root_of_unity ((uint64_t) (step * j % (2 * n)), (uint64_t) n, &small[2 * j],
                           &small[2 * j + 1]);
  for (int64_t first = 0; first < count; first += 64)
    {
      double c, s;

      armilla_root_of_unity ((uint64_t) (step * first % (2 * n)), (uint64_t) n, &c, &s);
      for (int64_t j = first; j < MIN (first + 64, count); j++)
        {
          roots[2 * j] = c;
          roots[2 * j + 1] = s;
        }
      simd->multiply (roots + 2 * first, roots + 2 * first, small, ARMILLA_SIMD_PLAIN,
                      MIN (64, count - first));
    }
}

/* chirp[j] = exp (i pi j^2 / q); roots has room for q. */
static void
fill_chirp (const ArmillaRingSimd *simd, int64_t q, double *roots, double *chirp)
{
  int64_t index = 0; /* j * j mod 2 q */

  fill_roots (simd, roots, 1, q, q);
  for (int64_t j = 0; j < q; j++)
    {
      const double *root = roots + 2 * (index < q ? index : index - q);
      const double sign = index < q ? 1 : -1;

      chirp[2 * j] = sign * root[0];
      chirp[2 * j + 1] = sign * root[1];
      index += 2 * j + 1;
      if (index >= 2 * q)
        index -= 2 * q;
    }
}

static void
fill_kernel (const ArmillaDftPlan *plan, ArmillaDftWork *work, const ArmillaDftTables *table)
{
  const int64_t q = plan->q, length = plan->padded;
  const double scale = 1.0 / (double) length;

  memset (work->a, 0, sizeof (double) * (gsize) (2 * length));
  for (int64_t j = 0; j < q; j++)
    {
      double *mirror = work->a + 2 * (j ? length - j : 0);

      work->a[2 * j] = mirror[0] = scale * table->chirp[2 * j];
      work->a[2 * j + 1] = mirror[1] = -scale * table->chirp[2 * j + 1];
    }
  fftw_execute_dft (plan->plan, (fftw_complex *) work->a, (fftw_complex *) table->kernel);
}

static double *
factor_of (const ArmillaDftTables *table, const ArmillaDftPlan *plan, int64_t s)
{
  return table->factor + s * aligned_complex (plan->q);
}

static void
fill_tables (const ArmillaDftPlan *plan, ArmillaDftWork *work, ArmillaDftTables *table)
{
  const int64_t q = plan->q;

  table->n = plan->n;
  if (plan->padded)
    {
      fill_chirp (work->simd, q, work->b, table->chirp);
      fill_kernel (plan, work, table);
      memcpy (table->factor, table->chirp, sizeof (double) * (gsize) (2 * q));
    }
  if (plan->radix == 1)
    return;
  fill_roots (work->simd, work->b, 2, plan->n, q);
  for (int64_t s = 1; s < plan->radix; s++)
    if (s == 1 && !plan->padded)
      memcpy (factor_of (table, plan, 1), work->b, sizeof (double) * (gsize) (2 * q));
    else
      work->simd->multiply (factor_of (table, plan, s), factor_of (table, plan, s - 1), work->b,
                            ARMILLA_SIMD_PLAIN, q);
}

/* Stores tables with their plan for later calls; other workers may do the same concurrently. */
static const ArmillaDftTables *
keep_tables (ArmillaDftPlan *plan, ArmillaDftWork *work)
{
  const ArmillaDftSizes sizes = { plan->n, plan->q, plan->padded };
  ArmillaDftTables *kept, *none = NULL;
  void *memory = NULL;
  gsize size = sizeof (double)
               * (gsize) (aligned_complex (sizes.n) + 32 + aligned_complex (sizes.q)
                          + aligned_complex (sizes.padded));

  if (posix_memalign (&memory, 64, 64 + size) != 0)
    return NULL;
  kept = memory;
  lay_out_tables (kept, &sizes, (double *) ((char *) memory + 64));
  fill_tables (plan, work, kept);
  if (__atomic_compare_exchange_n (&plan->kept, &none, kept, 0, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE))
    return kept;
  free (memory);
  return none;
}

ArmillaRingPhases *
armilla_dft_phases (const ArmillaDftPlan *plan, const ArmillaRingSlot *slot)
{
  ArmillaDftPlan *keeps = (ArmillaDftPlan *) plan;
  ArmillaRingPhases *kept = __atomic_load_n (&keeps->phases, __ATOMIC_ACQUIRE), *none = NULL;

  if (armilla_ring_starts_at_zero (slot))
    return NULL;
  if (kept || plan->n > KEPT_LENGTH)
    return kept && armilla_ring_phases_are (kept, slot) ? kept : NULL;
  kept = malloc (sizeof *kept);
  if (!kept)
    return NULL;
  *kept = ARMILLA_RING_PHASES_NONE;
  armilla_ring_phases_set (kept, slot);
  armilla_ring_phases_fill (kept);
  if (__atomic_compare_exchange_n (&keeps->phases, &none, kept, 0, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE))
    return kept;
  free (kept);
  return NULL;
}

/* Returns the tables of a length: those kept with its plan, those in scratch, or new ones that
 * replace the oldest in scratch. */
static const ArmillaDftTables *
find_tables (const ArmillaDftPlan *plan, ArmillaDftWork *work)
{
  const ArmillaDftTables *kept = __atomic_load_n (&plan->kept, __ATOMIC_ACQUIRE);
  ArmillaDftTables *table;

  if (!kept && plan->n <= KEPT_LENGTH)
    kept = keep_tables ((ArmillaDftPlan *) plan, work);
  if (kept)
    return kept;
  for (int i = 0; i < ARMILLA_DFT_TABLES; i++)
    if (work->table[i].n == plan->n)
      return &work->table[i];
  table = &work->table[work->next_table];
  work->next_table = (work->next_table + 1) % ARMILLA_DFT_TABLES;
  fill_tables (plan, work, table);
  return table;
}

/* Transforms part s of a sequence by a convolution with the chirp (chirp-z), and multiplies it by
 * the factors of the part: part[j] <- factor[s][j] / chirp[j] sum_k in[radix k + s] exp (2 pi i j k
 * / q). */
static void
convolve_part (const ArmillaDftPlan *plan, ArmillaDftWork *work, const ArmillaDftTables *table,
               const double *in, int64_t s, double *part)
{
  const int64_t q = plan->q, length = plan->padded;
  const ArmillaRingSimd *simd = work->simd;

  for (int64_t k = 0; k < q; k++)
    memcpy (work->a + 2 * k, in + 2 * (plan->radix * k + s), 2 * sizeof (double));
  simd->multiply (work->a, work->a, table->chirp, ARMILLA_SIMD_PLAIN, q);
  memset (work->a + 2 * q, 0, sizeof (double) * (gsize) (2 * (length - q)));
  fftw_execute_dft (plan->plan, (fftw_complex *) work->a, (fftw_complex *) work->b);
  /* The inverse transform is the conjugate of the transform of the conjugate: one plan suffices. */
  simd->multiply (work->a, work->b, table->kernel, ARMILLA_SIMD_CONJ, length);
  fftw_execute_dft (plan->plan, (fftw_complex *) work->a, (fftw_complex *) work->b);
  simd->multiply (part, work->b, factor_of (table, plan, s), ARMILLA_SIMD_CONJ_A, q);
}

void
armilla_dft_run (const ArmillaDftPlan *plan, ArmillaDftWork *work, double *in, double *out)
{
  const ArmillaDftTables *table = find_tables (plan, work);
  const int64_t radix = plan->radix, q = plan->q;

  if (plan->padded)
    for (int64_t s = 0; s < radix; s++)
      convolve_part (plan, work, table, in, s, out + 2 * q * s);
  else
    {
      fftw_execute_dft (plan->plan, (fftw_complex *) in, (fftw_complex *) out);
      for (int64_t s = 1; s < radix; s++)
        work->simd->multiply (out + 2 * q * s, out + 2 * q * s, factor_of (table, plan, s),
                              ARMILLA_SIMD_PLAIN, q);
    }
  if (radix == 4)
    work->simd->combine_four (out, q);
  else if (radix == 2)
    work->simd->combine_two (out, q);
}
