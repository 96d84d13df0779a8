/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The largest lmax of tests of accuracy: what a sanitizer finds in the arithmetic of large
 * transforms it finds in that of small ones. A build without one runs all of them. */
#pragma once

#ifdef __SANITIZE_ADDRESS__
#define MAX_LMAX 1000
#else
#define MAX_LMAX G_MAXINT64
#endif
