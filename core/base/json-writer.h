/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

/* Writes JSON piece by piece, so that large documents are never in memory as a whole. Keys are
 * Armilla's and need no escapes; values may be any text. */
typedef struct {
  GString *text;   /* text that is not in the file yet */
  FILE *file;      /* destination; NULL: text */
  gboolean comma;  /* whether the next value needs a comma before it */
  gboolean failed; /* whether a write failed */
  int problem;     /* errno of the first failure */
} ArmillaJson;

/* Writes one value; @user is the caller's argument. */
typedef void (*ArmillaJsonWrite) (ArmillaJson *json, gconstpointer user);

void armilla_json_init (ArmillaJson *json, FILE *file);
gboolean armilla_json_finish (ArmillaJson *json);
char *armilla_json_text (ArmillaJsonWrite write, gconstpointer user);
void armilla_json_open (ArmillaJson *json, const char *key, char bracket);
void armilla_json_close (ArmillaJson *json, char bracket);
void armilla_json_line (ArmillaJson *json);
void armilla_json_string (ArmillaJson *json, const char *key, const char *value);
void armilla_json_number (ArmillaJson *json, const char *key, double value, int decimals);
void armilla_json_integer (ArmillaJson *json, const char *key, gint64 value);
void armilla_json_boolean (ArmillaJson *json, const char *key, gboolean value);
void armilla_json_raw (ArmillaJson *json, const char *key, const char *value);

G_END_DECLS
