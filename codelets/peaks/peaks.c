/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/peaks/peaks.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#ifdef __x86_64__
#include <immintrin.h>
#elif defined __aarch64__
#include <arm_neon.h>
#endif

#include "codelets/legendre/delta-recurrence.h"

#define UNROLL _Pragma ("GCC unroll 24")
/* Two FMA units with a latency of four or five cycles need ten independent sums; x86's AVX2 has 16
 * registers for these and the two factors. Large ARM cores have four units and 32 registers. */
#ifdef __aarch64__
#define CHAINS 24
#else
#define CHAINS 12
#endif
#define ROUNDS 8
#define ROUND_SECONDS 0.006
/* larger than a core's caches, but quick to touch for the first time */
#define COPY_BYTES ((size_t) 32 << 20)
#define COPIES 8

static double
now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* A loop of @n steps x <- a x + b in all chains. |a| < 1, so that x stays a normal number. Returns
 * a value that the compiler cannot predict, so that it cannot remove the loop. */
typedef double (*Loop) (int64_t n, double a, double b);

/* Defines a loop. The empty asm keeps the compiler from interleaving two steps and from keeping
 * sums in memory. */
#define PEAK_LOOP(name, target, vector, lanes, set, fma_, registers)                               \
  target static double name (int64_t n, double a, double b)                                        \
  {                                                                                                \
    const vector va = set (a), vb = set (b);                                                       \
    double out[lanes], sum = 0;                                                                    \
    vector x[CHAINS], total;                                                                       \
                                                                                                   \
    UNROLL for (int i = 0; i < CHAINS; i++) x[i] = set (1 + 1e-3 * i);                             \
    for (int64_t k = 0; k < n; k++)                                                                \
      UNROLL for (int i = 0; i < CHAINS; i++)                                                      \
        {                                                                                          \
          x[i] = fma_ (x[i], va, vb);                                                              \
          __asm__ volatile ("" : "+" registers (x[i]));                                            \
        }                                                                                          \
    total = x[0];                                                                                  \
    UNROLL for (int i = 1; i < CHAINS; i++) total = total + x[i];                                  \
    memcpy (out, &total, sizeof out);                                                              \
    for (int i = 0; i < lanes; i++)                                                                \
      sum += out[i];                                                                               \
    return sum;                                                                                    \
  }

typedef double Pair __attribute__ ((vector_size (16)));

#define PAIR_SET(x) ((Pair) { (x), (x) })
/* The multiply-add of the portable kernels: a product and a sum if there is no FMA. */
#ifdef __aarch64__
#define PAIR_FMA(x, a, b) ((Pair) vfmaq_f64 (b, x, a))
#else
#define PAIR_FMA(x, a, b) ((x) * (a) + (b))
#endif

#ifdef __x86_64__
PEAK_LOOP (loop_portable, , Pair, 2, PAIR_SET, PAIR_FMA, "x")
PEAK_LOOP (loop_avx2, __attribute__ ((target ("avx2,fma"))), __m256d, 4, _mm256_set1_pd,
           _mm256_fmadd_pd, "x")
PEAK_LOOP (loop_avx512, __attribute__ ((target ("avx512f"))), __m512d, 8, _mm512_set1_pd,
           _mm512_fmadd_pd, "v")
#elif defined __aarch64__
PEAK_LOOP (loop_portable, , Pair, 2, PAIR_SET, PAIR_FMA, "w")
#else
PEAK_LOOP (loop_portable, , Pair, 2, PAIR_SET, PAIR_FMA, "m")
#endif

static Loop
loop_for (ArmillaIsa isa, int *lanes)
{
#ifdef __x86_64__
  if (isa != ARMILLA_ISA_PORTABLE)
    {
      *lanes = isa == ARMILLA_ISA_AVX512 ? 8 : 4;
      return isa == ARMILLA_ISA_AVX512 ? loop_avx512 : loop_avx2;
    }
#else
  (void) isa;
#endif
  *lanes = 2;
  return loop_portable;
}

/* Returns the operations per second of the fastest of several rounds. The first round also raises
 * the clock rate of an idle core. */
static double
measure_flops (void)
{
  volatile double unknown = 1e-9, sink;
  int lanes;
  Loop loop = loop_for (armilla_isa_detect (), &lanes);
  const double a = 1 - unknown, b = unknown;
  int64_t n = 4096;
  double best = 0;

  for (int r = 0; r < ROUNDS;)
    {
      double seconds = now ();

      sink = loop (n, a, b);
      seconds = now () - seconds;
      if (seconds < ROUND_SECONDS / 2) /* a round must be long compared with the clock's
                                        * resolution */
        {
          n *= 2;
          continue;
        }
      if (best < 2.0 * CHAINS * lanes * (double) n / seconds)
        best = 2.0 * CHAINS * lanes * (double) n / seconds;
      r++;
    }
  (void) sink;
  return best;
}

#ifdef __x86_64__
/* Copies aligned arrays by streaming stores, which bypass the caches. */
__attribute__ ((target ("avx2"))) static void
stream_copy (unsigned char *to, const unsigned char *from, size_t n)
{
  for (size_t i = 0; i < n; i += 4 * sizeof (__m256i))
    for (size_t j = i; j < i + 4 * sizeof (__m256i); j += sizeof (__m256i))
      _mm256_stream_si256 ((__m256i *) (to + j), _mm256_load_si256 ((const __m256i *) (from + j)));
  _mm_sfence ();
}
#endif

static void
copy (unsigned char *to, const unsigned char *from, size_t n)
{
#ifdef __x86_64__
  if (armilla_isa_detect () != ARMILLA_ISA_PORTABLE)
    {
      stream_copy (to, from, n);
      return;
    }
#endif
  memcpy (to, from, n);
  __asm__ volatile ("" : : "r" (to) : "memory"); /* keeps the compiler from removing the copy */
}

/* Returns the bytes per second, read and written, of the fastest of COPIES copies; 0 if memory
 * cannot be allocated. */
static double
measure_copy (void)
{
  unsigned char *memory = mmap (NULL, 2 * COPY_BYTES, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  double best = 0;

  if (memory == MAP_FAILED)
    return 0;
#ifdef MADV_HUGEPAGE
  (void) madvise (memory, 2 * COPY_BYTES, MADV_HUGEPAGE); /* if it fails, only the first touch is
                                                           * slower */
#endif
  memset (memory, 1, 2 * COPY_BYTES);
  for (int r = 0; r < COPIES; r++)
    {
      double seconds = now ();

      copy (memory + COPY_BYTES, memory, COPY_BYTES);
      seconds = now () - seconds;
      if (seconds > 0 && best < 2.0 * (double) COPY_BYTES / seconds)
        best = 2.0 * (double) COPY_BYTES / seconds;
    }
  if (munmap (memory, 2 * COPY_BYTES) != 0)
    return 0;
  return best;
}

/* Measures core_flops and core_bytes on the calling core, with the instruction set of
 * armilla_isa_detect (), in about 0.1 s and with 64 MiB of memory; core_bytes is 0 if this cannot
 * be allocated. Threads that spin on other cores lower the result, so StarPU should be paused. */
void
armilla_peaks_measure_core (ArmillaPeaks *peaks)
{
  peaks->core_flops = measure_flops ();
  peaks->core_bytes = measure_copy ();
}
