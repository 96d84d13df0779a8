/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/**
 * ArmillaTraceEvent:
 * @node: name of the node that asked for it
 * @stage: name of its stage
 * @name: name of the codelet, or of the host step
 * @kind: kind of the worker (CPU, CUDA, other), or "host"
 * @rank: rank
 * @worker: number of the worker; -1 for host steps
 * @start: begin, seconds from the beginning of the run
 * @duration: seconds
 * @submit: when it was submitted; 0: unknown
 * @ready: when all it needed was there
 * @taken: when the worker began to fetch its data
 * @flops: its operations
 * @bytes: its bytes
 * @finish: of @duration what a sink did after its last tile
 * @finish_bytes: bytes of all its tiles
 *
 * A task or a host step.
 */
typedef struct {
  const char *node, *stage, *name, *kind;
  int rank, worker;
  double start, duration;
  double submit, ready, taken;
  double flops, bytes;
  double finish, finish_bytes;
} ArmillaTraceEvent;

/**
 * ArmillaTraceCopy:
 * @message: whether it went between ranks
 * @asynchronous: whether @duration is only how long it took to begin
 * @rank: rank that recorded it
 * @from: memory node or rank
 * @to: memory node or rank
 * @bytes: size
 * @start: begin, seconds from the beginning of the run
 * @duration: seconds
 *
 * A transfer.
 */
typedef struct {
  gboolean message, asynchronous;
  int rank;
  const char *from, *to;
  double bytes, start, duration;
} ArmillaTraceCopy;

/**
 * ArmillaTraceWorker:
 * @rank: rank
 * @number: number within the rank
 * @name: name
 * @kind: kind
 */
typedef struct {
  int rank, number;
  const char *name, *kind;
} ArmillaTraceWorker;

/**
 * ArmillaTraceFile:
 * @program: name and version of the program that wrote it
 * @workflow: path of the workflow
 * @failure: (nullable): why the run failed
 * @seconds: length of the run
 * @start: from the start of the program to that of the trace, s; 0: not known
 * @peak: operations and bytes a second that a core and a GPU reach: [0] core, [1] GPU; 0: not known
 * @cores: of the machine; 0: not known
 * @memory: its bytes; 0: not known
 * @gpu_memory: bytes of a GPU; 0: not known
 * @device: bytes a second between the memories of host and GPU; 0: not known
 * @n_ranks: number of ranks
 * @workers: (element-type ArmillaTraceWorker): workers of all ranks
 * @events: (element-type ArmillaTraceEvent): tasks and host steps, in the order of their begin
 * @copies: (element-type ArmillaTraceCopy): transfers
 * @strings: all texts
 *
 * What armilla run --trace wrote.
 */
typedef struct {
  const char *program, *workflow, *failure;
  double seconds, start;
  struct {
    double flops, bytes;
  } peak[2];
  double cores, memory, gpu_memory, device;
  int n_ranks;
  GArray *workers, *events, *copies;
  GStringChunk *strings;
} ArmillaTraceFile;

ArmillaTraceFile *armilla_trace_file_read (const char *path, GError **error);
ArmillaTraceFile *armilla_trace_file_parse (const char *text, gsize length, GError **error);
void armilla_trace_file_free (ArmillaTraceFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaTraceFile, armilla_trace_file_free)

G_END_DECLS
