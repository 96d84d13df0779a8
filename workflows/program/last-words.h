/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages when the program ends abnormally. */
#pragma once

void armilla_last_words_begin (void);
int armilla_last_words_end (int status);
