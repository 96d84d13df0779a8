/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of a program that does not end in the normal way. */
#pragma once

void armilla_last_words_begin (void);
int armilla_last_words_end (int status);
