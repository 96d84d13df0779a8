/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether memory or threads were asked for in vain. */
#pragma once

const char *armilla_shortage (void);
