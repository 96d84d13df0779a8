/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms of arrays in memory, for programs that have their own. Plain C: neither GLib nor
 * StarPU shows. A session has the workers; a plan is one transform, made ready; arrays are read
 * and written where they lie. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ArmillaStatus:
 * @ARMILLA_STATUS_OK: all went well
 * @ARMILLA_STATUS_ARGUMENT: an argument is wrong; the text begins with its name
 * @ARMILLA_STATUS_MEMORY: there is not enough memory
 * @ARMILLA_STATUS_NUMERIC: an iteration does not converge. NaN in an input is no error: it spreads
 *   to what depends on it
 * @ARMILLA_STATUS_CANCELLED: armilla_session_cancel() was called
 * @ARMILLA_STATUS_SESSION: the session does not start, or belongs to another process
 * @ARMILLA_STATUS_FILE: a file of a workflow cannot be read, written or believed
 *
 * What a call returns.
 */
typedef enum {
  ARMILLA_STATUS_OK,
  ARMILLA_STATUS_ARGUMENT,
  ARMILLA_STATUS_MEMORY,
  ARMILLA_STATUS_NUMERIC,
  ARMILLA_STATUS_CANCELLED,
  ARMILLA_STATUS_SESSION,
  ARMILLA_STATUS_FILE
} ArmillaStatus;

/**
 * ArmillaFailure:
 * @text: what is wrong, where, and what to do, in UTF-8; cut off where it is longer
 *
 * Filled by a call that does not return %ARMILLA_STATUS_OK.
 */
typedef struct {
  char text[1024];
} ArmillaFailure;

/**
 * ArmillaArrayType:
 * @ARMILLA_FLOAT64: double, and for a_lm pairs of them, real and imaginary part
 * @ARMILLA_FLOAT32: float, or pairs of them; all arithmetic is in double
 *
 * Type of an array's numbers. A window or a spectrum is real; a_lm are complex.
 */
typedef enum { ARMILLA_FLOAT64, ARMILLA_FLOAT32 } ArmillaArrayType;

/* An array is in the memory of the host. */
#define ARMILLA_HOST 0
/* An array is in the memory of GPU n, as CUDA counts them from 0. */
#define ARMILLA_GPU(n) ((n) + 1)

/**
 * ArmillaArray:
 * @data: the first number
 * @type: type of the numbers
 * @shape: [copy][component][number]: how many there are along each axis
 * @strides: bytes from one to the next along each axis; may be negative, and 0 for an input
 * @device: whose memory it is in: ARMILLA_HOST, which is 0, or ARMILLA_GPU(). CUDA knows by its
 *   address which GPU that is; the number counts for managed memory
 * @stream: (nullable): of an array on a GPU, the CUDA stream (cudaStream_t) of the caller's that
 *   writes or reads it; %NULL: the default stream
 *
 * An array of the caller's. Copies are the members of a batch; components those of one transform
 * (one of spin 0, two of any other spin: Q and U, or E and B); numbers are pixels in ring order,
 * a_lm in healpy's order, or degrees from 0.
 *
 * All arrays of a call are in one memory. Those on a GPU are read and written by that GPU alone,
 * whichever is current; a call leaves the caller's thread on the GPU that it was on.
 * A call waits for what was queued on @stream before it, and returns when its outputs are written,
 * so that whatever is queued afterwards finds them.
 */
typedef struct {
  void *data;
  ArmillaArrayType type;
  int64_t shape[3];
  int64_t strides[3];
  int device;
  void *stream;
} ArmillaArray;

/**
 * ArmillaSessionOptions:
 * @cores: how many cores work; 0: as many as the environment variable STARPU_NCPU says, or
 *   OMP_NUM_THREADS, or as this process may use
 * @memory: bytes of memory that the process may take, its own data and the arrays included; 0:
 *   all. A call fails with ARMILLA_STATUS_MEMORY if these leave nothing of it. What does not fit
 *   goes to the disk
 * @without_gpus: whether to leave alone the GPUs, all of which work otherwise, or those that the
 *   environment variable STARPU_NCUDA leaves
 * @communicator: (nullable): %NULL: this process computes alone, even under mpirun. Otherwise the
 *   address of an MPI_Comm, whose ranks share the work; the communicator must live as long as the
 *   session, its address only until armilla_session_new() returns. MPI runs already, with
 *   MPI_THREAD_MULTIPLE. Needs StarPU 1.4
 *
 * How a session shall work.
 *
 * With a communicator, all of its ranks make the same calls in the same order, from one thread at a
 * time: those that make, use and free sessions and plans. Arrays have the same shapes on all ranks.
 * Inputs must hold the same numbers on every rank, as each reads what its share of the work needs;
 * outputs are whole on every rank, with the bits of one process. A call fails on all ranks, or on
 * none: where an argument is wrong on one rank, the others' text begins with `rank N: `. A rank
 * that cannot make a call which the others make calls armilla_session_refuse() instead.
 */
typedef struct {
  int cores;
  int64_t memory;
  int without_gpus;
  const void *communicator;
} ArmillaSessionOptions;

/**
 * ArmillaSession:
 *
 * The workers of this process: one session of a process at a time has them. They start with the
 * first call that needs them, and sleep between calls. All functions may be called from any
 * thread; calls of several threads are done one after the other.
 */
typedef struct ArmillaSession ArmillaSession;

/**
 * armilla_session_new:
 * @options: (nullable): how it shall work; copied. %NULL: with all cores and all memory, for this
 *   process alone
 *
 * Returns: (transfer full): a session whose workers have not started yet
 */
ArmillaSession *armilla_session_new (const ArmillaSessionOptions *options);

/**
 * armilla_session_start:
 * @session: a session
 * @failure: (nullable): filled unless it starts
 *
 * Starts the workers now, if they do not run yet. Collective, where there is a communicator.
 *
 * Returns: %ARMILLA_STATUS_SESSION where they do not start
 */
ArmillaStatus armilla_session_start (ArmillaSession *session, ArmillaFailure *failure);

/**
 * armilla_session_stop:
 * @session: a session
 *
 * Waits for the call that is being done, and stops the workers. The next call starts them again.
 * Collective, where there is a communicator: no rank's stop before all have come to it.
 * Does nothing in a fork of the process that started them.
 */
void armilla_session_stop (ArmillaSession *session);

/**
 * armilla_session_cancel:
 * @session: a session
 *
 * Has the call that another thread waits for fail with %ARMILLA_STATUS_CANCELLED as soon as the
 * tasks that run are done. Never waits.
 *
 * Returns: whether it could be done: 0 where no call runs, or the moment was wrong; try again
 */
int armilla_session_cancel (ArmillaSession *session);

/**
 * armilla_session_refuse:
 * @session: a session
 * @why: (nullable): what is wrong, as a text of #ArmillaFailure
 * @failure: (nullable): filled
 *
 * Instead of a call that the other ranks of the session's communicator make, or will make, by a
 * rank that has found something wrong with it before it came to the call: theirs fails, too.
 * Without a communicator this does nothing.
 *
 * Returns: %ARMILLA_STATUS_ARGUMENT, or how it went with the rank whose error this is
 */
ArmillaStatus armilla_session_refuse (ArmillaSession *session, const char *why,
                                      ArmillaFailure *failure);

/**
 * armilla_session_cores:
 * @session: a session
 *
 * Returns: how many cores work for it; 0 while its workers do not run
 */
int armilla_session_cores (ArmillaSession *session);

/**
 * armilla_session_gpus:
 * @session: a session
 *
 * Returns: how many GPUs work for it; 0 while its workers do not run
 */
int armilla_session_gpus (ArmillaSession *session);

/**
 * armilla_session_note:
 * @session: a session
 * @note: (nullable): filled with what the user should know about the start of the workers
 *
 * Returns: whether there is such a note; 0 while the workers do not run
 */
int armilla_session_note (ArmillaSession *session, ArmillaFailure *note);

/**
 * armilla_session_free:
 * @session: (transfer full) (nullable): a session
 *
 * Stops it, unless there are plans that use it: then the last of them does. Collective, where there
 * is a communicator; MPI must still run.
 */
void armilla_session_free (ArmillaSession *session);

/**
 * ArmillaGeometry:
 * @ARMILLA_GEOMETRY_HEALPIX: HEALPix in RING order, any nside
 * @ARMILLA_GEOMETRY_GAUSS_LEGENDRE: Gauss-Legendre nodes
 * @ARMILLA_GEOMETRY_FEJER1: equiangular, theta = (i + 1/2) pi / n
 * @ARMILLA_GEOMETRY_CLENSHAW_CURTIS: equiangular with both poles, theta = i pi / (n - 1)
 * @ARMILLA_GEOMETRY_DRISCOLL_HEALY: equiangular with the north pole only, theta = i pi / n, n even
 * @ARMILLA_GEOMETRY_RINGS: rings that the caller lists
 *
 * Where pixels lie. The numbers are those of #ArmillaGridKind.
 */
typedef enum {
  ARMILLA_GEOMETRY_HEALPIX,
  ARMILLA_GEOMETRY_GAUSS_LEGENDRE,
  ARMILLA_GEOMETRY_FEJER1,
  ARMILLA_GEOMETRY_CLENSHAW_CURTIS,
  ARMILLA_GEOMETRY_DRISCOLL_HEALY,
  ARMILLA_GEOMETRY_RINGS
} ArmillaGeometry;

/**
 * ArmillaRings:
 * @n: number of rings
 * @theta: (array length=n): co-latitudes, radian
 * @phi0: (array length=n): azimuth of the first pixel of each, radian
 * @weight: (array length=n) (nullable): quadrature weight of each pixel of a ring, steradian;
 *   %NULL: 1, which analyses need to be told
 * @n_phi: (array length=n): number of pixels of each, equidistant in azimuth
 * @first: (array length=n): number of the first pixel of each in the map
 *
 * Rings of the caller's, from north to south.
 */
typedef struct {
  int64_t n;
  const double *theta, *phi0, *weight;
  const int64_t *n_phi, *first;
} ArmillaRings;

/**
 * ArmillaPlanShape:
 * @geometry: where the pixels of the map lie
 * @nside: for HEALPix
 * @n_theta: number of rings of a Gauss-Legendre or equiangular grid
 * @n_phi: number of pixels of each of these rings
 * @rings: (nullable): for %ARMILLA_GEOMETRY_RINGS
 * @ring_weights: (array length=n_ring_weights) (nullable): factors of the quadrature weights, for
 *   the rings from the north pole to the equator, of which the southern ones are mirror images;
 *   HEALPix has 2 nside of them
 * @n_ring_weights: how many
 * @lmax: highest degree
 * @mmax: highest order, at most @lmax
 * @spins: (array length=n_spins): spin of each transform of a copy, 0 to 3: {0} for a scalar,
 *   {0, 2} for I, Q and U
 * @n_spins: how many
 * @copies: how many of these a batch has. A copy may differ in its last bits from the same
 *   transform alone, as sums are made in the order that is fastest for so many
 *
 * A transform between a_lm and a map. A copy has a component for each spin 0 and two for any other.
 */
typedef struct {
  ArmillaGeometry geometry;
  int64_t nside, n_theta, n_phi;
  const ArmillaRings *rings;
  const double *ring_weights;
  int64_t n_ring_weights;
  int64_t lmax, mmax;
  const int *spins;
  int n_spins, copies;
} ArmillaPlanShape;

/**
 * ArmillaAnalysis:
 * @iterations: residual iterations, 0 or more, as healpy's `iter`; -1: what the grid needs, see
 *   armilla_plan_choose_analysis()
 * @tolerance: 0, or above 0 for least squares by conjugate gradients instead: norm of the residual
 *   of the normal equations over that of their right-hand side, of all copies together
 * @max_iterations: those of conjugate gradients that may not do before the call fails
 *
 * How an analysis goes about it.
 */
typedef struct {
  int iterations;
  double tolerance;
  int max_iterations;
} ArmillaAnalysis;

/**
 * ArmillaPlan:
 *
 * A transform with what it keeps from call to call: recurrence coefficients, plans of FFTs, tasks.
 */
typedef struct ArmillaPlan ArmillaPlan;

/**
 * armilla_plan_new:
 * @session: a session; may be freed before the plan is
 * @shape: what it shall transform; not needed afterwards
 * @plan: (out) (transfer full): the plan
 * @failure: (nullable): filled where there is none
 *
 * Nothing is computed yet: the first call makes what the plan keeps.
 *
 * Returns: %ARMILLA_STATUS_ARGUMENT where there is no such transform, %ARMILLA_STATUS_SESSION in a
 *   fork of the process that started the session's workers
 */
ArmillaStatus armilla_plan_new (ArmillaSession *session, const ArmillaPlanShape *shape,
                                ArmillaPlan **plan, ArmillaFailure *failure);

/**
 * armilla_plan_choose_analysis:
 * @plan: a plan
 * @how: (inout): how to analyse; @iterations of -1 become what the grid needs: none where its
 *   quadrature is exact up to lmax, 3 for HEALPix and rings of the caller's, or a @tolerance of
 *   1e-12 where a grid of Fejer or of Clenshaw and Curtis holds more than its quadrature does
 * @failure: (nullable): filled where it is to choose, and the grid does not hold the a_lm
 *
 * What armilla_plan_analysis() does with @how.
 *
 * Returns: how it went
 */
ArmillaStatus armilla_plan_choose_analysis (const ArmillaPlan *plan, ArmillaAnalysis *how,
                                            ArmillaFailure *failure);

/**
 * armilla_plan_n_pixels:
 * @plan: a plan
 *
 * Returns: pixels of a map
 */
int64_t armilla_plan_n_pixels (const ArmillaPlan *plan);

/**
 * armilla_plan_n_alm:
 * @plan: a plan
 *
 * Returns: complex coefficients of a component, m >= 0 only: that of degree l and order m has the
 *   number m (2 lmax + 1 - m) / 2 + l
 */
int64_t armilla_plan_n_alm (const ArmillaPlan *plan);

/**
 * armilla_plan_n_components:
 * @plan: a plan
 *
 * Returns: components of a copy: one for each spin 0, two for any other
 */
int armilla_plan_n_components (const ArmillaPlan *plan);

/**
 * armilla_plan_synthesis:
 * @plan: a plan
 * @alm: a_lm, [copy][component][coefficient]; imaginary parts of m = 0 count as 0
 * @map: [copy][component][pixel]; written
 * @failure: (nullable): filled where it fails; what is in @map then means nothing
 *
 * f(p) = sum_lm a_lm Y_lm(p), as healpy's alm2map; a pair of spin s as its alm2map_spin.
 *
 * Returns: how it went
 */
ArmillaStatus armilla_plan_synthesis (ArmillaPlan *plan, const ArmillaArray *alm,
                                      const ArmillaArray *map, ArmillaFailure *failure);

/**
 * armilla_plan_adjoint_synthesis:
 * @plan: a plan
 * @map: [copy][component][pixel]; pixels of the value UNSEEN (-1.6375e30) count as 0
 * @alm: a_lm, [copy][component][coefficient]; written
 * @failure: (nullable): filled where it fails; what is in @alm then means nothing
 *
 * a_lm = sum_p f(p) conj Y_lm(p), without weights: the adjoint of armilla_plan_synthesis(), where
 * the product of a and b is the sum over all m of a_lm conj(b_lm), those of m < 0 included.
 *
 * Returns: how it went
 */
ArmillaStatus armilla_plan_adjoint_synthesis (ArmillaPlan *plan, const ArmillaArray *map,
                                              const ArmillaArray *alm, ArmillaFailure *failure);

/**
 * armilla_plan_analysis:
 * @plan: a plan
 * @map: [copy][component][pixel]; pixels of the value UNSEEN (-1.6375e30) count as 0
 * @alm: a_lm, [copy][component][coefficient]; written
 * @how: (nullable): iterations; %NULL for none
 * @failure: (nullable): filled where it fails; what is in @alm then means nothing
 *
 * a_lm = sum_p w(p) f(p) conj Y_lm(p) with the quadrature weights of the rings, and what @how adds,
 * as healpy's map2alm.
 *
 * Returns: how it went; %ARMILLA_STATUS_NUMERIC where conjugate gradients do not converge,
 *   %ARMILLA_STATUS_ARGUMENT where @how leaves iterations to the grid, and that does not hold the
 *   a_lm
 */
ArmillaStatus armilla_plan_analysis (ArmillaPlan *plan, const ArmillaArray *map,
                                     const ArmillaArray *alm, const ArmillaAnalysis *how,
                                     ArmillaFailure *failure);

/**
 * armilla_plan_adjoint_analysis:
 * @plan: a plan
 * @alm: a_lm, [copy][component][coefficient]
 * @map: [copy][component][pixel]; written
 * @failure: (nullable): filled where it fails; what is in @map then means nothing
 *
 * f(p) = w(p) sum_lm a_lm Y_lm(p): the adjoint of armilla_plan_analysis() without iterations.
 *
 * Returns: how it went
 */
ArmillaStatus armilla_plan_adjoint_analysis (ArmillaPlan *plan, const ArmillaArray *alm,
                                             const ArmillaArray *map, ArmillaFailure *failure);

/**
 * armilla_plan_gradient:
 * @plan: a plan of the spins {1}
 * @alm: a_lm of scalars, [copy][1][coefficient]
 * @map: [copy][2][pixel]: the derivative in theta, and the derivative in phi over sin theta, for
 *   angles in radian; written
 * @failure: (nullable): filled where it fails; what is in @map then means nothing
 *
 * Returns: how it went
 */
ArmillaStatus armilla_plan_gradient (ArmillaPlan *plan, const ArmillaArray *alm,
                                     const ArmillaArray *map, ArmillaFailure *failure);

/**
 * armilla_plan_adjoint_gradient:
 * @plan: a plan of the spins {1}
 * @map: [copy][2][pixel]
 * @alm: a_lm of scalars, [copy][1][coefficient]; written
 * @failure: (nullable): filled where it fails; what is in @alm then means nothing
 *
 * The adjoint of armilla_plan_gradient().
 *
 * Returns: how it went
 */
ArmillaStatus armilla_plan_adjoint_gradient (ArmillaPlan *plan, const ArmillaArray *map,
                                             const ArmillaArray *alm, ArmillaFailure *failure);

/**
 * armilla_plan_free:
 * @plan: (transfer full) (nullable): a plan, and what it keeps
 */
void armilla_plan_free (ArmillaPlan *plan);

#ifdef __cplusplus
}
#endif
