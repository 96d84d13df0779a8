/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of compressed Legendre matrices. Everything is little-endian:
 *
 *   0      header: #ArmillaTableHead, its last word being the checksum of those before
 *   512    index: #ArmillaTableEntry of orders 0 .. mmax, then its checksum; all 0 until the end
 *   ...    records, from a multiple of 4096 on, one an order, in order: #ArmillaTableRecord, then
 *          the order's words, padded with zeros to a multiple of 64 bytes
 *
 * While it is made, a file is called NAME.part and has no index; records that are there and whole
 * need not be made again. */
#pragma once

#include <armilla/alm.h>
#include <armilla/grid.h>

G_BEGIN_DECLS

#define ARMILLA_TABLE_VERSION 1

/**
 * ArmillaTableKey:
 * @lmax: highest degree
 * @mmax: highest order
 * @n_pairs: ring pairs of the grid
 * @tolerance: RMS error of a transform
 * @transforms: how many transforms shall repay the compression of an order; 0: it must be faster
 *   then, whatever it took; -1: every order is compressed
 * @n_fields: maps at a time that were reckoned with
 * @digest: SHA-256 of the sines and cosines of all pairs
 * @grid: the grid, in words
 *
 * What a table is for.
 */
typedef struct {
  gint64 lmax, mmax, n_pairs;
  double tolerance;
  gint64 transforms, n_fields;
  guint8 digest[32];
  char grid[128];
} ArmillaTableKey;

/**
 * ArmillaTableEntry:
 * @offset: where the order's words are in the file
 * @size: bytes of them; 0: the order is not compressed
 * @checksum: of them
 * @elements: multiplications for one vector
 * @width: the most numbers between two stages
 */
typedef struct {
  gint64 offset, size;
  guint64 checksum;
  gint64 elements, width;
} ArmillaTableEntry;

/**
 * ArmillaTableSpeed:
 * @step: seconds of the recurrence for a step of one pair, and more for each field
 * @step_field: see @step
 * @element: seconds of a compressed element and field
 * @byte: seconds of a byte of the table
 * @compress: seconds of an operation of the compression
 *
 * How fast one worker of the machine was that made the table. The choice between table and
 * recurrence follows from these, so that it is the same on each machine and in each run.
 */
typedef struct {
  double step, step_field, element, byte, compress;
} ArmillaTableSpeed;

void armilla_table_key_init (ArmillaTableKey *key, const ArmillaGrid *grid,
                             ArmillaAlmLayout layout, double tolerance);
guint64 armilla_table_checksum (const void *data, gsize size);

/**
 * ArmillaTableWriter:
 *
 * A table that is being made. One thread at a time.
 */
typedef struct _ArmillaTableWriter ArmillaTableWriter;

ArmillaTableWriter *armilla_table_writer_new (const char *path, const ArmillaTableKey *key,
                                              const ArmillaTableSpeed *speed, gint64 *next,
                                              GError **error);
gboolean armilla_table_writer_add (ArmillaTableWriter *writer, gint64 m, const void *words,
                                   gint64 size, gint64 elements, gint64 width, double seconds,
                                   GError **error);
gboolean armilla_table_writer_finish (ArmillaTableWriter *writer, GError **error);
void armilla_table_writer_free (ArmillaTableWriter *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaTableWriter, armilla_table_writer_free)

/**
 * ArmillaTableFile:
 *
 * A whole table, mapped into memory, never written to.
 */
typedef struct _ArmillaTableFile ArmillaTableFile;

ArmillaTableFile *armilla_table_file_open (const char *path, GError **error);
const ArmillaTableKey *armilla_table_file_key (const ArmillaTableFile *file);
const ArmillaTableSpeed *armilla_table_file_speed (const ArmillaTableFile *file);
double armilla_table_file_seconds (const ArmillaTableFile *file);
gint64 armilla_table_file_size (const ArmillaTableFile *file);
gboolean armilla_table_file_fits (const ArmillaTableFile *file, const ArmillaTableKey *key,
                                  GError **error);
const ArmillaTableEntry *armilla_table_file_entry (const ArmillaTableFile *file, gint64 m);
const void *armilla_table_file_words (const ArmillaTableFile *file, gint64 m);
gboolean armilla_table_file_verify (const ArmillaTableFile *file, gint64 m, const void *words,
                                    GError **error);
void armilla_table_file_free (ArmillaTableFile *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaTableFile, armilla_table_file_free)

G_END_DECLS
