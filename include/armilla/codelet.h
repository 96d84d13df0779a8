/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codelets: what the workers of StarPU run. A codelet is made in one place, beside its kernels:
 *
 *   typedef struct {
 *     ArmillaFault *fault;
 *     gint64 n;
 *     double factor;
 *   } ScaleArgs;
 *
 *   ARMILLA_CPU_WRAPPER (my_scale, ScaleArgs,
 *                        scale_cpu (args->n, args->factor, ARMILLA_BUFFER (0)))
 *   ARMILLA_CUDA_WRAPPER (my_scale, ScaleArgs,
 *                         scale_launch (args->n, args->factor, ARMILLA_BUFFER (0), stream))
 *   ARMILLA_COST (my_scale, ScaleArgs,
 *                 (ArmillaCost) { (double) args->n, 16.0 * (double) args->n })
 *   static ArmillaCodelet my_scale_cl = ARMILLA_CODELET (my_scale, "1");
 *
 * The arguments of a task are a plain struct that is copied, with the latch of the run as @fault.
 * The macros are for C. CUDA implementations are compiled where HAVE_CUDA is defined before this
 * header is included. */
#pragma once

#include <armilla/fault.h>
#include <starpu.h>

G_BEGIN_DECLS

/**
 * ArmillaCost:
 * @flops: double-precision additions, multiplications, divisions and square roots; a fused
 *   multiply-add counts two
 * @bytes: bytes of the buffers that are read, plus those that are written: each once, as if caches
 *   were large
 *
 * Work of a kernel, computed from the arguments of a task. Extra work (padding of vectors, buffers
 * read twice) is not counted.
 */
typedef struct {
  double flops, bytes;
} ArmillaCost;

/**
 * ArmillaCodelet:
 * @cl: StarPU's codelet. Its name is used in traces, forecasts and machine descriptions, so it
 *   must be unique
 * @cost: the work of a task with arguments @args and buffers @handles, in the codelet's order.
 *   Called once for each task that is scheduled by it, traced, planned or balanced, in the
 *   submitting thread; it must not wait, and should take microseconds
 *
 * A codelet and what its tasks cost. Made by ARMILLA_CODELET(); not const, as StarPU writes to it;
 * must not move or be freed until the runtime ends.
 */
typedef struct {
  struct starpu_codelet cl;
  ArmillaCost (*cost) (const void *args, const starpu_data_handle_t *handles);
} ArmillaCodelet;

/**
 * ArmillaKind:
 * @ARMILLA_KIND_CORE: CPU workers, of one core each
 * @ARMILLA_KIND_GPU: workers that drive a GPU
 *
 * Kinds of workers, as far as the time of a task depends on them.
 */
typedef enum {
  ARMILLA_KIND_CORE,
  ARMILLA_KIND_GPU
} ArmillaKind;

/**
 * ARMILLA_KINDS:
 *
 * The number of kinds of workers, of #ArmillaKind.
 */
#define ARMILLA_KINDS 2

/**
 * ArmillaCodeletModel:
 * @model: StarPU's model; the first member
 * @core_share: share of a core's measured peak, of operations or of bytes, that a large task
 *   reaches; 0: unknown. Used until a task of this codelet has been measured on this machine
 * @gpu_share: the same of a GPU
 * @record: (nullable): measurements; private
 * @gpu_function: (nullable): the CUDA function where a test makes GPUs slow; private
 *
 * The performance model of a codelet, made by ARMILLA_CODELET().
 */
typedef struct {
  struct starpu_perfmodel model;
  double core_share, gpu_share;
  struct _ArmillaRecord *record;
  starpu_cuda_func_t gpu_function;
} ArmillaCodeletModel;

/**
 * ARMILLA_BUFFER_OF:
 * @Type: type of its elements
 * @i: number of a buffer of the task
 *
 * In wrappers: the address of a buffer, a vector, in the memory of the worker. The task owns it
 * while it runs.
 */
#define ARMILLA_BUFFER_OF(Type, i) ((Type *) STARPU_VECTOR_GET_PTR (buffers[i]))

/**
 * ARMILLA_BUFFER:
 * @i: number of a buffer of the task
 *
 * Like ARMILLA_BUFFER_OF(), of doubles.
 */
#define ARMILLA_BUFFER(i) ARMILLA_BUFFER_OF (double, i)

/**
 * ARMILLA_TABLE:
 * @Type: type of its elements
 * @i: number of a buffer of the task
 *
 * In costs: a table that was registered with the memory of the host and is only read, so that it is
 * valid there from the start; %NULL if the buffer is not in that memory, as in a dry run.
 */
#define ARMILLA_TABLE(Type, i)                                                                     \
  ((const Type *) starpu_data_handle_to_pointer (handles[i], STARPU_MAIN_RAM))

/**
 * ARMILLA_CPU_WRAPPER:
 * @name: name of the codelet
 * @Args: type of the arguments of its tasks
 * @...: what is done, an expression of @args, a pointer to them, and of ARMILLA_BUFFER()
 *
 * Defines the CPU implementation NAME_cpu, which does nothing once the run has failed. An error is
 * latched by armilla_fault_set().
 */
#define ARMILLA_CPU_WRAPPER(name, Args, ...)                                                       \
  static void name##_cpu (void *buffers[], void *cl_arg)                                           \
  {                                                                                                \
    Args copy;                                                                                     \
    const Args *args = &copy;                                                                      \
                                                                                                   \
    starpu_codelet_unpack_args (cl_arg, &copy);                                                    \
    if (!armilla_fault_is_set (args->fault))                                                       \
      __VA_ARGS__;                                                                                 \
  }

/**
 * ARMILLA_CUDA_WRAPPER:
 * @name: name of the codelet
 * @Args: type of the arguments of its tasks
 * @...: what is queued, an expression of @args, of ARMILLA_BUFFER() in the memory of the GPU, and
 *   of @stream, a cudaStream_t; its value is a CUDA error, which is latched
 *
 * Defines the CUDA implementation NAME_cuda, which does nothing once the run has failed. It must
 * not wait for the stream: StarPU does.
 */
#ifdef HAVE_CUDA
#define ARMILLA_CUDA_WRAPPER(name, Args, ...)                                                      \
  static void name##_cuda (void *buffers[], void *cl_arg)                                          \
  {                                                                                                \
    Args copy;                                                                                     \
    const Args *args = &copy;                                                                      \
    cudaStream_t stream = starpu_cuda_get_local_stream ();                                         \
                                                                                                   \
    starpu_codelet_unpack_args (cl_arg, &copy);                                                    \
    if (!armilla_fault_is_set (args->fault))                                                       \
      armilla_fault_check_cuda (args->fault, #name, (int) (__VA_ARGS__));                          \
  }
/* Of ARMILLA_CODELET(): its CUDA function, where there is one. */
#define ARMILLA_CUDA_FUNCTION(name)                                                                \
  .cuda_funcs = { name##_cuda }, .cuda_flags = { STARPU_CUDA_ASYNC },
#else
#define ARMILLA_CUDA_WRAPPER(name, Args, ...)
#define ARMILLA_CUDA_FUNCTION(name)
#endif

/**
 * ARMILLA_WRAPPERS:
 * @name: name of the codelet
 * @Args: type of the arguments of its tasks
 * @kernel: what both functions are called before _cpu and _launch
 * @...: what both take; the latter takes the stream after it
 *
 * Both implementations where they differ by nothing else.
 */
#define ARMILLA_WRAPPERS(name, Args, kernel, ...)                                                  \
  ARMILLA_CPU_WRAPPER (name, Args, kernel##_cpu (__VA_ARGS__))                                     \
  ARMILLA_CUDA_WRAPPER (name, Args, kernel##_launch (__VA_ARGS__, stream))

/**
 * ARMILLA_COST:
 * @name: name of the codelet
 * @Args: type of the arguments of its tasks
 * @...: an #ArmillaCost, an expression of @args, a pointer to them, and of ARMILLA_TABLE()
 *
 * Defines the function NAME_cost.
 */
#define ARMILLA_COST(name, Args, ...)                                                              \
  static ArmillaCost name##_cost (const void *data, const starpu_data_handle_t *handles)           \
  {                                                                                                \
    const Args *args = data;                                                                       \
                                                                                                   \
    (void) handles;                                                                                \
    return __VA_ARGS__;                                                                            \
  }

/**
 * ARMILLA_CODELET_AS:
 * @label: name of the codelet, in quotes
 * @functions: name of the codelet whose functions it has
 * @version: see ARMILLA_CODELET()
 * @...: see ARMILLA_CODELET()
 *
 * Like ARMILLA_CODELET(), with the functions of another one, for tasks that take other times.
 */
#define ARMILLA_CODELET_AS(label, functions, version, ...)                                         \
  {                                                                                                \
    .cl = { ARMILLA_CUDA_FUNCTION (functions)                                                      \
            ARMILLA_CODELET_REST (label, functions, version __VA_OPT__ (, ) __VA_ARGS__) },        \
    .cost = functions##_cost                                                                       \
  }

/* Of struct starpu_codelet: all but the CUDA function. */
#define ARMILLA_CODELET_REST(label, functions, version, ...)                                       \
  .name = label, .cpu_funcs = { functions##_cpu }, .cpu_funcs_name = { #functions "_cpu" },        \
  .nbuffers = STARPU_VARIABLE_NBUFFERS, .can_execute = armilla_codelet_fits,                       \
  .model = &((ArmillaCodeletModel) {                                                               \
              .model = { .type = STARPU_PER_ARCH, .symbol = "armilla_" label "_v" version,         \
                         .arch_cost_function = armilla_codelet_expected },                         \
              __VA_ARGS__ }).model

/**
 * ARMILLA_CODELET:
 * @name: its name, not in quotes
 * @version: in quotes; to be raised when a kernel's speed changes, since what was measured is kept
 *   by it
 * @...: (optional): members of its #ArmillaCodeletModel: .core_share = 0.4, .gpu_share = 0.6
 *
 * The initializer of an #ArmillaCodelet, at file scope, from NAME_cpu, NAME_cuda where HAVE_CUDA is
 * defined, and NAME_cost. The tasks name their buffers and access modes themselves: one codelet may
 * write an output for the first time (STARPU_W) or add to it (STARPU_RW).
 */
#define ARMILLA_CODELET(name, version, ...)                                                        \
  ARMILLA_CODELET_AS (#name, name, version __VA_OPT__ (, ) __VA_ARGS__)

/**
 * ARMILLA_CPU_CODELET:
 * @name: see ARMILLA_CODELET()
 * @version: see ARMILLA_CODELET()
 * @...: see ARMILLA_CODELET()
 *
 * Like ARMILLA_CODELET(), without a CUDA function: GPUs leave its tasks to CPU workers.
 */
#define ARMILLA_CPU_CODELET(name, version, ...)                                                    \
  {                                                                                                \
    .cl = { ARMILLA_CODELET_REST (#name, name, version __VA_OPT__ (, ) __VA_ARGS__) },             \
    .cost = name##_cost                                                                            \
  }

/**
 * armilla_codelet_fits:
 * @worker: a worker
 * @task: a task
 * @implementation: number of the implementation
 *
 * StarPU retries forever when the buffers of one task cannot be together in a worker's memory; so
 * such a worker must not get the task. Called by StarPU, in any of its threads.
 *
 * Returns: 1 when the worker's memory can hold the task's buffers
 */
int armilla_codelet_fits (unsigned worker, struct starpu_task *task, unsigned implementation);

/**
 * armilla_codelet_expected:
 * @task: a task, whose cost was given to StarPU as its flops and its sched_data
 * @worker: a kind of worker
 * @implementation: number of the implementation
 *
 * The performance model of all codelets. Called by StarPU, in any of its threads.
 *
 * Returns: how long the task will take there, microseconds
 */
double armilla_codelet_expected (struct starpu_task *task, struct starpu_perfmodel_arch *worker,
                                 unsigned implementation);

G_END_DECLS
