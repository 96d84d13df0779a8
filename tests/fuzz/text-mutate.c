/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/text-mutate.h"

#include <string.h>

static const char *const anywhere[] = {
  "", " ", "\n", "\r\n", "\t", "=", ",", ";", "#", "\"", "\\", "/", "[", "]", "{", "}", "${", "$$",
  "-", "-1", "0", "00", "1e999", "1e-999", "-0.0", "nan", "inf", "0x10", "1D3", "2147483647",
  "2147483648", "-2147483649", "4294967296", "9223372036854775807", "9223372036854775808",
  "99999999999999999999", "0.1.2", "\033[31m", "\007", "\177", "\302\205", "\342\200\256", "\303",
  "\377", "\355\240\200", "\303\251", "\357\273\277", "%s%n", "true", "false", "all", "deg",
  "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  NULL
};

static guint
below (GRand *random, guint n)
{
  return n == 0 ? 0 : g_rand_int (random) % n;
}

/* Puts @n bytes where @gone others were. */
static void
replace (GByteArray *bytes, guint at, guint gone, const void *put, guint n)
{
  g_autofree guint8 *copy = g_memdup2 (put, n);
  guint old = bytes->len;

  if (n > gone)
    g_byte_array_set_size (bytes, old + n - gone);
  memmove (bytes->data + at + n, bytes->data + at + gone, old - at - gone);
  if (n > 0)
    memcpy (bytes->data + at, copy, n);
  if (n < gone)
    g_byte_array_set_size (bytes, old + n - gone);
}

/* Where the line begins that @at is in, and its length with its end. */
static guint
find_line (const GByteArray *bytes, guint at, guint *n)
{
  guint end = at;

  while (at > 0 && bytes->data[at - 1] != '\n')
    at--;
  while (end < bytes->len && bytes->data[end] != '\n')
    end++;
  *n = MIN (end + 1, bytes->len) - at;
  return at;
}

static void
mutate_line (GByteArray *bytes, GRand *random, guint at)
{
  guint n, n_other, first = find_line (bytes, at, &n);
  guint other = find_line (bytes, below (random, bytes->len), &n_other);

  switch (below (random, 3))
    {
    case 0: /* it goes */
      replace (bytes, first, n, "", 0);
      break;
    case 1: /* another one comes here, too */
      replace (bytes, first, 0, bytes->data + other, n_other);
      break;
    default: /* instead */
      replace (bytes, first, n, bytes->data + other, n_other);
    }
}

/* Another number where there is one. */
static void
mutate_number (GByteArray *bytes, GRand *random, guint at, const char *word)
{
  guint end;

  while (at < bytes->len && !g_ascii_isdigit (bytes->data[at]))
    at++;
  for (end = at; end < bytes->len && g_ascii_isdigit (bytes->data[end]);)
    end++;
  if (end == at)
    return;
  if (g_rand_boolean (random))
    bytes->data[at] = (guint8) ('0' + below (random, 10));
  else
    replace (bytes, at, end - at, word, strlen (word));
}

void
text_mutate (GByteArray *bytes, GRand *random, const char *const *tokens)
{
  const char *const *words = tokens != NULL && g_rand_boolean (random) ? tokens : anywhere;
  const char *word = words[below (random, g_strv_length ((char **) words))];
  guint at = below (random, bytes->len + 1), n;

  if (bytes->len == 0 || at == bytes->len)
    {
      replace (bytes, bytes->len, 0, word, strlen (word));
      return;
    }
  switch (below (random, 8))
    {
    case 0:
      bytes->data[at] = (guint8) g_rand_int (random);
      break;
    case 1:
      bytes->data[at] ^= (guint8) (1 << below (random, 8));
      break;
    case 2: /* a piece goes */
      n = below (random, 12);
      replace (bytes, at, MIN (n, bytes->len - at), "", 0);
      break;
    case 3:
      mutate_line (bytes, random, at);
      break;
    case 4:
      mutate_number (bytes, random, at, word);
      break;
    case 5: /* the end goes */
      if (below (random, 8) == 0)
        g_byte_array_set_size (bytes, at);
      break;
    default:
      replace (bytes, at, 0, word, strlen (word));
    }
}

/* A sanitizer takes four times as long. */
#ifdef __SANITIZE_ADDRESS__
#define FEWER 4
#else
#define FEWER 1
#endif

int
text_fuzz (const TextFuzz *fuzz, int argc, char *argv[])
{
  const guint64 runs = argc > 1 ? g_ascii_strtoull (argv[1], NULL, 10) : fuzz->runs / FEWER;
  const guint32 seed = argc > 2 ? (guint32) g_ascii_strtoull (argv[2], NULL, 10) : 20260101;
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  guint64 accepted = 0;
  gboolean good;

  puts ("1..1");
  for (guint64 i = 0; i < runs; i++)
    {
      const char *text = fuzz->seeds[i % g_strv_length ((char **) fuzz->seeds)];
      g_autoptr (GByteArray) input = g_byte_array_new ();

      g_byte_array_append (input, (const guint8 *) text, strlen (text));
      for (guint n = below (random, fuzz->changes); n > 0; n--)
        text_mutate (input, random, fuzz->tokens);
      accepted += fuzz->try_input (input->data, input->len);
    }
  good = accepted * fuzz->share > runs;
  printf ("# %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " inputs were accepted\n"
          "%s 1 - mutated %s\n", accepted, runs, good ? "ok" : "not ok", fuzz->what);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
