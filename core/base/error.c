/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/error.h>

G_DEFINE_QUARK (armilla-error-quark, armilla_error)
