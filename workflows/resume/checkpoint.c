/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A checkpoint is the numbers of one output of a node as they are in memory, in the order of whole
 * maps and a_lm: [field][pixel], [field][healpy's index], [field][l]. Its shape, key and checksum
 * are in the journal. Whether an output is kept is decided when its first piece exists. */
#include "workflows/resume/resume.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "core/files/regular-file.h"

typedef enum { UNDECIDED, KEPT, PASSED } Decision;

typedef struct {
  ArmillaResume *resume;
  ArmillaGraph *graph;
  char *path;
  int node, port;
  gint64 index, lmax, count; /* numbers (complex ones of a_lm) of one field */
  int n_fields;
  GMutex lock;               /* of what follows */
  Decision decision;
  ArmillaOutput *output;
  int fd;
} Part;

static void
part_free (gpointer data)
{
  Part *part = data;

  if (part->fd >= 0)
    close (part->fd); /* whoever read or wrote has looked at the errors */
  armilla_output_free (part->output);
  g_mutex_clear (&part->lock);
  g_free (part->path);
  g_free (part);
}

static gboolean
part_fail (const Part *part, int number, GError **error)
{
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "checkpoint %s: %s%s", part->path,
               number != 0 ? g_strerror (number) : "it is too short",
               number == ENOSPC || number == EDQUOT
                 ? "; free some space there, or run without [workflow] checkpoint"
                 : "");
  return FALSE;
}

static gboolean
part_open (Part *part, GError **error)
{
  part->output = armilla_output_new (part->path, TRUE, error);
  if (part->output == NULL)
    return FALSE;
  part->fd = g_open (armilla_output_temporary (part->output), O_RDWR | O_CLOEXEC, 0);
  if (part->fd < 0)
    return part_fail (part, errno, error);
  armilla_resume_expect_part (part->resume, part->index, part->node, part->port);
  return TRUE;
}

/* Whether what comes is to be written. */
static gboolean
part_wants (Part *part, gboolean *wants, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&part->lock);
  gboolean ok = TRUE;

  if (part->decision == UNDECIDED)
    {
      part->decision = armilla_resume_due (part->resume) ? KEPT : PASSED;
      ok = part->decision == PASSED || part_open (part, error);
    }
  *wants = part->decision == KEPT;
  return ok;
}

static gboolean
transfer (Part *part, gboolean out, gint64 first, gint64 n, double *values, GError **error)
{
  char *p = (char *) values;
  gint64 offset = first * (gint64) sizeof *values, left = n * (gint64) sizeof *values;

  while (left > 0)
    {
      ssize_t moved = out ? pwrite (part->fd, p, (gsize) left, offset)
                          : pread (part->fd, p, (gsize) left, offset);

      if (moved < 0 && errno == EINTR)
        continue;
      if (moved <= 0)
        return part_fail (part, moved < 0 ? errno : 0, error);
      p += moved;
      offset += moved;
      left -= moved;
    }
  return TRUE;
}

static gboolean
move_map (Part *part, gboolean out, int field, gint64 first, gint64 n, double *pixels,
          GError **error)
{
  return transfer (part, out, field * part->count + first, n, pixels, error);
}

static gboolean
move_alm (Part *part, gboolean out, int field, gint64 m_first, gint64 m_last, double *values,
          GError **error)
{
  gint64 first = armilla_alm_index (part->lmax, m_first, m_first);
  gint64 n = armilla_alm_index (part->lmax, part->lmax, m_last) + 1 - first;

  return transfer (part, out, 2 * (field * part->count + first), 2 * n, values, error);
}

static gboolean
keep_map (gpointer user, int field, gint64 first, gint64 n, double *pixels, GError **error)
{
  gboolean wants;

  return part_wants (user, &wants, error)
         && (!wants || move_map (user, TRUE, field, first, n, pixels, error));
}

static gboolean
keep_alm (gpointer user, int field, gint64 m_first, gint64 m_last, double *values, GError **error)
{
  gboolean wants;

  return part_wants (user, &wants, error)
         && (!wants || move_alm (user, TRUE, field, m_first, m_last, values, error));
}

static gboolean
keep_cl (gpointer user, double *values, GError **error)
{
  Part *part = user;
  gboolean wants;

  return part_wants (part, &wants, error)
         && (!wants || transfer (part, TRUE, 0, part->count * part->n_fields, values, error));
}

static gboolean
keep_done (gpointer user, GError **error)
{
  Part *part = user;
  int fd = part->fd;

  if (part->decision != KEPT)
    return TRUE;
  part->fd = -1;
  if (close (fd) != 0)
    return part_fail (part, errno, error);
  return armilla_output_finish (part->output, error)
         && armilla_graph_commit (part->graph, g_steal_pointer (&part->output), error);
}

static gboolean
restore_map (gpointer user, int field, gint64 first, gint64 n, double *pixels, GError **error)
{
  return move_map (user, FALSE, field, first, n, pixels, error);
}

static gboolean
restore_alm (gpointer user, int field, gint64 m_first, gint64 m_last, double *values,
             GError **error)
{
  return move_alm (user, FALSE, field, m_first, m_last, values, error);
}

static gboolean
restore_cl (gpointer user, double *values, GError **error)
{
  Part *part = user;

  return transfer (part, FALSE, 0, part->count * part->n_fields, values, error);
}

static Part *
part_new (ArmillaResume *resume, ArmillaGraph *graph, gint64 index, int node, int port,
          ArmillaData *data)
{
  Part *part = g_new0 (Part, 1);

  part->resume = resume;
  part->graph = graph;
  part->path = armilla_resume_part (resume, index, node, port);
  part->node = node;
  part->port = port;
  part->index = index;
  part->fd = -1;
  g_mutex_init (&part->lock);
  if (ARMILLA_IS_MAP (data))
    {
      part->count = armilla_map_grid (ARMILLA_MAP (data))->n_pixels;
      part->n_fields = armilla_map_n_fields (ARMILLA_MAP (data));
    }
  else if (ARMILLA_IS_ALM (data))
    {
      ArmillaAlmLayout layout = armilla_alm_layout (ARMILLA_ALM (data));

      part->lmax = layout.lmax;
      part->count = armilla_alm_count (layout);
      part->n_fields = armilla_alm_n_fields (ARMILLA_ALM (data));
    }
  else
    {
      part->count = armilla_cl_lmax (ARMILLA_CL (data)) + 1;
      part->n_fields = armilla_cl_n_fields (ARMILLA_CL (data));
    }
  return part;
}

/* Other kinds of data are made again; so is what only shows the data of another node. */
static gboolean
can_keep (ArmillaData *data)
{
  return (ARMILLA_IS_MAP (data) || ARMILLA_IS_ALM (data) || ARMILLA_IS_CL (data))
         && !armilla_data_is_view (data);
}

/**
 * armilla_checkpoint_keep:
 * @resume: the journal
 * @graph: a graph
 * @index: number of the realisation
 * @node: number of a node that was just built and has inputs
 * @outputs: (array length=n_outputs): what it gives
 * @n_outputs: how many
 * @error: return location
 *
 * Keeps outputs of a node in files, each of them if it is time when its first piece exists.
 *
 * Returns: whether that could be asked for
 */
gboolean
armilla_checkpoint_keep (ArmillaResume *resume, ArmillaGraph *graph, gint64 index, int node,
                         ArmillaData *const *outputs, int n_outputs, GError **error)
{
  gboolean ok = TRUE;

  for (int port = 0; port < n_outputs; port++)
    if (!can_keep (outputs[port]))
      return TRUE;
  for (int port = 0; ok && port < n_outputs; port++)
    {
      Part *part = part_new (resume, graph, index, node, port, outputs[port]);

      if (ARMILLA_IS_MAP (outputs[port]))
        ok = armilla_graph_drain_map (graph, ARMILLA_MAP (outputs[port]), keep_map, keep_done,
                                      part, part_free, error);
      else if (ARMILLA_IS_ALM (outputs[port]))
        ok = armilla_graph_drain_alm (graph, ARMILLA_ALM (outputs[port]), keep_alm, keep_done,
                                      part, part_free, error);
      else
        ok = armilla_graph_drain_cl (graph, ARMILLA_CL (outputs[port]), keep_cl, keep_done, part,
                                     part_free, error);
    }
  return ok;
}

static gboolean
restore_one (Part *part, ArmillaGraph *graph, ArmillaData *data, GError **error)
{
  g_autoptr (GError) why = NULL;

  part->fd = armilla_regular_open (part->path, O_RDONLY, &why);
  if (part->fd < 0)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "checkpoint %s: %s", part->path,
                   why->message);
      part_free (part);
      return FALSE;
    }
  if (ARMILLA_IS_MAP (data))
    return armilla_graph_fill_map (graph, ARMILLA_MAP (data), restore_map, part, part_free, error);
  if (ARMILLA_IS_ALM (data))
    return armilla_graph_fill_alm (graph, ARMILLA_ALM (data), restore_alm, part, part_free, error);
  return armilla_graph_fill_cl (graph, ARMILLA_CL (data), restore_cl, part, part_free, error);
}

/**
 * armilla_checkpoint_restore:
 * @resume: the journal
 * @graph: a graph
 * @index: number of the realisation
 * @node: number of a node that is prepared
 * @outputs: (array length=n_outputs): what it gives
 * @n_outputs: how many
 * @error: return location
 *
 * Takes outputs of a node from the files that armilla_checkpoint_keep() made.
 *
 * Returns: whether the files can be opened; %ARMILLA_ERROR_IO otherwise
 */
gboolean
armilla_checkpoint_restore (ArmillaResume *resume, ArmillaGraph *graph, gint64 index, int node,
                            ArmillaData *const *outputs, int n_outputs, GError **error)
{
  for (int port = 0; port < n_outputs; port++)
    if (!restore_one (part_new (resume, graph, index, node, port, outputs[port]), graph,
                      outputs[port], error))
      return FALSE;
  return TRUE;
}
