/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of compressed Legendre matrices. Everything is little-endian:
 *
 *   0      header: #ArmillaLegendreHead, its last word being the checksum of those before
 *   512    index: #ArmillaLegendreEntry of orders 0 .. mmax, then its checksum; all 0 until the end
 *   ...    records, from a multiple of 4096 on, one per order, in order: #ArmillaLegendreRecord,
 *          then the order's words, padded with zeros to a multiple of 64 bytes
 *
 * An incomplete file is called NAME.part and has no index; its complete records are reused. */
#pragma once

#include <armilla/alm.h>
#include <armilla/grid.h>

G_BEGIN_DECLS

#define ARMILLA_LEGENDRE_VERSION 2

/* Parameters of a table. */
typedef struct {
  gint64 lmax;       /* highest multipole */
  gint64 mmax;       /* highest order */
  gint64 n_pairs;    /* ring pairs of the grid */
  double tolerance;  /* RMS error of a transform */
  /* number of transforms within which compressing an order must save time; 0: it must be faster,
   * regardless of the time to compress; -1: every order is compressed */
  gint64 transforms;
  gint64 n_fields;   /* number of maps per transform in the estimate */
  guint8 digest[32]; /* SHA-256 of the sines and cosines of all pairs */
  char grid[128];    /* description of the grid */
} ArmillaLegendreKey;

typedef struct {
  gint64 offset;    /* offset of the order's words in the file */
  gint64 size;      /* size of the words in bytes; 0: the order is not compressed */
  guint64 checksum; /* checksum of the words */
  gint64 elements;  /* number of multiplications per vector */
  gint64 width;     /* maximum number of numbers between two stages */
} ArmillaLegendreEntry;

/* Speed of one worker of the machine that created the table. The choice between table and
 * recurrence depends on these figures alone, so that it is the same on each machine and in each
 * run. */
typedef struct {
  double step;       /* seconds of the recurrence per step and ring pair */
  double step_field; /* additional seconds of such a step per field */
  double element;    /* seconds per compressed element and field */
  double byte;       /* seconds per byte of the table, to read and unpack it */
  double compress;   /* seconds per operation of the compression */
} ArmillaLegendreSpeed;

void armilla_legendre_key_init (ArmillaLegendreKey *key, const ArmillaGrid *grid,
                             ArmillaAlmLayout layout, double tolerance);
guint64 armilla_legendre_checksum (const void *data, gsize size);

/* A table being written. One thread at a time. */
typedef struct _ArmillaLegendreWriter ArmillaLegendreWriter;

ArmillaLegendreWriter *armilla_legendre_writer_new (const char *path, const ArmillaLegendreKey *key,
                                              const ArmillaLegendreSpeed *speed, gint64 *next,
                                              GError **error);
gboolean armilla_legendre_writer_add (ArmillaLegendreWriter *writer, gint64 m, const void *words,
                                   gint64 size, gint64 elements, gint64 width, double seconds,
                                   GError **error);
gboolean armilla_legendre_writer_finish (ArmillaLegendreWriter *writer, GError **error);
void armilla_legendre_writer_free (ArmillaLegendreWriter *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaLegendreWriter, armilla_legendre_writer_free)

/* A complete table, mapped into memory read-only. */
typedef struct _ArmillaLegendreFile ArmillaLegendreFile;

ArmillaLegendreFile *armilla_legendre_file_open (const char *path, GError **error);
const ArmillaLegendreKey *armilla_legendre_file_key (const ArmillaLegendreFile *file);
const ArmillaLegendreSpeed *armilla_legendre_file_speed (const ArmillaLegendreFile *file);
double armilla_legendre_file_seconds (const ArmillaLegendreFile *file);
gint64 armilla_legendre_file_size (const ArmillaLegendreFile *file);
gboolean armilla_legendre_file_fits (const ArmillaLegendreFile *file, const ArmillaLegendreKey *key,
                                  GError **error);
const ArmillaLegendreEntry *armilla_legendre_file_entry (const ArmillaLegendreFile *file, gint64 m);
const void *armilla_legendre_file_words (const ArmillaLegendreFile *file, gint64 m);
gboolean armilla_legendre_file_verify (const ArmillaLegendreFile *file, gint64 m, const void *words,
                                    GError **error);
void armilla_legendre_file_free (ArmillaLegendreFile *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaLegendreFile, armilla_legendre_file_free)

G_END_DECLS
