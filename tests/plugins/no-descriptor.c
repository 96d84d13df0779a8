/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shared object that is not a plugin. */
int armilla_not_a_plugin (void);

int
armilla_not_a_plugin (void)
{
  return 0;
}
