/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Performance of a kind of machine, for forecasts and choices. Immutable once read: threads may
 * share it. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/**
 * ArmillaNodeWorker:
 * @ARMILLA_NODE_CPU: a core that runs tasks
 * @ARMILLA_NODE_CUDA: a GPU
 * @ARMILLA_NODE_HOST: an I/O thread, which runs host steps
 *
 * Kinds of workers of a machine.
 */
typedef enum { ARMILLA_NODE_CPU, ARMILLA_NODE_CUDA, ARMILLA_NODE_HOST } ArmillaNodeWorker;

#define ARMILLA_NODE_WORKERS 3

/**
 * ArmillaNodeModel:
 * @path: file it was read from
 * @title: name of the kind of machine
 * @workers: number of CPU workers, or of GPUs if @gpus: a machine with GPUs computes on these alone
 * @gpus: whether the workers are GPUs
 * @cores: cores of the rank; 0: as many as it can use
 * @speed: speed of a core relative to those of other machines, in any unit
 * @memory: bytes
 * @gpu_memory: bytes of a GPU
 * @bandwidth: to and from the network, bytes/s each way
 * @latency: of a message, s
 * @message: s per message of StarPU-MPI's thread, at either end
 * @device: bandwidth between the memories of GPU and host, bytes/s
 * @own: s to submit a task that this rank runs
 * @other: s to submit a task that another rank runs
 * @task: s between two tasks of one worker
 * @start: s from program start to the first task
 * @core_flops: peak operations per second of one core; 0 if unknown
 * @core_bytes: bytes per second, read plus written, of one core copying memory; 0 if unknown
 * @gpu_flops: peak operations per second of one GPU; 0 if unknown
 * @gpu_bytes: bytes per second of one GPU copying its memory; 0 if unknown
 *
 * Measured performance of a machine, from which runs are forecast.
 */
typedef struct {
  char *path, *title;
  int workers, cores;
  gboolean gpus;
  double speed, memory, gpu_memory;
  double bandwidth, latency, message, device;
  double own, other, task, start;
  double core_flops, core_bytes, gpu_flops, gpu_bytes;
  /*< private >*/
  GHashTable *rates[ARMILLA_NODE_WORKERS]; /* name -> ArmillaNodeRate */
  gint refs;
} ArmillaNodeModel;

ArmillaNodeModel *armilla_node_model_read (const char *path, GError **error);
ArmillaNodeModel *armilla_node_model_ref (ArmillaNodeModel *self);
void armilla_node_model_unref (ArmillaNodeModel *self);
gboolean armilla_node_model_seconds (const ArmillaNodeModel *self, ArmillaNodeWorker worker,
                                     const char *name, double flops, double bytes, double *seconds,
                                     GError **error);
double armilla_node_model_submit_share (const ArmillaNodeModel *self);
gboolean armilla_node_model_has_rate (const ArmillaNodeModel *self, ArmillaNodeWorker worker,
                                      const char *name);
void armilla_node_model_print_rate (GString *text, const char *name, double fixed, double flops,
                                    double bytes, double seconds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaNodeModel, armilla_node_model_unref)

G_END_DECLS
