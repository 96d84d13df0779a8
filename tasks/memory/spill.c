/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A disk to which StarPU moves tiles from main memory when its limit is reached. StarPU's own disks
 * use one file per tile, which remain if the run is killed, and abort when the file system is full.
 * This disk is one unnamed file, which disappears when the process ends in any way, and reports
 * errors to the graph: a tile that could not be written has undefined contents, so tasks do nothing
 * from then on and no output gets its final name. */
#include "config.h"

#include "tasks/memory/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <starpu.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/files/regular-file.h"

#define PAGE 4096
#define TMPFS 0x01021994 /* value of f_type in statfs() for tmpfs */
#define RAMFS 0x858458f6
#define MIN_HOLE (1 << 20) /* minimum size to return to the file system */

typedef struct {
  gint64 offset, size;
} Extent;

struct _ArmillaSpill {
  char *folder;
  int fd;
  ArmillaSpillFailed failed;
  gpointer user;
  gint skip;    /* atomic: reads and writes do nothing */
  GMutex lock;  /* guards the following fields */
  GArray *idle; /* unused extents, sorted by offset; not adjacent to each other or to the end */
  gint64 end;   /* size of the file */
  gint64 used;
  ArmillaSpillUse use;
  gboolean broken; /* whether an error was reported */
};

static void
fail (ArmillaSpill *self, const char *what, int number)
{
  g_autoptr (GError) error = NULL;
  gboolean first;
  gint64 used;

  g_mutex_lock (&self->lock);
  first = !self->broken;
  self->broken = TRUE;
  used = self->used;
  g_mutex_unlock (&self->lock);
  if (!first)
    return;
  g_set_error (&error, ARMILLA_ERROR, ARMILLA_ERROR_IO,
               "%s: tiles cannot be %s: %s; it contains %.2f GiB of tiles; choose a folder with "
               "more space (--spill FOLDER) or allow more memory (--memory SIZE)",
               self->folder, what, g_strerror (number), (double) used / (1 << 30));
  self->failed (self->user, error);
}

static void *
plug (void *parameter, starpu_ssize_t size)
{
  (void) size;
  return parameter;
}

static void
unplug (void *base)
{
  (void) base; /* armilla_spill_free() closes the file */
}

/* Returns the bandwidth that StarPU asks for. Any value will do: tiles can be moved nowhere
 * else. */
static int
bandwidth (unsigned node, void *base)
{
  (void) node;
  (void) base;
  return 1;
}

static gint64
round_up (size_t size)
{
  return ((gint64) MAX (size, 1) + PAGE - 1) / PAGE * PAGE;
}

/* Returns the first unused extent that is large enough, or one at the end. */
static gint64
take_extent (ArmillaSpill *self, gint64 size)
{
  gint64 offset;

  for (guint i = 0; i < self->idle->len; i++)
    {
      Extent *idle = &g_array_index (self->idle, Extent, i);

      if (idle->size < size)
        continue;
      offset = idle->offset;
      idle->offset += size;
      idle->size -= size;
      if (idle->size == 0)
        g_array_remove_index (self->idle, i);
      return offset;
    }
  offset = self->end;
  self->end += size;
  return offset;
}

static void *
allocate (void *base, size_t size)
{
  ArmillaSpill *self = base;
  Extent *extent = g_new (Extent, 1);

  extent->size = round_up (size);
  g_mutex_lock (&self->lock);
  extent->offset = take_extent (self, extent->size);
  self->used += extent->size;
  self->use.max_bytes = MAX (self->use.max_bytes, self->used);
  g_mutex_unlock (&self->lock);
  return extent;
}

/* Frees an extent, which is merged with adjacent unused ones. */
static void
give_extent (ArmillaSpill *self, Extent extent)
{
  guint at = 0;

  while (at < self->idle->len && g_array_index (self->idle, Extent, at).offset < extent.offset)
    at++;
  if (at < self->idle->len
      && g_array_index (self->idle, Extent, at).offset == extent.offset + extent.size)
    {
      extent.size += g_array_index (self->idle, Extent, at).size;
      g_array_remove_index (self->idle, at);
    }
  if (at > 0)
    {
      Extent before = g_array_index (self->idle, Extent, at - 1);

      if (before.offset + before.size == extent.offset)
        {
          extent.offset = before.offset;
          extent.size += before.size;
          g_array_remove_index (self->idle, --at);
        }
    }
  if (extent.offset + extent.size == self->end)
    self->end = extent.offset;
  else
    g_array_insert_val (self->idle, at, extent);
}

/* Frees the space of a tile and returns it to the file system at once: other programs may need it,
 * and data still in the page cache need not be written. If the file system cannot do this, the next
 * tile reuses the space. */
static void
release (void *base, void *object, size_t size)
{
  ArmillaSpill *self = base;
  Extent *extent = object;

  (void) size;
  if (extent->size >= MIN_HOLE)
    (void) fallocate (self->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, extent->offset,
                      extent->size);
  g_mutex_lock (&self->lock);
  self->used -= extent->size;
  give_extent (self, *extent);
  g_mutex_unlock (&self->lock);
  g_free (extent);
}

static int
read_tile (void *base, void *object, void *buffer, off_t offset, size_t size)
{
  ArmillaSpill *self = base;
  const Extent *extent = object;
  gssize got;

  if (g_atomic_int_get (&self->skip))
    return (int) size;
  got = armilla_read_all (self->fd, buffer, size, extent->offset + offset);
  if (got != (gssize) size)
    {
      fail (self, "read back", got < 0 ? errno : EIO);
      got = MAX (got, 0);
      /* the run has failed: later tasks ignore the values */
      memset ((char *) buffer + got, 0, size - (size_t) got);
    }
  g_mutex_lock (&self->lock);
  self->use.read += got;
  g_mutex_unlock (&self->lock);
  return (int) got;
}

static int
write_tile (void *base, void *object, const void *buffer, off_t offset, size_t size)
{
  ArmillaSpill *self = base;
  const Extent *extent = object;
  gssize put;

  if (g_atomic_int_get (&self->skip))
    return 0;
  put = armilla_write_all (self->fd, buffer, size, extent->offset + offset);
  if (put != (gssize) size)
    fail (self, "written", errno); /* returned to StarPU as a success: the graph has the error */
  g_mutex_lock (&self->lock);
  self->use.written += put;
  g_mutex_unlock (&self->lock);
  return 0;
}

static struct starpu_disk_ops operations = {
  .plug = plug,
  .unplug = unplug,
  .bandwidth = bandwidth,
  .alloc = allocate,
  .free = release,
  .read = read_tile,
  .write = write_tile,
};

/* Opens an unnamed file; on file systems without unnamed files it has a name for a moment. */
static int
open_unnamed (const char *folder)
{
  int fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
  g_autofree char *name = NULL;

  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
    return fd;
  name = g_build_filename (folder, ".armilla-spill.XXXXXX", NULL);
  fd = g_mkstemp_full (name, O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0)
    g_unlink (name);
  return fd;
}

/* Returns an empty file; NULL with ARMILLA_ERROR_IO on error. */
ArmillaSpill *
armilla_spill_new (const char *folder, GError **error)
{
  int fd = open_unnamed (folder);
  ArmillaSpill *self;

  if (fd < 0)
    return armilla_fail_null (error, ARMILLA_ERROR_IO,
                              "%s: tiles cannot be written there: %s; choose another folder "
                              "(--spill FOLDER)", folder, g_strerror (errno));
  self = g_new0 (ArmillaSpill, 1);
  self->folder = g_strdup (folder);
  self->fd = fd;
  self->idle = g_array_new (FALSE, FALSE, sizeof (Extent));
  g_mutex_init (&self->lock);
  return self;
}

/* Registers the file as a memory node of StarPU, which must be running. Returns the number of the
 * node; -1 with ARMILLA_ERROR_IO. */
int
armilla_spill_register (ArmillaSpill *self, ArmillaSpillFailed failed, gpointer user,
                        GError **error)
{
  int node;

  self->failed = failed;
  self->user = user;
  node = starpu_disk_register (&operations, self, -1);
  if (node >= 0)
    return node;
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "%s: StarPU rejects it as a disk: %s",
               self->folder, g_strerror (-node));
  return -1;
}

/* Makes reads and writes do nothing, or ends that. Thread-safe. */
void
armilla_spill_skip (ArmillaSpill *self, gboolean skip)
{
  g_atomic_int_set (&self->skip, skip);
}

/* Returns the numbers of bytes written and read so far. */
ArmillaSpillUse
armilla_spill_use (ArmillaSpill *self)
{
  ArmillaSpillUse use;

  g_mutex_lock (&self->lock);
  use = self->use;
  g_mutex_unlock (&self->lock);
  return use;
}

/* Returns a warning about the folder of the file; NULL: none. */
char *
armilla_spill_warning (ArmillaSpill *self)
{
  struct statfs status;

  if (fstatfs (self->fd, &status) != 0
      || ((guint32) status.f_type != TMPFS && (guint32) status.f_type != RAMFS))
    return NULL;
  return g_strdup_printf ("%s is in memory itself (tmpfs), so that tiles there save no memory; "
                          "choose a folder on a disk (--spill FOLDER)\n", self->folder);
}

/* Closes the file, which deletes it. */
void
armilla_spill_free (ArmillaSpill *self)
{
  close (self->fd);
  g_array_unref (self->idle);
  g_mutex_clear (&self->lock);
  g_free (self->folder);
  g_free (self);
}
