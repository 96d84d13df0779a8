/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/tables/legendre-table.h"

G_BEGIN_DECLS

#define ARMILLA_LEGENDRE_INDEX 512
#define ARMILLA_LEGENDRE_BYTE_ORDER 0x01020304
#define ARMILLA_LEGENDRE_ALIGN 64
#define ARMILLA_LEGENDRE_RECORD_MAGIC G_GUINT64_CONSTANT (0x7265647265676c61)

/* Header of a file. */
typedef struct {
  char magic[8];     /* "ARMLEGT\n" */
  guint32 version, byte_order;
  ArmillaLegendreKey key;
  ArmillaLegendreSpeed speed;
  double seconds;    /* duration of the compression of all orders, s */
  gint64 size;       /* size of the file; 0: incomplete */
  guint64 unused[28];
  guint64 checksum;
} ArmillaLegendreHead;

typedef struct {
  guint64 magic;
  gint64 m, size;
  guint64 checksum; /* checksum of the words */
  gint64 elements, width;
  double seconds;
  guint64 own; /* checksum of the preceding fields */
} ArmillaLegendreRecord;

G_STATIC_ASSERT (sizeof (ArmillaLegendreHead) == ARMILLA_LEGENDRE_INDEX);
G_STATIC_ASSERT (sizeof (ArmillaLegendreRecord) == ARMILLA_LEGENDRE_ALIGN);

static inline gint64
armilla_legendre_pad (gint64 size)
{
  return (size + ARMILLA_LEGENDRE_ALIGN - 1) / ARMILLA_LEGENDRE_ALIGN * ARMILLA_LEGENDRE_ALIGN;
}

static inline gint64
armilla_legendre_index_size (gint64 mmax)
{
  return (mmax + 1) * (gint64) sizeof (ArmillaLegendreEntry) + 8;
}

/* Returns the offset of the first record. */
static inline gint64
armilla_legendre_begin (gint64 mmax)
{
  return (ARMILLA_LEGENDRE_INDEX + armilla_legendre_index_size (mmax) + 4095) / 4096 * 4096;
}

gboolean armilla_legendre_host_fits (const char *path, GError **error);
gboolean armilla_legendre_head_check (const ArmillaLegendreHead *head, const char *path,
                                      GError **error);
gboolean armilla_legendre_record_check (const ArmillaLegendreRecord *record, gint64 m,
                                        gint64 space);
gboolean armilla_legendre_keys_fit (const ArmillaLegendreKey *have, const ArmillaLegendreKey *want,
                                 const char *path, GError **error);

G_END_DECLS
