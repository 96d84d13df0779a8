/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codelets: the functions that StarPU's workers run. A codelet is defined next to its kernels:
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
 * The macros are for C. CUDA implementations are compiled if HAVE_CUDA is defined before this
 * header is included. */
#pragma once

#include <armilla/fault.h>
#include <starpu.h>

G_BEGIN_DECLS

/**
 * ArmillaCost:
 * @flops: double-precision additions, multiplications, divisions and square roots; a fused
 *   multiply-add counts two
 * @bytes: bytes of the buffers that the task reads, plus those that it writes, each counted once,
 *   as if caches were large
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
 *   Called in the submitting thread, at most once per task, if the cost is needed: to schedule, to
 *   trace, to plan or to balance; it must not wait, and should take microseconds
 *
 * A codelet and the function that estimates the cost of its tasks. Initialised by
 * ARMILLA_CODELET(); not const, because StarPU writes to it; must not be moved or freed until the
 * runtime ends.
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
 * Kinds of workers for which the time of a task is modelled separately.
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
 * @gpu_share: share of a GPU's measured peak that a large task reaches; 0: unknown
 * @record: (nullable): measurements; private
 * @gpu_function: (nullable): the CUDA function, if a test delays the tasks of GPUs; private
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
 * In wrappers: the address of a buffer, a vector, in the memory of the worker; valid while the task
 * runs.
 */
#define ARMILLA_BUFFER_OF(Type, i) ((Type *) STARPU_VECTOR_GET_PTR (buffers[i]))

/**
 * ARMILLA_BUFFER:
 * @i: number of a buffer of the task
 *
 * Like ARMILLA_BUFFER_OF(), for doubles.
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
 * @...: expression to evaluate, which may use @args, a pointer to the arguments, and
 *   ARMILLA_BUFFER()
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
 * @...: expression that queues the work on @stream, a cudaStream_t; it may use @args, a pointer to
 *   the arguments, and ARMILLA_BUFFER(), in the memory of the GPU. Its value is a CUDA error, which
 *   is latched
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
/* Used by ARMILLA_CODELET(): the CUDA function, if compiled. */
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
 * @kernel: common stem of the names of both functions, which end in _cpu and _launch
 * @...: arguments of both functions; the latter takes the stream as an additional last argument
 *
 * Defines both implementations, if they differ only in the name of the function and in the stream.
 */
#define ARMILLA_WRAPPERS(name, Args, kernel, ...)                                                  \
  ARMILLA_CPU_WRAPPER (name, Args, kernel##_cpu (__VA_ARGS__))                                     \
  ARMILLA_CUDA_WRAPPER (name, Args, kernel##_launch (__VA_ARGS__, stream))

/**
 * ARMILLA_COST:
 * @name: name of the codelet
 * @Args: type of the arguments of its tasks
 * @...: expression whose value is an #ArmillaCost; it may use @args, a pointer to the arguments,
 *   and ARMILLA_TABLE()
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
 * @functions: name of the codelet whose functions are used
 * @version: see ARMILLA_CODELET()
 * @...: see ARMILLA_CODELET()
 *
 * Like ARMILLA_CODELET(), but with the functions of another codelet: for tasks whose times differ
 * from those of the other codelet.
 */
#define ARMILLA_CODELET_AS(label, functions, version, ...)                                         \
  {                                                                                                \
    .cl = { ARMILLA_CUDA_FUNCTION (functions)                                                      \
            ARMILLA_CODELET_MEMBERS (label, functions, version __VA_OPT__ (, ) __VA_ARGS__) },     \
    .cost = functions##_cost                                                                       \
  }

/* Members of struct starpu_codelet except the CUDA function. */
#define ARMILLA_CODELET_MEMBERS(label, functions, version, ...)                                    \
  .name = label, .cpu_funcs = { functions##_cpu }, .cpu_funcs_name = { #functions "_cpu" },        \
  .nbuffers = STARPU_VARIABLE_NBUFFERS, .can_execute = armilla_codelet_fits,                       \
  .model = &((ArmillaCodeletModel) {                                                               \
              .model = { .type = STARPU_PER_ARCH, .symbol = "armilla_" label "_v" version,         \
                         .arch_cost_function = armilla_codelet_expected },                         \
              __VA_ARGS__ }).model

/**
 * ARMILLA_CODELET:
 * @name: name of the codelet, not in quotes
 * @version: version in quotes; raise it when the speed of a kernel changes, since saved
 *   measurements are identified by name and version
 * @...: (optional): members of its #ArmillaCodeletModel: .core_share = 0.4, .gpu_share = 0.6
 *
 * The initializer of an #ArmillaCodelet, at file scope, from NAME_cpu, NAME_cost and, if HAVE_CUDA
 * is defined, NAME_cuda. The tasks name their buffers and access modes themselves: one codelet may
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
 * Like ARMILLA_CODELET(), without a CUDA function: its tasks run on CPU workers only.
 */
#define ARMILLA_CPU_CODELET(name, version, ...)                                                    \
  {                                                                                                \
    .cl = { ARMILLA_CODELET_MEMBERS (#name, name, version __VA_OPT__ (, ) __VA_ARGS__) },          \
    .cost = name##_cost                                                                            \
  }

/**
 * armilla_codelet_fits:
 * @worker: a worker
 * @task: a task
 * @implementation: number of the implementation
 *
 * StarPU retries forever if the buffers of one task do not fit into a worker's memory together, so
 * it must not give the task to such a worker. Called by StarPU, in any of its threads.
 *
 * Returns: 1 if the worker's memory can hold the task's buffers, 0 otherwise
 */
int armilla_codelet_fits (unsigned worker, struct starpu_task *task, unsigned implementation);

/**
 * armilla_codelet_expected:
 * @task: a task, whose cost was passed to StarPU as its flops and its sched_data
 * @worker: a kind of worker
 * @implementation: number of the implementation
 *
 * The performance model of all codelets. Called by StarPU, in any of its threads.
 *
 * Returns: expected time of the task on such a worker, microseconds
 */
double armilla_codelet_expected (struct starpu_task *task, struct starpu_perfmodel_arch *worker,
                                 unsigned implementation);

G_END_DECLS
