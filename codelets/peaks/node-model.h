/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast the parts of a machine are, for forecasts and choices. A description never changes once
 * it is read: any threads may share it. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/**
 * ArmillaNodeWorker:
 * @ARMILLA_NODE_CPU: a core that runs tasks
 * @ARMILLA_NODE_CUDA: a GPU
 * @ARMILLA_NODE_HOST: an I/O thread, which runs host steps
 *
 * What works on a node.
 */
typedef enum { ARMILLA_NODE_CPU, ARMILLA_NODE_CUDA, ARMILLA_NODE_HOST } ArmillaNodeWorker;

/* Kinds of workers. */
#define ARMILLA_NODE_WORKERS 3

/**
 * ArmillaNodeModel:
 * @path: file it was read from
 * @title: what kind of node it is
 * @workers: CPU workers, or GPUs where @gpus: a node with GPUs computes on these alone
 * @gpus: whether GPUs compute
 * @cores: that the rank has; 0: as many as it has use for
 * @speed: of a core beside those of other nodes, in any unit
 * @memory: bytes
 * @gpu_memory: bytes of a GPU
 * @bandwidth: to and from the network, bytes/s each way
 * @latency: of a message, s
 * @message: s of the thread of StarPU-MPI for each message, at either end
 * @device: between the memories of GPU and host, bytes/s
 * @own: s to submit a task of the rank itself
 * @other: s to submit a task of another rank
 * @task: s between two tasks of a worker
 * @start: s from the start of the program to that of its first task
 * @core_flops: operations a second of one core in a loop that does nothing else; 0: not known
 * @core_bytes: bytes a second, read plus written, of one core that copies memory; 0: not known
 * @gpu_flops: as @core_flops of one GPU
 * @gpu_bytes: as @core_bytes of one GPU, within its memory
 *
 * How fast a node is, as measured: the numbers that a run is forecast from.
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
