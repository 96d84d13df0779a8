/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Performance of a kind of machine, for forecasts and for the selection of algorithms. Immutable
 * once read: threads may share it. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* Kinds of workers of a machine. */
typedef enum {
  ARMILLA_NODE_CPU,  /* a core that runs tasks */
  ARMILLA_NODE_CUDA, /* a GPU */
  ARMILLA_NODE_HOST  /* an I/O thread, which runs host steps */
} ArmillaNodeWorker;

#define ARMILLA_NODE_WORKERS 3

/* Measured performance of a machine, from which runs are forecast. */
typedef struct {
  char *path;        /* file it was read from */
  char *title;       /* name of the kind of machine */
  /* number of CPU workers, or of GPUs if gpus: a machine with GPUs computes on these alone */
  int workers;
  int cores;         /* cores of the rank; 0: as many as it can use */
  gboolean gpus;     /* whether the workers are GPUs */
  double speed;      /* speed of a core relative to those of other machines, in any unit */
  double memory;     /* bytes */
  double gpu_memory; /* memory of a GPU, bytes */
  double bandwidth;  /* bandwidth to and from the network, bytes/s in each direction */
  double latency;    /* latency of a message, s */
  double message;    /* time that StarPU-MPI's thread takes per message, at either end, s */
  double device;     /* bandwidth between the memories of GPU and host, bytes/s */
  double own;        /* time to submit a task that this rank runs, s */
  double other;      /* time to submit a task that another rank runs, s */
  double task;       /* time between two tasks of one worker, s */
  double start;      /* time from program start to the first task, s */
  double core_flops; /* peak operations per second of one core; 0 if unknown */
  /* bytes per second, read plus written, of one core copying memory; 0 if unknown */
  double core_bytes;
  double gpu_flops;  /* peak operations per second of one GPU; 0 if unknown */
  double gpu_bytes;  /* bytes per second of one GPU copying its memory; 0 if unknown */
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
