/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/fits-mutate.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#define CARD 80
#define BLOCK 2880

/* Numbers where something tends to overflow, and values of other types. */
static const char *const values[] = {
  "0", "1", "-1", "2", "3", "7", "8", "12", "16", "32", "48", "64", "999", "1000", "1024", "46340",
  "65536", "65537", "2147483647", "2147483648", "-2147483648", "4294967296", "1152921504606846976",
  "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1E30", "-0.0", "NAN",
  "INF", "1.5", "T", "F", "''", "'RING'", "'NESTED'", "'EXPLICIT'", "'IMPLICIT'", "'PARTIAL'",
  "'FULLSKY'", "'HEALPIX'", "'GAUSSLEGENDRE'", "'FEJER1'", "'CLENSHAW-CURTIS'",
  "'DRISCOLL-HEALY'", "'RINGS'", "'BINTABLE'", "'TABLE   '", "'IMAGE   '", "'FOREIGN'",
  "'1E'", "'1D'", "'1J'", "'1K'", "'1I'", "'1B'", "'1L'", "'0D'", "'1024E'", "'3A'", "'1PE(5)'",
  "'1QD'", "'9X'", "'1C'", "'1M'", "'99999999999999999999E'", "'2305843009213693952D'", "'E15.7'",
  "'RA---CAR'", "'DEC--CAR'", "'GLON-CAR'", "'RA---TAN'", "'STOKES  '", "-30", "7.5", "90", "360",
  "'I6'", "'D25.17'", "'F9.3'", "'A10'", "'E0.0'", "'-1E'", "'E99999.1'", "'", "/", "(1,2)"
};

static const char *const keywords[] = {
  "SIMPLE",   "XTENSION", "BITPIX",  "NAXIS",  "NAXIS1",  "NAXIS2",   "NAXIS3",  "PCOUNT",
  "GCOUNT",   "TFIELDS",  "TFORM1",  "TFORM2", "TFORM3",  "TTYPE1",   "TUNIT1",  "TSCAL1",
  "TZERO1",   "TSCAL2",   "TZERO2",  "TNULL1", "TNULL2",  "TBCOL1",   "TBCOL2",  "NSIDE",
  "ORDERING", "INDXSCHM", "OBJECT",  "GRAIN",  "PIXTYPE", "NTHETA",   "NPHI",    "EXTNAME",
  "COORDSYS", "POLCCONV", "CHECKSUM", "DATASUM", "BSCALE", "BZERO",   "BLANK",   "THEAP",
  "CTYPE1",   "CTYPE2",   "CTYPE3",  "CRVAL1", "CRVAL2",  "CRVAL3",   "CRPIX1",  "CRPIX2",
  "CDELT1",   "CDELT2",   "CDELT3",  "CD1_1",  "CD1_2",   "PC2_2",    "LATPOLE", "POLCONV",
  "ZIMAGE",   "GROUPS",   "EXTEND",  "END",    "HISTORY", "COMMENT",  "CONTINUE", "HIERARCH"
};

static guint
below (GRand *random, guint n)
{
  return n == 0 ? 0 : g_rand_int (random) % n;
}

/* A card anywhere, mostly in the first blocks, where the headers are. */
static guint
random_card (const GByteArray *bytes, GRand *random)
{
  guint n = bytes->len / CARD;

  return CARD * below (random, below (random, 4) != 0 ? MIN (n, 3 * BLOCK / CARD) : n);
}

static void
set_card (guint8 *card, const char *keyword, const char *value)
{
  char text[200];

  if (strcmp (keyword, "END") == 0 || strcmp (keyword, "HISTORY") == 0
      || strcmp (keyword, "COMMENT") == 0)
    snprintf (text, sizeof text, "%-8s%-72s", keyword, keyword[0] == 'E' ? "" : value);
  else
    snprintf (text, sizeof text, "%-8s= %20s%-50s", keyword, value, " /");
  memcpy (card, text, CARD);
}

static void
mutate_card (GByteArray *bytes, GRand *random)
{
  guint8 *card = bytes->data + random_card (bytes, random);
  guint8 *other = bytes->data + random_card (bytes, random), copy[CARD];
  const char *value = values[below (random, G_N_ELEMENTS (values))];
  char keyword[9] = { 0 };

  switch (below (random, 6))
    {
    case 0:                     /* another value for the same keyword */
    case 1:
      memcpy (keyword, card, 8);
      for (char *p = keyword; *p != 0; p++)
        if (*p < ' ' || *p > '~')
          *p = ' ';
      set_card (card, g_strchomp (keyword), value);
      break;
    case 2:                     /* another card */
      set_card (card, keywords[below (random, G_N_ELEMENTS (keywords))], value);
      break;
    case 3:                     /* swapped */
      memcpy (copy, card, CARD);
      memmove (card, other, CARD);
      memcpy (other, copy, CARD);
      break;
    case 4:                     /* there twice */
      memmove (card, other, CARD);
      break;
    default:                    /* an index that goes up or down */
      card[5 + below (random, 3)] = '0' + below (random, 10);
      break;
    }
}

static void
mutate_bytes (GByteArray *bytes, GRand *random)
{
  static const guint8 odd[] = { 0, 0xff, 0x7f, 0x80, ' ', '9', '-', '\'', '\n', 'E', '.' };
  guint at = below (random, bytes->len), n;

  switch (below (random, 4))
    {
    case 0:
      bytes->data[at] ^= 1 << below (random, 8);
      break;
    case 1:
      bytes->data[at] = odd[below (random, G_N_ELEMENTS (odd))];
      break;
    case 2:
      n = 1 + below (random, 64);
      n = MIN (bytes->len - at, n);
      memset (bytes->data + at, odd[below (random, G_N_ELEMENTS (odd))], n);
      break;
    default:
      n = 1 + below (random, 16);
      n = MIN (bytes->len - at, n);
      while (n-- > 0)
        bytes->data[at++] = g_rand_int (random);
      break;
    }
}

static void
mutate_length (GByteArray *bytes, GRand *random)
{
  guint n = bytes->len, blocks = n / BLOCK;
  guint8 block[BLOCK];

  switch (below (random, 5))
    {
    case 0:
      g_byte_array_set_size (bytes, below (random, n + 1));
      break;
    case 1:
      g_byte_array_set_size (bytes, BLOCK * below (random, blocks + 1));
      break;
    case 2:
      memset (block, below (random, 2) != 0 ? ' ' : 0, BLOCK);
      g_byte_array_append (bytes, block, 1 + below (random, BLOCK));
      break;
    case 3:                     /* a block there twice: perhaps a second extension */
      if (blocks == 0)
        break;
      memcpy (block, bytes->data + BLOCK * below (random, blocks), BLOCK);
      g_byte_array_append (bytes, block, BLOCK);
      break;
    default:
      if (n > CARD)
        g_byte_array_remove_range (bytes, random_card (bytes, random), CARD);
      break;
    }
}

void
fits_mutate (GByteArray *bytes, GRand *random)
{
  guint what = below (random, 16);

  if (bytes->len < 2 * CARD || what == 0)
    mutate_length (bytes, random);
  else if (what < 12)
    mutate_card (bytes, random);
  else
    mutate_bytes (bytes, random);
}

GByteArray *
fits_compress (const GByteArray *bytes)
{
  GByteArray *out = g_byte_array_new ();
  z_stream stream = { 0 };

  g_byte_array_set_size (out, bytes->len + 1024);
  g_assert_cmpint (deflateInit2 (&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), ==,
                   Z_OK);
  stream.next_in = bytes->data;
  stream.avail_in = bytes->len;
  stream.next_out = out->data;
  stream.avail_out = out->len;
  g_assert_cmpint (deflate (&stream, Z_FINISH), ==, Z_STREAM_END);
  g_byte_array_set_size (out, stream.total_out);
  deflateEnd (&stream);
  return out;
}
