/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/rings/ring-fft-plans.h"

#include <algorithm>
#include <cstdio>
#include <new>

#include "codelets/rings/ring-fft-math.h"

/* A cuFFT plan takes milliseconds to make, and HEALPix's caps have thousands of ring lengths. So
 * only lengths of many rings in a block get a plan of their own; other rings are transformed by
 * chirp-z, padded to a power of two. Each batch has one plan; numbers of transforms are rounded up
 * to three binary digits, so that few plans per length suffice. */
#define DIRECT_COUPLES 8
#define SHORTEST_CHIRP 256
#define SMALL_BATCH_ELEMENTS (1 << 15)
#define CHUNK_BYTES ((int64_t) 128 << 20) /* cuFFT's work area takes at most as much again */
#define MAX_GRID 65535

cudaError_t
armilla_cuda_check (cudaError_t code, const char *what, ArmillaCudaMessage *message)
{
  if (code != cudaSuccess)
    snprintf (message->text, sizeof message->text, "%s: CUDA error %d, %s", what, (int) code,
              cudaGetErrorString (code));
  return code;
}

cudaError_t
armilla_cufft_check (cufftResult result, const char *what, int64_t length, int64_t batch,
                     ArmillaCudaMessage *message)
{
  if (result == CUFFT_SUCCESS)
    return cudaSuccess;
  snprintf (message->text, sizeof message->text,
            "%s (%lld transforms of %lld points): cuFFT error %d%s", what, (long long) batch,
            (long long) length, (int) result,
            result == CUFFT_ALLOC_FAILED ? ", out of memory" : "");
  return result == CUFFT_ALLOC_FAILED ? cudaErrorMemoryAllocation : cudaErrorUnknown;
}

ArmillaCudaFftPlans *
armilla_cuda_fft_plans_new (void)
{
  return new (std::nothrow) ArmillaCudaFftPlans;
}

/* Errors here mean that the device is lost, which the next launch will report. */
static void
block_release (ArmillaFftBlock *block)
{
  cudaFree (block->couples);
  cudaFree (block->absent);
}

void
armilla_cuda_fft_plans_free (ArmillaCudaFftPlans *plans)
{
  if (!plans)
    return;
  for (ArmillaFftPlan &plan : plans->plans)
    cufftDestroy (plan.handle);
  for (ArmillaFftBlock &block : plans->blocks)
    block_release (&block);
  delete plans;
}

int64_t
armilla_fft_batch (int64_t length, int64_t count)
{
  int64_t step = std::max<int64_t> (1, SMALL_BATCH_ELEMENTS / length);

  while (count > 8 * step)
    step *= 2;
  return (count + step - 1) / step * step;
}

const ArmillaFftPlan *
armilla_fft_find_plan (const ArmillaCudaFftPlans *plans, int64_t length, int64_t batch)
{
  for (const ArmillaFftPlan &plan : plans->plans)
    if (plan.length == length && plan.batch == batch)
      return &plan;
  return NULL;
}

/* Makes the plan of @batch transforms of a length if there is none. *work becomes at least the size
 * of its work area. */
static cudaError_t
need_plan (ArmillaCudaFftPlans *plans, int64_t length, int64_t batch, size_t *work,
           ArmillaCudaMessage *message)
{
  const ArmillaFftPlan *found = armilla_fft_find_plan (plans, length, batch);
  ArmillaFftPlan plan = { length, batch, 0, 0 };
  long long n = length;
  cufftResult result;

  if (found)
    {
      *work = std::max (*work, found->work);
      return cudaSuccess;
    }
  plans->plans.reserve (plans->plans.size () + 1);
  ARMILLA_CUDA_TRY (
      armilla_cufft_check (cufftCreate (&plan.handle), "making a plan", length, batch, message));
  result = cufftSetAutoAllocation (plan.handle, 0);
  if (result == CUFFT_SUCCESS)
    result = cufftMakePlanMany64 (plan.handle, 1, &n, NULL, 1, n, NULL, 1, n, CUFFT_Z2Z, batch,
                                  &plan.work);
  if (result != CUFFT_SUCCESS)
    {
      cufftDestroy (plan.handle);
      return armilla_cufft_check (result, "making a plan", length, batch, message);
    }
  plans->plans.push_back (plan);
  *work = std::max (*work, plan.work);
  return cudaSuccess;
}

int
armilla_cuda_fft_plans_add_length (ArmillaCudaFftPlans *plans, int64_t length, int64_t batch,
                                   size_t *work, ArmillaCudaMessage *message)
{
  *work = 0;
  try
    {
      return need_plan (plans, length, batch, work, message);
  } catch (const std::bad_alloc &)
    {
      return armilla_cuda_check (cudaErrorMemoryAllocation, "listing plans", message);
  }
}

static int64_t
chirp_length (int64_t n)
{
  const int64_t q = n / armilla_ring_radix (n);
  int64_t length = SHORTEST_CHIRP;

  while (length < 2 * q - 1)
    length *= 2;
  return length;
}

/* Lists couples and single rings in the order of their slots, like the CPU kernels. */
static void
list_couples (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
              std::vector<ArmillaRingCouple> *couples, std::vector<int64_t> *absent)
{
  for (int64_t i = 0; i < shape->n_slots; i += 2)
    {
      const bool whole = i + 1 < shape->n_slots;
      const bool together = whole && slots[i].n_phi == slots[i + 1].n_phi;

      for (int64_t j = i; j < i + (whole ? 2 : 1); j++)
        if (slots[j].n_phi == 0)
          absent->push_back (j);
        else if (!together || j == i)
          couples->push_back ({ j, together ? j + 1 : -1, slots[j].n_phi });
    }
}

/* Returns the number of transforms per couple: those of all fields and parts, and with chirp-z that
 * of the chirp. */
static int64_t
transforms_of (const ArmillaFftGroup &group, int64_t n_fields)
{
  return n_fields * group.radix + (group.direct ? 0 : 1);
}

/* Sorts the couples by group; the order within a group is kept. */
static void
make_groups (ArmillaFftBlock *block, std::vector<ArmillaRingCouple> *couples)
{
  std::vector<int64_t> lengths;
  const auto group_of = [&lengths] (const ArmillaRingCouple &couple) {
    const auto range = std::equal_range (lengths.begin (), lengths.end (), couple.n);
    const bool direct = range.second - range.first >= DIRECT_COUPLES;

    return ArmillaFftGroup{ direct ? couple.n : chirp_length (couple.n),
                            couple.n,
                            direct ? 1 : (int) armilla_ring_radix (couple.n),
                            direct,
                            0,
                            1,
                            1 };
  };
  const auto key_less = [] (const ArmillaFftGroup &a, const ArmillaFftGroup &b) {
    return a.direct != b.direct   ? a.direct < b.direct
           : a.length != b.length ? a.length < b.length
                                  : a.radix < b.radix;
  };

  for (const ArmillaRingCouple &couple : *couples)
    lengths.push_back (couple.n);
  std::sort (lengths.begin (), lengths.end ());
  std::stable_sort (couples->begin (), couples->end (),
                    [&] (const ArmillaRingCouple &a, const ArmillaRingCouple &b) {
                      return key_less (group_of (a), group_of (b));
                    });
  for (size_t i = 0; i < couples->size (); i++)
    {
      ArmillaFftGroup group = group_of ((*couples)[i]);

      group.first = (int64_t) i;
      if (block->groups.empty () || key_less (block->groups.back (), group))
        block->groups.push_back (group);
      else
        {
          block->groups.back ().n_couples++;
          block->groups.back ().longest = std::max (block->groups.back ().longest, group.longest);
        }
    }
  for (ArmillaFftGroup &group : block->groups)
    {
      const int64_t bytes = 16 * group.length * transforms_of (group, block->shape.n_fields);
      const int64_t max_couples
        = std::min<int64_t> (MAX_GRID, std::max<int64_t> (1, CHUNK_BYTES / bytes));
      const int64_t n_chunks = (group.n_couples + max_couples - 1) / max_couples;

      group.per_chunk = (group.n_couples + n_chunks - 1) / n_chunks;
    }
}

/* Fails, before cuFFT is called, if the longest couple of a group exceeds the device's memory. */
static cudaError_t
check_memory (const ArmillaFftGroup &group, int64_t n_fields, ArmillaCudaMessage *message)
{
  const double bytes
      = 16.0 * (double) group.length * (double) transforms_of (group, n_fields);
  size_t free_bytes = 0, total_bytes = 0;

  ARMILLA_CUDA_TRY (armilla_cuda_check (cudaMemGetInfo (&free_bytes, &total_bytes),
                                        "querying the device's memory", message));
  if (bytes <= (double) total_bytes)
    return cudaSuccess;
  snprintf (message->text, sizeof message->text,
            "a ring of %lld pixels needs %.3g GB of scratch, but the device has %.3g GB",
            (long long) group.longest, 1e-9 * bytes, 1e-9 * (double) total_bytes);
  return cudaErrorMemoryAllocation;
}

/* Makes the plans for the chunks of a group, full ones and the last one, and raises the sizes of
 * the scratch space of the block. */
static cudaError_t
plan_group (ArmillaCudaFftPlans *plans, ArmillaFftBlock *block, const ArmillaFftGroup &group,
            ArmillaCudaMessage *message)
{
  const int64_t n_fields = block->shape.n_fields;
  const int64_t last = (group.n_couples - 1) % group.per_chunk + 1;
  const int64_t sizes[2] = { group.per_chunk, last };

  ARMILLA_CUDA_TRY (check_memory (group, n_fields, message));
  for (int64_t n_couples : sizes)
    {
      const int64_t all = n_couples * transforms_of (group, n_fields);

      const int64_t data = n_couples * n_fields * group.radix;

      ARMILLA_CUDA_TRY (need_plan (plans, group.length, armilla_fft_batch (group.length, all),
                                   &block->work_bytes, message));
      ARMILLA_CUDA_TRY (need_plan (plans, group.length, armilla_fft_batch (group.length, data),
                                   &block->work_bytes, message));
      block->array_bytes = std::max (
          block->array_bytes, (size_t) (16 * group.length * armilla_fft_batch (group.length, all)));
    }
  return cudaSuccess;
}

static cudaError_t
upload (void **to, const void *from, size_t bytes, ArmillaCudaMessage *message)
{
  if (bytes == 0)
    return cudaSuccess;
  ARMILLA_CUDA_TRY (
      armilla_cuda_check (cudaMalloc (to, bytes), "allocating lists of rings", message));
  return armilla_cuda_check (cudaMemcpy (*to, from, bytes, cudaMemcpyHostToDevice),
                             "copying lists of rings", message);
}

static cudaError_t
fill_block (ArmillaCudaFftPlans *plans, ArmillaFftBlock *block, const ArmillaRingSlot *slots,
            ArmillaCudaMessage *message)
{
  std::vector<ArmillaRingCouple> couples;
  std::vector<int64_t> absent;

  list_couples (&block->shape, slots, &couples, &absent);
  make_groups (block, &couples);
  for (const ArmillaFftGroup &group : block->groups)
    ARMILLA_CUDA_TRY (plan_group (plans, block, group, message));
  block->array_bytes = (block->array_bytes + 255) / 256 * 256;
  block->n_absent = (int64_t) absent.size ();
  ARMILLA_CUDA_TRY (upload ((void **) &block->couples, couples.data (),
                            couples.size () * sizeof couples[0], message));
  return upload ((void **) &block->absent, absent.data (), absent.size () * sizeof absent[0],
                 message);
}

/* Sorts the rings of a block (host memory) into batches and makes the missing plans before the
 * graph runs: milliseconds to tens of milliseconds per plan, a few plans per grid. block is the
 * block's number for the other functions. Returns cudaSuccess, or an error with message. */
int
armilla_cuda_fft_plans_add (ArmillaCudaFftPlans *plans, const ArmillaRingShape *shape,
                            const ArmillaRingSlot *slots, int64_t *block,
                            ArmillaCudaMessage *message)
{
  ArmillaFftBlock added = {};
  cudaError_t code;

  added.shape = *shape;
  try
    {
      plans->blocks.reserve (plans->blocks.size () + 1);
      code = fill_block (plans, &added, slots, message);
      if (code == cudaSuccess)
        {
          *block = (int64_t) plans->blocks.size ();
          plans->blocks.push_back (std::move (added));
          return cudaSuccess;
        }
  } catch (const std::bad_alloc &)
    {
      code = armilla_cuda_check (cudaErrorMemoryAllocation, "listing rings", message);
  }
  block_release (&added);
  return code;
}

/* Returns the number of bytes of scratch in device memory that the launches of a block need (-1: of
 * the largest block), up to 256 MiB except for rings of millions of pixels. */
size_t
armilla_cuda_fft_plans_scratch (const ArmillaCudaFftPlans *plans, int64_t block)
{
  size_t bytes = 0;

  for (size_t i = 0; i < plans->blocks.size (); i++)
    if (block < 0 || (size_t) block == i)
      bytes = std::max (bytes, plans->blocks[i].array_bytes + plans->blocks[i].work_bytes);
  return bytes;
}

int64_t
armilla_cuda_fft_plans_count (const ArmillaCudaFftPlans *plans)
{
  return (int64_t) plans->plans.size ();
}
