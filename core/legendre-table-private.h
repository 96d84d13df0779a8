/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/legendre-table.h"

G_BEGIN_DECLS

#define ARMILLA_TABLE_INDEX 512
#define ARMILLA_TABLE_BYTE_ORDER 0x01020304
#define ARMILLA_TABLE_ALIGN 64
#define ARMILLA_TABLE_RECORD_MAGIC G_GUINT64_CONSTANT (0x7265647265676c61)

/* The first words of a file. */
typedef struct {
  char magic[8];     /* "ARMLEGT\n" */
  guint32 version, byte_order;
  ArmillaTableKey key;
  ArmillaTableSpeed speed;
  double seconds;    /* that compressing took, all orders */
  gint64 size;       /* of the file; 0: it is not whole */
  guint64 unused[28];
  guint64 checksum;
} ArmillaTableHead;

typedef struct {
  guint64 magic;
  gint64 m, size;
  guint64 checksum; /* of the words */
  gint64 elements, width;
  double seconds;
  guint64 own; /* checksum of the above */
} ArmillaTableRecord;

G_STATIC_ASSERT (sizeof (ArmillaTableHead) == ARMILLA_TABLE_INDEX);
G_STATIC_ASSERT (sizeof (ArmillaTableRecord) == ARMILLA_TABLE_ALIGN);

static inline gint64
armilla_table_pad (gint64 size)
{
  return (size + ARMILLA_TABLE_ALIGN - 1) / ARMILLA_TABLE_ALIGN * ARMILLA_TABLE_ALIGN;
}

static inline gint64
armilla_table_index_size (gint64 mmax)
{
  return (mmax + 1) * (gint64) sizeof (ArmillaTableEntry) + 8;
}

/* Where the first record is. */
static inline gint64
armilla_table_begin (gint64 mmax)
{
  return (ARMILLA_TABLE_INDEX + armilla_table_index_size (mmax) + 4095) / 4096 * 4096;
}

gboolean armilla_table_host_fits (const char *path, GError **error);
gboolean armilla_table_head_check (const ArmillaTableHead *head, const char *path, GError **error);
gboolean armilla_table_record_check (const ArmillaTableRecord *record, gint64 m, gint64 space);
gboolean armilla_table_keys_fit (const ArmillaTableKey *have, const ArmillaTableKey *want,
                                 const char *path, GError **error);

G_END_DECLS
