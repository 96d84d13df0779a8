/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates large tiles on the CPU. Tiles of a map exist until they are written to a file, and
 * there are many. The C library would create a new mapping for each, whose pages the kernel clears
 * at the first access: a tenth of the time of a transform at nside 1024. So freed blocks are kept
 * for the next tile of about the same size, and consist of huge pages: rows of a tile are pages
 * apart, and there are more rows than the TLB has entries. Blocks smaller than a huge page are
 * parts of larger ones ("slabs"), which are kept. If memory is limited, every block is a separate
 * mapping that is returned to the kernel soon, and reused only for tiles of its size. Memory for
 * GPUs, which is pinned, is managed by StarPU. */
#include "config.h"

#include <errno.h>
#include <starpu.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "core/base/memory.h"
#include "tasks/memory/tile-memory.h"

/* minimum size of a block; smaller tiles come from the C library's heap */
#define MIN_BYTES (256 << 10)
/* the same if memory is limited: the heap keeps freed memory, which counts as memory other than
 * tiles */
#define MIN_BOUNDED (16 << 10)
/* Idle blocks are freed unless the sum of idle and used blocks exceeds the maximum ever in use by
 * at most SPARE_BYTES, or twice the largest block if that is more. So a run that allocates and
 * frees tiles needs no page twice, and little more memory than its tiles. (Tiles near the poles are
 * smaller, and their blocks fit no other tile.) */
#define SPARE_BYTES (16 << 20)
#define HUGE_PAGE (2 << 20)
#define SLAB (8 << 20)
/* Offset between tiles: ring transforms read a row of the tile of each m-block at the same time,
 * and if all tiles began at multiples of a power of two, these rows would share few cache sets. */
#define SKEW (4096 + 320)

typedef struct {
  void *at;
  gsize size;
} Block;

/* The pool. StarPU's hooks have no user data, so there is one per process, like StarPU itself. */
static struct {
  GMutex lock;
  GHashTable *used; /* address -> size */
  GArray *idle;     /* Block, the most recently freed last */
  GArray *idle_parts; /* idle blocks that are parts of slabs */
  gsize idle_bytes, used_bytes; /* sizes of idle and used blocks, without parts of slabs */
  gsize peak_bytes;             /* maximum of used_bytes */
  gsize largest;                /* largest block that was ever in use */
  GPtrArray *slabs;
  gsize slab_used;  /* used bytes of the last slab */
  ArmillaTileRoom room; /* NULL: no bound */
  ArmillaTileMissing missing;
  gpointer user;        /* argument of @room */
} pool;

static void *
new_pages (gsize size)
{
  void *at = NULL;

  if (posix_memalign (&at, HUGE_PAGE, size) != 0)
    return NULL;
#ifdef MADV_HUGEPAGE
  /* A hint; without huge pages, small ones are used. */
  (void) madvise (at, size, MADV_HUGEPAGE);
#endif
  return at;
}

/* Returns a new mapping, aligned to a huge page if it is that large. */
static void *
map_pages (gsize size)
{
  gsize extra = size >= HUGE_PAGE ? HUGE_PAGE : 0, before;
  char *at = mmap (NULL, size + extra, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (at == MAP_FAILED)
    return NULL;
  if (extra == 0)
    return at;
  before = (HUGE_PAGE - (guintptr) at % HUGE_PAGE) % HUGE_PAGE;
  if (before > 0)
    munmap (at, before);
  if (before < extra)
    munmap (at + before + size, extra - before);
#ifdef MADV_HUGEPAGE
  (void) madvise (at + before, size, MADV_HUGEPAGE);
#endif
  return at + before;
}

static gboolean
is_part (gsize size)
{
  return size < HUGE_PAGE && !pool.room;
}

static void *
new_block (gsize size)
{
  void *at;

  if (pool.room)
    return map_pages (size);
  if (!is_part (size))
    return new_pages (size);
  if (pool.slabs->len == 0 || pool.slab_used + size > SLAB)
    {
      at = new_pages (SLAB);
      if (!at)
        return NULL;
      g_ptr_array_add (pool.slabs, at);
      pool.slab_used = 0;
    }
  at = (char *) g_ptr_array_index (pool.slabs, pool.slabs->len - 1) + pool.slab_used;
  pool.slab_used += (size + 4095) / 4096 * 4096 + SKEW;
  return at;
}

/* Returns the smallest idle block that fits a tile and is at least half full, the most recently
 * freed among equal ones. */
static Block
take_idle (gsize size)
{
  GArray *idle = is_part (size) ? pool.idle_parts : pool.idle;
  Block found = { NULL, 0 };
  guint at = 0;

  for (guint i = 0; i < idle->len; i++)
    {
      const Block *block = &g_array_index (idle, Block, i);

      if (block->size >= size && (pool.room ? block->size == size : block->size / 2 <= size)
          && (!found.at || block->size <= found.size))
        {
          found = *block;
          at = i;
        }
    }
  if (!found.at)
    return found;
  g_array_remove_index (idle, at);
  if (!is_part (size))
    pool.idle_bytes -= found.size;
  return found;
}

static void
drop_oldest (void)
{
  Block block = g_array_index (pool.idle, Block, 0);

  pool.idle_bytes -= block.size;
  if (pool.room)
    munmap (block.at, block.size);
  else
    free (block.at);
  g_array_remove_index (pool.idle, 0);
}

/* Frees idle blocks so that @more bytes can be allocated within the limits. */
static void
drop_superfluous (gsize more)
{
  gsize max_bytes = pool.room ? (gsize) pool.room (pool.user)
                               : pool.peak_bytes + MAX (SPARE_BYTES, 2 * pool.largest);

  while (pool.idle->len > 0 && pool.used_bytes + pool.idle_bytes + more > max_bytes)
    drop_oldest ();
}

static void
count_used (gsize size)
{
  if (is_part (size))
    return;
  pool.used_bytes += size;
  pool.peak_bytes = MAX (pool.peak_bytes, pool.used_bytes);
  pool.largest = MAX (pool.largest, size);
  drop_superfluous (0);
}

/* Returns a block for a tile of @size bytes, idle or new. */
static Block
find_block (gsize size)
{
  Block block;

  if (pool.room)
    size = (size + 4095) / 4096 * 4096;
  block = take_idle (size);

  if (!block.at && pool.room)
    drop_superfluous (size);
  if (!block.at)
    block = (Block) { new_block (size), size };
  while (!block.at && pool.idle->len > 0)
    {
      drop_oldest ();
      block.at = new_block (size);
    }
  return block;
}

/* Reports a failed allocation. StarPU would repeat it forever, so the callback should end the
 * process. */
static int
refuse (size_t size)
{
  pool.missing (pool.user, size);
  return -ENOMEM;
}

static int
allocate (unsigned node, void **at, size_t size, int flags)
{
  Block block;

  (void) node;
  (void) flags;
  *at = NULL;
  if (size < (pool.room ? MIN_BOUNDED : MIN_BYTES))
    return posix_memalign (at, 64, MAX (size, 1)) == 0 ? 0 : refuse (size);
  g_mutex_lock (&pool.lock);
  block = find_block (size);
  if (block.at)
    {
      g_hash_table_insert (pool.used, block.at, GSIZE_TO_POINTER (block.size));
      count_used (block.size);
    }
  g_mutex_unlock (&pool.lock);
  if (!block.at)
    return refuse (size);
  *at = block.at;
  return 0;
}

static int
release (unsigned node, void *at, size_t size, int flags)
{
  Block block = { at, 0 };

  (void) node;
  (void) size;
  (void) flags;
  g_mutex_lock (&pool.lock);
  block.size = GPOINTER_TO_SIZE (g_hash_table_lookup (pool.used, at));
  if (block.size > 0)
    {
      g_hash_table_remove (pool.used, at);
      g_array_append_val (is_part (block.size) ? pool.idle_parts : pool.idle, block);
      if (!is_part (block.size))
        {
          pool.used_bytes -= block.size;
          pool.idle_bytes += block.size;
          drop_superfluous (0);
        }
    }
  g_mutex_unlock (&pool.lock);
  if (block.size == 0)
    free (at);
  return 0;
}

/* Sets the size of main memory to the kernel's figure. StarPU uses hwloc's figure, rejects larger
 * tiles, and retries forever. hwloc may report too little if memory was added to a running machine:
 * 4.5 of 126 GiB have been observed. */
static void
count_no_main_memory (void)
{
  const double known = (double) starpu_memory_get_total (STARPU_MAIN_RAM);

  if (known >= 0 && known < 0.5 * armilla_memory_installed ())
    starpu_malloc_on_node_set_default_flags (STARPU_MAIN_RAM, STARPU_MALLOC_PINNED);
}

/* Makes StarPU, which must be running, allocate tiles here if it has no GPU, and up to the
 * machine's memory if there is no bound. @room: returns the bytes that all tiles together may use
 * (may be NULL); @missing: called in any thread with the requested bytes if an allocation fails. */
void
armilla_tile_memory_start (ArmillaTileRoom room, ArmillaTileMissing missing, gpointer user)
{
  if (!room)
    count_no_main_memory ();
  if (starpu_cuda_worker_get_count () > 0)
    return;
  pool.used = g_hash_table_new (NULL, NULL);
  pool.idle = g_array_new (FALSE, FALSE, sizeof (Block));
  pool.idle_parts = g_array_new (FALSE, FALSE, sizeof (Block));
  pool.slabs = g_ptr_array_new_with_free_func (free);
  pool.room = room;
  pool.missing = missing;
  pool.user = user;
  starpu_malloc_set_hooks (allocate, release);
}

/* Returns the bytes of idle blocks. */
gsize
armilla_tile_memory_idle (void)
{
  gsize bytes;

  g_mutex_lock (&pool.lock);
  bytes = pool.idle_bytes;
  g_mutex_unlock (&pool.lock);
  return bytes;
}

/* Frees all blocks. StarPU must be shut down. */
void
armilla_tile_memory_stop (void)
{
  if (!pool.used)
    return;
  starpu_malloc_set_hooks (NULL, NULL);
  while (pool.idle->len > 0)
    drop_oldest ();
  g_clear_pointer (&pool.used, g_hash_table_unref);
  g_clear_pointer (&pool.idle, g_array_unref);
  g_clear_pointer (&pool.idle_parts, g_array_unref);
  g_clear_pointer (&pool.slabs, g_ptr_array_unref);
  pool.room = NULL;
}
