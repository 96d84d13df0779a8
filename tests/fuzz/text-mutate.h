/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Damages a text in one way: a byte, a piece, a line, a number, or a word of @tokens (NULL ends
 * them) or of those that tend to be read wrongly anywhere. */
void text_mutate (GByteArray *bytes, GRand *random, const char *const *tokens);

G_END_DECLS
