/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms of arrays in memory, for other programs. Plain C: neither GLib nor StarPU is visible.
 * A session owns the workers; a plan is one prepared transform; arrays are accessed in place. */
#pragma once

#include <stdint.h>

#include <armilla/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ArmillaStatus:
 * @ARMILLA_STATUS_OK: success
 * @ARMILLA_STATUS_ARGUMENT: an argument is wrong; the text begins with its name
 * @ARMILLA_STATUS_MEMORY: out of memory
 * @ARMILLA_STATUS_NUMERIC: an iteration does not converge. NaN in an input is not an error: it
 *   propagates to all results that depend on it
 * @ARMILLA_STATUS_CANCELLED: armilla_session_cancel() was called
 * @ARMILLA_STATUS_SESSION: the session cannot start, or belongs to another process
 * @ARMILLA_STATUS_FILE: a file of a workflow is unreadable, unwritable or damaged
 *
 * Status of a call.
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
 * @text: what is wrong, where, and what to do, in UTF-8; truncated if longer
 *
 * Set by a call that does not return %ARMILLA_STATUS_OK.
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

/* Value of ArmillaArray.device: the array is in main memory. */
#define ARMILLA_HOST 0
/* Value of ArmillaArray.device: the array is in the memory of CUDA device n, from 0. */
#define ARMILLA_GPU(n) ((n) + 1)

/**
 * ArmillaArray:
 * @data: the first number
 * @type: type of the numbers
 * @shape: [copy][component][number]: length of each axis
 * @strides: bytes between elements along each axis; may be negative, or 0 for an input
 * @device: memory that holds the array: ARMILLA_HOST, which is 0, or ARMILLA_GPU(). CUDA determines
 *   the GPU from the address; the number is used for managed memory only
 * @stream: (nullable): for an array on a GPU, the caller's CUDA stream (cudaStream_t) that
 *   writes or reads it; %NULL: the default stream
 *
 * An array in the caller's memory. Copies are the members of a batch; components those of one
 * transform (one of spin 0, two of any other spin: Q and U, or E and B); numbers are pixels in ring
 * order, a_lm in healpy's order, or multipoles from 0.
 *
 * All arrays of a call must be in one memory. Those on a GPU are accessed by that GPU only,
 * whichever is current; a call does not change the current GPU of the caller's thread. A call waits
 * for work queued earlier on @stream, and returns when its outputs are written, so that work queued
 * afterwards sees them.
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
 * @cores: number of CPU workers; 0: that of the environment variable STARPU_NCPU, or
 *   OMP_NUM_THREADS, or the cores available to this process
 * @memory: bytes of memory that the process may use, including its own data and the arrays; 0:
 *   all. A call fails with ARMILLA_STATUS_MEMORY if they leave no memory for the computation. Tiles
 *   that do not fit are written to the disk
 * @without_gpus: whether to use no GPUs; otherwise all are used, or as many as the
 *   environment variable STARPU_NCUDA sets
 * @communicator: (nullable): %NULL: this process computes alone, even under mpirun. Otherwise the
 *   address of an MPI_Comm, whose ranks share the work; the communicator must live as long as the
 *   session, its address only until armilla_session_new() returns. MPI must be initialised with
 *   MPI_THREAD_MULTIPLE. Requires StarPU 1.4
 *
 * Options of a session.
 *
 * With a communicator, all of its ranks must create, use and free sessions and plans by the same
 * calls in the same order, from one thread at a time. Arrays have the same shapes on all ranks.
 * Inputs must hold the same numbers on every rank, since each rank reads the part that its share of
 * the work needs; outputs are complete on every rank, with the same bits as in one process. A call
 * fails on all ranks or on none: if an argument is wrong on rank N, the text on the other ranks
 * begins with `rank N: `. A rank that cannot make a call that the others make must call
 * armilla_session_refuse() instead.
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
 * The workers of this process: one session per process at a time owns them. They start with the
 * first call that needs them, and sleep between calls. All functions are thread-safe; calls from
 * several threads are executed one after the other.
 */
typedef struct ArmillaSession ArmillaSession;

/**
 * armilla_session_new:
 * @options: (nullable): options; copied. %NULL: all cores and all memory, for this
 *   process alone
 *
 * Returns: (transfer full): a session whose workers have not started yet
 */
ArmillaSession *armilla_session_new (const ArmillaSessionOptions *options);

/**
 * armilla_session_start:
 * @session: a session
 * @failure: (nullable): set on failure
 *
 * Starts the workers now unless they are running. Collective if there is a communicator.
 *
 * Returns: %ARMILLA_STATUS_SESSION if they cannot start
 */
ArmillaStatus armilla_session_start (ArmillaSession *session, ArmillaFailure *failure);

/**
 * armilla_session_stop:
 * @session: a session
 *
 * Waits for the running call, and stops the workers. The next call starts them again. Collective if
 * there is a communicator: the workers of a rank stop after all ranks have called this function.
 * Does nothing in a fork of the process that started the workers.
 */
void armilla_session_stop (ArmillaSession *session);

/**
 * armilla_session_cancel:
 * @session: a session
 *
 * Makes the running call of another thread fail with %ARMILLA_STATUS_CANCELLED as soon as the
 * running tasks are done. Never waits.
 *
 * Returns: 1 if a call was cancelled; 0 if no call is running, or if the caller must try again
 */
int armilla_session_cancel (ArmillaSession *session);

/**
 * armilla_session_refuse:
 * @session: a session
 * @why: (nullable): what is wrong, as a text of #ArmillaFailure
 * @failure: (nullable): set to the error that is reported
 *
 * Called by a rank that has found an error before a call that the other ranks of the session's
 * communicator make: their call fails too. Does nothing without a communicator.
 *
 * Returns: %ARMILLA_STATUS_ARGUMENT, or the status of the rank whose error is reported
 */
ArmillaStatus armilla_session_refuse (ArmillaSession *session, const char *why,
                                      ArmillaFailure *failure);

/**
 * armilla_session_cores:
 * @session: a session
 *
 * Returns: number of the session's CPU workers; 0 while they are not running
 */
int armilla_session_cores (ArmillaSession *session);

/**
 * armilla_session_gpus:
 * @session: a session
 *
 * Returns: number of GPUs that the session uses; 0 while its workers are not running
 */
int armilla_session_gpus (ArmillaSession *session);

/**
 * armilla_session_note:
 * @session: a session
 * @note: (nullable): set to a message for the user about the start of the workers
 *
 * Returns: 1 if there is a message, otherwise 0; 0 while the workers are not running
 */
int armilla_session_note (ArmillaSession *session, ArmillaFailure *note);

/**
 * armilla_session_free:
 * @session: (transfer full) (nullable): a session
 *
 * Stops and frees the session; if plans use it, when the last plan is freed. Collective if there is
 * a communicator; MPI must not be finalised.
 */
void armilla_session_free (ArmillaSession *session);

/**
 * ArmillaRings:
 * @n: number of rings
 * @theta: (array length=n): co-latitudes, radian
 * @phi0: (array length=n): azimuth of the first pixel of each ring, radian
 * @weight: (array length=n) (nullable): quadrature weight of each pixel of a ring, steradian;
 *   %NULL: 1, which is not suitable for analyses
 * @n_phi: (array length=n): number of pixels of each ring, equidistant in azimuth
 * @first: (array length=n): index in the map of the first pixel of each ring
 *
 * Rings defined by the caller, from north to south.
 */
typedef struct {
  int64_t n;
  const double *theta, *phi0, *weight;
  const int64_t *n_phi, *first;
} ArmillaRings;

/**
 * ArmillaPositions:
 * @n: number of points
 * @theta: (array length=n): co-latitudes from 0 to pi, radian
 * @phi: (array length=n): azimuths, radian
 * @epsilon: maximum rms error of values at the points, relative to their rms: 2e-13 to 1e-3
 *
 * Points anywhere on the sphere, in any order.
 */
typedef struct {
  int64_t n;
  const double *theta, *phi;
  double epsilon;
} ArmillaPositions;

/**
 * ArmillaPlanShape:
 * @geometry: pixelisation of the map
 * @nside: resolution parameter of HEALPix; ignored for other grids
 * @n_theta: number of rings of a Gauss-Legendre or equiangular grid
 * @n_phi: number of pixels of each of these rings
 * @rings: (nullable): the rings, if @geometry is %ARMILLA_GRID_RINGS; ignored otherwise
 * @ring_weights: (array length=n_ring_weights) (nullable): factors of the quadrature weights, for
 *   the rings from the north pole to the equator; the southern rings get those of their mirror
 *   images. HEALPix has 2 nside such rings
 * @n_ring_weights: number of @ring_weights
 * @lmax: highest multipole
 * @mmax: highest order, at most @lmax
 * @spins: (array length=n_spins): spin of each transform of a copy, from 0 to 3: {0} for a scalar,
 *   {0, 2} for I, Q and U
 * @n_spins: number of @spins
 * @car: (nullable): an image that determines the grid, instead of @geometry, @nside, @n_theta and
 *   @n_phi. Maps have the rings of its rows, from north to south; the first pixels of each ring,
 *   eastwards, are those of the image, and the others are outside it
 * @positions: (nullable): points, instead of a grid; copied. Numbers of a map are values at the
 *   points; those of spin s > 0 are Q and U in the basis of the point, at a pole that of its
 *   azimuth. Maps must be in host memory. The first call sorts the points, later ones do not. There
 *   are no analyses but least squares, and no armilla_plan_adjoint_analysis()
 * @copies: number of copies in a batch. On CPUs a copy has the same bits as the same transform
 *   alone; on GPUs it may differ in its last bits
 *
 * A transform between a_lm and a map. A copy has a component for each spin 0 and two for any other.
 */
typedef struct {
  ArmillaGridKind geometry;
  int64_t nside, n_theta, n_phi;
  const ArmillaRings *rings;
  const double *ring_weights;
  int64_t n_ring_weights;
  int64_t lmax, mmax;
  const int *spins;
  int n_spins, copies;
  const ArmillaCar *car;
  const ArmillaPositions *positions;
} ArmillaPlanShape;

/**
 * armilla_car_read:
 * @header: cards of a FITS header, 80 characters each, ended by 0
 * @n_x: number of columns of the image
 * @n_y: number of rows of the image
 * @car: (out caller-allocates): the image
 * @shape: (inout): @geometry, @n_theta and @n_phi are set to those of the whole sky, @car to @car
 * @coordinates: (out) (transfer none): "C" equatorial, "G" galactic or "E" ecliptic
 * @failure: (nullable): set on failure
 *
 * Reads the WCS of an image in the projection CAR.
 *
 * Returns: %ARMILLA_STATUS_ARGUMENT with the reason if the image has another projection or rotated
 *   axes, or its rows are not rings of a grid
 */
ArmillaStatus armilla_car_read (const char *header, int64_t n_x, int64_t n_y, ArmillaCar *car,
                                ArmillaPlanShape *shape, const char **coordinates,
                                ArmillaFailure *failure);

/**
 * ArmillaAnalysis:
 * @iterations: residual iterations, 0 or more, as healpy's `iter`; -1: the number that the grid
 *   needs, see armilla_plan_choose_analysis()
 * @tolerance: 0 for residual iterations. Above 0, least squares are solved by conjugate gradients
 *   instead, until the norm of the residual of the normal equations relative to that of their
 *   right-hand side is at most @tolerance, for each copy (on GPUs for all copies together)
 * @max_iterations: maximum number of iterations of conjugate gradients
 *
 * Options of an analysis.
 */
typedef struct {
  int iterations;
  double tolerance;
  int max_iterations;
} ArmillaAnalysis;

/**
 * ArmillaPlan:
 *
 * A transform with the data that are reused by later calls: recurrence coefficients, plans of FFTs,
 * tasks.
 */
typedef struct ArmillaPlan ArmillaPlan;

/**
 * armilla_plan_new:
 * @session: a session; may be freed before the plan is
 * @shape: description of the transform; not needed afterwards
 * @plan: (out) (transfer full): the plan
 * @failure: (nullable): set on failure
 *
 * Nothing is computed yet: the first call creates the data that the plan keeps.
 *
 * Returns: %ARMILLA_STATUS_ARGUMENT if @shape is invalid, %ARMILLA_STATUS_SESSION in a fork of the
 *   process that started the session's workers
 */
ArmillaStatus armilla_plan_new (ArmillaSession *session, const ArmillaPlanShape *shape,
                                ArmillaPlan **plan, ArmillaFailure *failure);

/**
 * armilla_plan_choose_analysis:
 * @plan: a plan
 * @how: (inout): options; @iterations of -1 are replaced by 3 for HEALPix and the caller's own
 *   rings, and by 0 for other grids
 * @failure: (nullable): set if the grid does not determine the a_lm
 *
 * Sets the options that armilla_plan_analysis() uses if @iterations is -1.
 *
 * Returns: the status
 */
ArmillaStatus armilla_plan_choose_analysis (const ArmillaPlan *plan, ArmillaAnalysis *how,
                                            ArmillaFailure *failure);

/**
 * armilla_plan_n_pixels:
 * @plan: a plan
 *
 * Returns: number of pixels of a map
 */
int64_t armilla_plan_n_pixels (const ArmillaPlan *plan);

/**
 * armilla_plan_n_alm:
 * @plan: a plan
 *
 * Returns: number of complex coefficients of a component, m >= 0 only: a_lm has the index
 *   m (2 lmax + 1 - m) / 2 + l
 */
int64_t armilla_plan_n_alm (const ArmillaPlan *plan);

/**
 * armilla_plan_n_components:
 * @plan: a plan
 *
 * Returns: number of components of a copy: one for each spin 0, two for any other
 */
int armilla_plan_n_components (const ArmillaPlan *plan);

/**
 * armilla_plan_synthesis:
 * @plan: a plan
 * @alm: a_lm, [copy][component][coefficient]; imaginary parts of m = 0 count as 0
 * @map: [copy][component][pixel]; output
 * @failure: (nullable): set on failure; @map is then undefined
 *
 * f(p) = sum_lm a_lm Y_lm(p), like healpy's alm2map; pairs of spin s like its alm2map_spin.
 *
 * Returns: the status
 */
ArmillaStatus armilla_plan_synthesis (ArmillaPlan *plan, const ArmillaArray *alm,
                                      const ArmillaArray *map, ArmillaFailure *failure);

/**
 * armilla_plan_adjoint_synthesis:
 * @plan: a plan
 * @map: [copy][component][pixel]; pixels of the value UNSEEN (-1.6375e30) count as 0
 * @alm: a_lm, [copy][component][coefficient]; output
 * @failure: (nullable): set on failure; @alm is then undefined
 *
 * a_lm = sum_p f(p) conj Y_lm(p), without weights: the adjoint of armilla_plan_synthesis() if the
 * scalar product of a and b is the sum of a_lm conj(b_lm) over all m, including m < 0.
 *
 * Returns: the status
 */
ArmillaStatus armilla_plan_adjoint_synthesis (ArmillaPlan *plan, const ArmillaArray *map,
                                              const ArmillaArray *alm, ArmillaFailure *failure);

/**
 * armilla_plan_analysis:
 * @plan: a plan
 * @map: [copy][component][pixel]; pixels of the value UNSEEN (-1.6375e30) count as 0
 * @alm: a_lm, [copy][component][coefficient]; output
 * @how: (nullable): options; %NULL: no iterations
 * @failure: (nullable): set on failure; @alm is then undefined
 *
 * a_lm = sum_p w(p) f(p) conj Y_lm(p) with the quadrature weights of the rings, and iterations
 * according to @how, as healpy's map2alm. If lmax is above what the quadrature of n Fejer or
 * Clenshaw-Curtis rings integrates exactly, but not above n - 1 or n - 2, the rings are resampled
 * in theta instead, which gives the a_lm exactly, without iterations.
 *
 * Returns: the status; %ARMILLA_STATUS_NUMERIC if conjugate gradients do not converge,
 *   %ARMILLA_STATUS_ARGUMENT if @iterations is -1 and the grid does not determine the a_lm
 */
ArmillaStatus armilla_plan_analysis (ArmillaPlan *plan, const ArmillaArray *map,
                                     const ArmillaArray *alm, const ArmillaAnalysis *how,
                                     ArmillaFailure *failure);

/**
 * armilla_plan_iterations:
 * @plan: a plan
 * @residual: (out): largest residual of the normal equations of a copy, relative to that of a_lm
 *   = 0
 *
 * Returns: number of iterations of the last analysis by conjugate gradients that converged; 0 if
 *   there was none
 */
int armilla_plan_iterations (const ArmillaPlan *plan, double *residual);

/**
 * armilla_plan_adjoint_analysis:
 * @plan: a plan
 * @alm: a_lm, [copy][component][coefficient]
 * @map: [copy][component][pixel]; output
 * @failure: (nullable): set on failure; @map is then undefined
 *
 * f(p) = w(p) sum_lm a_lm Y_lm(p): the adjoint of armilla_plan_analysis() without iterations. If
 * the analysis resamples the rings, this computes the adjoint of that.
 *
 * Returns: the status
 */
ArmillaStatus armilla_plan_adjoint_analysis (ArmillaPlan *plan, const ArmillaArray *alm,
                                             const ArmillaArray *map, ArmillaFailure *failure);

/**
 * armilla_plan_gradient:
 * @plan: a plan of the spins {1}
 * @alm: a_lm of scalars, [copy][1][coefficient]
 * @map: [copy][2][pixel]: the derivative in theta, and the derivative in phi over sin theta, for
 *   angles in radian; output
 * @failure: (nullable): set on failure; @map is then undefined
 *
 * Returns: the status
 */
ArmillaStatus armilla_plan_gradient (ArmillaPlan *plan, const ArmillaArray *alm,
                                     const ArmillaArray *map, ArmillaFailure *failure);

/**
 * armilla_plan_adjoint_gradient:
 * @plan: a plan of the spins {1}
 * @map: [copy][2][pixel]
 * @alm: a_lm of scalars, [copy][1][coefficient]; output
 * @failure: (nullable): set on failure; @alm is then undefined
 *
 * The adjoint of armilla_plan_gradient().
 *
 * Returns: the status
 */
ArmillaStatus armilla_plan_adjoint_gradient (ArmillaPlan *plan, const ArmillaArray *map,
                                             const ArmillaArray *alm, ArmillaFailure *failure);

/**
 * armilla_plan_free:
 * @plan: (transfer full) (nullable): a plan; its data are freed with it
 */
void armilla_plan_free (ArmillaPlan *plan);

#ifdef __cplusplus
}
#endif
