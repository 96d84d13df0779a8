/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps, a_lm and spectra in FITS files. Any threads may read and write, each its own file; calls of
 * CFITSIO wait for each other. */
#pragma once

#include <armilla/alm.h>
#include <armilla/fields.h>
#include <armilla/grid.h>
#include <armilla/output.h>

G_BEGIN_DECLS

/**
 * ARMILLA_UNSEEN:
 *
 * HEALPix's value of a pixel that was not observed.
 */
#define ARMILLA_UNSEEN (-1.6375e30)

/**
 * armilla_is_unseen:
 * @x: a pixel value
 *
 * Returns: whether |x + 1.6375e30| <= 1e-5 * 1.6375e30 (float32 files hold a rounded value)
 */
static inline gboolean
armilla_is_unseen (double x)
{
  double d = x - ARMILLA_UNSEEN;

  return (d < 0 ? -d : d) <= 1e-5 * 1.6375e30;
}

/**
 * ArmillaMapOrder:
 * @ARMILLA_ORDER_RING: pixels run along rings, north to south
 * @ARMILLA_ORDER_NESTED: pixels follow HEALPix's quad-tree; nside must be a power of two
 */
typedef enum { ARMILLA_ORDER_RING, ARMILLA_ORDER_NESTED } ArmillaMapOrder;

/**
 * ArmillaMapHeader:
 * @grid: (owned): the pixelisation
 * @order: order of the pixels in the file
 * @partial: only some pixels are in the file, with their numbers (explicit indexing)
 * @single: float32 columns (float64 otherwise)
 * @n_fields: number of columns of values
 * @names: (array length=n_fields) (owned): TTYPE of each
 * @units: (array length=n_fields) (owned): TUNIT of each, "" when there is none
 * @spins: (array length=n_fields) (owned) (nullable): spin of each, see armilla_fields_part();
 *   %NULL when all are 0. A file does not say: the reader leaves %NULL, the writer does not look
 * @coordsys: (owned) (nullable): COORDSYS: G, E or C
 * @polcconv: (owned) (nullable): POLCCONV: COSMO or IAU. When reading also what else is there, in
 *   capitals; several that contradict, separated by a comma
 * @extra: (owned) (nullable): lines for HISTORY when writing; what was there when reading
 *
 * What the header of a map file says.
 */
typedef struct {
  ArmillaGrid *grid;
  ArmillaMapOrder order;
  gboolean partial;
  gboolean single;
  int n_fields;
  char **names;
  char **units;
  int *spins;
  char *coordsys;
  char *polcconv;
  char **extra;
} ArmillaMapHeader;

void armilla_map_header_clear (ArmillaMapHeader *header);
gboolean armilla_pixels_check_finite (const double *pixels, gint64 n, gint64 first_pixel,
                                      gint64 *n_bad, gint64 *first_bad);

/**
 * ArmillaMapReader:
 *
 * A map file that is open for reading; one thread at a time.
 */
typedef struct _ArmillaMapReader ArmillaMapReader;

/**
 * ArmillaMapWriter:
 *
 * A map file that is being written; pieces may come in any order, one thread at a time.
 */
typedef struct _ArmillaMapWriter ArmillaMapWriter;


ArmillaMapReader *armilla_map_reader_open (const char *path, int hdu, GError **error);
const ArmillaMapHeader *armilla_map_reader_header (ArmillaMapReader *reader);
const char *armilla_map_reader_note (ArmillaMapReader *reader);
gboolean armilla_map_reader_read (ArmillaMapReader *reader, int field, gint64 first, gint64 n,
                                  double *pixels, GError **error);
void armilla_map_reader_free (ArmillaMapReader *reader);

ArmillaMapWriter *armilla_map_writer_open (ArmillaOutput *output, const ArmillaMapHeader *header,
                                           GError **error);
gboolean armilla_map_writer_write (ArmillaMapWriter *writer, int field, gint64 first, gint64 n,
                                   const double *pixels, GError **error);
gboolean armilla_map_header_can_share (const ArmillaMapHeader *header);
gboolean armilla_map_writer_end_part (ArmillaMapWriter *writer, GByteArray *summary,
                                      GError **error);
gboolean armilla_map_writer_merge (ArmillaMapWriter *writer, const guint8 *summary, gsize size,
                                   GError **error);
gboolean armilla_map_writer_close (ArmillaMapWriter *writer, GError **error);
void armilla_map_writer_free (ArmillaMapWriter *writer);

/**
 * ArmillaAlmVisitor:
 * @user: what the caller gave
 * @n: number of coefficients in this call
 * @l: (array length=n): degrees
 * @m: (array length=n): orders
 * @values: (array length=2n): real and imaginary parts, interleaved
 */
typedef void (*ArmillaAlmVisitor) (gpointer user, gint64 n, const gint64 *l, const gint64 *m,
                                   const double *values);

/**
 * ArmillaAlmReader:
 *
 * A file of a_lm that is open for reading; one thread at a time.
 */
typedef struct _ArmillaAlmReader ArmillaAlmReader;

/**
 * ArmillaAlmWriter:
 *
 * A file of a_lm that is being written; one thread at a time.
 */
typedef struct _ArmillaAlmWriter ArmillaAlmWriter;


ArmillaAlmReader *armilla_alm_reader_open (const char *path, GError **error);
ArmillaAlmLayout armilla_alm_reader_layout (ArmillaAlmReader *reader);
int armilla_alm_reader_fields (ArmillaAlmReader *reader);
int armilla_alm_reader_spin (ArmillaAlmReader *reader, int field);
const char *armilla_alm_reader_unit (ArmillaAlmReader *reader, int field);
const char *armilla_alm_reader_coordsys (ArmillaAlmReader *reader, int field);
const char *armilla_alm_reader_note (ArmillaAlmReader *reader);
gboolean armilla_alm_reader_visit (ArmillaAlmReader *reader, int field, ArmillaAlmVisitor visit,
                                   gpointer user, GError **error);
void armilla_alm_reader_free (ArmillaAlmReader *reader);

ArmillaAlmWriter *armilla_alm_writer_open (ArmillaOutput *output, ArmillaAlmLayout layout,
                                           int n_fields, const int *spins, const char *unit,
                                           const char *coordsys, gboolean single, char **history,
                                           GError **error);
gboolean armilla_alm_writer_write (ArmillaAlmWriter *writer, int field, gint64 first, gint64 n,
                                   const double *values, GError **error);
gboolean armilla_alm_writer_end_part (ArmillaAlmWriter *writer, GByteArray *summary,
                                      GError **error);
gboolean armilla_alm_writer_merge (ArmillaAlmWriter *writer, const guint8 *summary, gsize size,
                                   GError **error);
gboolean armilla_alm_writer_close (ArmillaAlmWriter *writer, GError **error);
void armilla_alm_writer_free (ArmillaAlmWriter *writer);

/**
 * ArmillaClTable:
 * @lmax: highest multipole
 * @n_fields: number of spectra
 * @names: (array length=n_fields): column names
 * @units: (array length=n_fields): unit of each, "" where it is not known
 * @coordsys: (nullable): COORDSYS of what the spectra were measured on: G, E or C
 * @values: spectra, [field][l], l = 0..lmax; NaN if the file has no value
 * @named: whether the file names its columns
 */
typedef struct {
  gint64 lmax;
  int n_fields;
  char **names;
  char **units;
  char *coordsys;
  double *values;
  gboolean named;
} ArmillaClTable;

/**
 * ArmillaClRows:
 * @ARMILLA_CL_COMPLETE: every multipole from the first to the last one has a row; a gap is an error
 * @ARMILLA_CL_INTERPOLATED: multipoles between those of the rows are interpolated linearly
 * @ARMILLA_CL_AS_ROWS: rows are no multipoles; a column of multipoles is one like any other
 *
 * What the rows of a table of spectra are.
 */
typedef enum {
  ARMILLA_CL_COMPLETE,
  ARMILLA_CL_INTERPOLATED,
  ARMILLA_CL_AS_ROWS
} ArmillaClRows;

ArmillaClTable *armilla_cl_table_new (gint64 lmax, int n_fields);
void armilla_cl_table_free (ArmillaClTable *table);
ArmillaClTable *armilla_cl_read (const char *path, GError **error);
ArmillaClTable *armilla_cl_read_rows (const char *path, ArmillaClRows rows, GError **error);
gboolean armilla_cl_write (ArmillaOutput *output, const ArmillaClTable *table, char **history,
                           GError **error);
double *armilla_ring_weights_read (const char *path, gint64 nside, gint64 *n_rings,
                                   GError **error);
gint64 armilla_pixel_weights_count (gint64 nside);
gint64 armilla_pixel_weights_lmax (gint64 nside);
double *armilla_pixel_weights_read (const char *path, gint64 nside, GError **error);
void armilla_pixel_weights_expand (const double *weights, gint64 nside, gint64 ring,
                                   double *pixels);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaMapReader, armilla_map_reader_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaMapWriter, armilla_map_writer_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaAlmReader, armilla_alm_reader_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaAlmWriter, armilla_alm_writer_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaClTable, armilla_cl_table_free)

G_END_DECLS
