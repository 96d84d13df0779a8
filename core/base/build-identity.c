/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/base/build-identity.h"

#include <elf.h>
#include <link.h>

/* A place in a loaded module, and the build identity of that module. */
typedef struct {
  ElfW (Addr) address;
  char *identity;
} Module;

static char *
note_identity (const char *note, gsize length)
{
  while (length >= sizeof (ElfW (Nhdr)))
    {
      const ElfW (Nhdr) *head = (const void *) note;
      gsize name = (head->n_namesz + 3u) / 4 * 4, value = (head->n_descsz + 3u) / 4 * 4;
      gsize whole = sizeof *head + name + value;

      if (whole > length)
        break;
      if (head->n_type == NT_GNU_BUILD_ID)
        return g_compute_checksum_for_data (G_CHECKSUM_SHA256,
                                            (const guchar *) note + sizeof *head + name,
                                            head->n_descsz);
      note += whole;
      length -= whole;
    }
  return NULL;
}

static int
look_at_module (struct dl_phdr_info *info, size_t size, void *data)
{
  Module *module = data;
  gboolean inside = FALSE;

  (void) size;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *p = &info->dlpi_phdr[i];
      ElfW (Addr) begin = info->dlpi_addr + p->p_vaddr;

      inside = inside || (p->p_type == PT_LOAD && module->address >= begin
                          && module->address < begin + p->p_memsz);
    }
  for (int i = 0; inside && module->identity == NULL && i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_NOTE)
      module->identity
        = note_identity ((const char *) info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
                         info->dlpi_phdr[i].p_memsz);
  return inside;
}

/* Returns the build ID (text) that the linker wrote into the program, library or module that
 * holds address; "unknown" without one. */
char *
armilla_build_identity (const void *address)
{
  Module module = { (ElfW (Addr)) address, NULL };

  dl_iterate_phdr (look_at_module, &module);
  return module.identity != NULL ? module.identity : g_strdup ("unknown");
}
