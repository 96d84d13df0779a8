/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program says when it ends in the midst of something. */
#pragma once

void armilla_last_words_begin (void);
int armilla_last_words_end (int status);
