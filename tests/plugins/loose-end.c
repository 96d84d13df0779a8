/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plugin that needs a function which no library has. */
#include <armilla/stage.h>

GType armilla_test_function_of_no_library (void);

ARMILLA_DEFINE_PLUGIN ("loose-end", "1", "GPL-3.0-or-later",
                       armilla_test_function_of_no_library)
