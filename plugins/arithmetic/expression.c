/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps, spectra and columns of tables computed by formulas. */
#include "plugins/arithmetic/expression.h"

#include <string.h>

#include "plugins/base/stage-util.h"

#define MAX_INPUTS ARMILLA_EXPRESSION_INPUTS
#define N_INPUTS (MAX_INPUTS * ARMILLA_EXPRESSION_N_KINDS)

ARMILLA_DEFINE_STAGE (ArmillaExpressionStage, armilla_expression_stage, ARMILLA, EXPRESSION_STAGE)

#define IN(name, type, blurb) \
  { name, armilla_##type##_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL, blurb }
#define EIGHT(name, type, first, other) \
  IN (name, type, first), IN (name "2", type, other), IN (name "3", type, other), \
  IN (name "4", type, other), IN (name "5", type, other), IN (name "6", type, other), \
  IN (name "7", type, other), IN (name "8", type, other)

static const ArmillaPort ports[] = {
  EIGHT ("map", map, "a map, F fields", "another map of the same pixels"),
  EIGHT ("cl", cl, "spectra, l = 0..lmax", "other spectra of the same lmax"),
  EIGHT ("table", table_data,
         "a table; with maps or spectra, or nside, for single values and reductions",
         "another table with the same number of rows; with another number of rows only for single "
         "values and reductions"),
  { "out", armilla_data_get_type, ARMILLA_PORT_OUT | ARMILLA_PORT_AS_INPUT,
    "one field per expression, UNSEEN where it has no value; or one spectrum per expression; or "
    "the columns of table and one column per expression" },
  { NULL, NULL, 0, NULL },
};

static gboolean
any (ArmillaData *const *inputs, ArmillaExpressionKind kind)
{
  ArmillaData *found[MAX_INPUTS];

  return armilla_stage_connected (inputs + MAX_INPUTS * kind, MAX_INPUTS, found) > 0;
}

/* Finds what to compute (maps, spectra or tables) from the connected inputs. */
static gboolean
find_kind (ArmillaExpressionStage *self, ArmillaData *const *inputs, GError **error)
{
  static const struct {
    const char *property, *of;
    ArmillaExpressionKind kind;
  } owned[] = { { "spin", "maps", ARMILLA_EXPRESSION_OF_MAPS },
                { "nside", "maps", ARMILLA_EXPRESSION_OF_MAPS },
                { "keep", "tables", ARMILLA_EXPRESSION_OF_TABLES } };
  const gboolean maps = any (inputs, ARMILLA_EXPRESSION_OF_MAPS);
  const gboolean spectra = any (inputs, ARMILLA_EXPRESSION_OF_SPECTRA);
  const char *first;

  if (maps && spectra)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "map and cl are both connected; an expression must be of maps, of "
                         "spectra, or of tables");
  self->kind = spectra ? ARMILLA_EXPRESSION_OF_SPECTRA
               : maps || self->nside != 0 || !any (inputs, ARMILLA_EXPRESSION_OF_TABLES)
                 ? ARMILLA_EXPRESSION_OF_MAPS : ARMILLA_EXPRESSION_OF_TABLES;
  first = ports[MAX_INPUTS * self->kind].name;
  if (any (inputs, self->kind) && inputs[MAX_INPUTS * self->kind] == NULL)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s is not connected, and other inputs are; connect %s first", first,
                         first);
  for (gsize i = 0; i < G_N_ELEMENTS (owned); i++)
    if (owned[i].kind != self->kind && armilla_stage_given (self, owned[i].property))
      return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s applies to expressions of %s only; "
                                                       "leave it out",
                           owned[i].property, owned[i].of);
  return TRUE;
}

/* Stores the names of the inputs, and of additional tables. */
static gboolean
note_inputs (ArmillaExpressionStage *self, ArmillaData *const *inputs, GError **error)
{
  const int first = MAX_INPUTS * (int) self->kind;
  const int first_table = MAX_INPUTS * ARMILLA_EXPRESSION_OF_TABLES;

  for (int i = first; i < first + MAX_INPUTS; i++)
    if (inputs[i] != NULL)
      {
        self->n_fields[self->n_inputs] = armilla_data_fields (inputs[i])->n;
        self->port[self->n_inputs++] = ports[i].name;
      }
  for (int i = first_table; self->kind != ARMILLA_EXPRESSION_OF_TABLES && i < N_INPUTS; i++)
    if (inputs[i] != NULL && i >= first_table + ARMILLA_EXPRESSION_TABLES)
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "%s: expressions of maps or spectra accept only the inputs table and "
                           "table2", ports[i].name);
    else if (inputs[i] != NULL)
      self->tables[self->n_tables++] = ports[i].name;
  return TRUE;
}

/* Lists the variables of formulas of maps and spectra. @found: the connected inputs */
static ArmillaNames *
name_fields (const ArmillaExpressionStage *self, ArmillaData *const *found)
{
  static const char *const coordinates[] = { "theta", "phi", "lon", "lat", NULL };
  static const char *const multipole[] = { "l", NULL };
  const gboolean maps = self->kind == ARMILLA_EXPRESSION_OF_MAPS;
  ArmillaNames *names = armilla_names_new ();
  ArmillaNamesInput named[MAX_INPUTS];

  for (int i = 0; i < self->n_inputs; i++)
    {
      const ArmillaFields *fields = armilla_data_fields (found[i]);

      named[i] = (ArmillaNamesInput) { self->port[i], fields->n,
                                       (const char *const *) fields->names,
                                       (const char *const *) fields->units, TRUE };
    }
  armilla_names_add_inputs (names, named, self->n_inputs,
                            maps ? armilla_names_call_field : armilla_names_call_spectrum);
  for (const char *const *name = maps ? coordinates : multipole; *name != NULL; name++)
    armilla_names_call (names, armilla_names_add (names, *name, ""), NULL, *name);
  for (int t = 0; t < self->n_tables; t++)
    armilla_names_add_table (names, self->tables[t]);
  return names;
}

static ArmillaData *
prepare_fields (ArmillaExpressionStage *self, const ArmillaStageContext *context,
                ArmillaData *const *inputs, GError **error)
{
  const gboolean maps = self->kind == ARMILLA_EXPRESSION_OF_MAPS;
  const ArmillaStageAgree demands = ARMILLA_AGREE_SHAPE | (maps ? ARMILLA_AGREE_COORDINATES : 0);
  ArmillaData *own[N_INPUTS] = { NULL }, *found[MAX_INPUTS];
  g_autoptr (ArmillaNames) names = NULL;
  g_autoptr (ArmillaData) out = NULL;

  memcpy (own + MAX_INPUTS * self->kind, inputs + MAX_INPUTS * self->kind,
          sizeof *own * MAX_INPUTS);
  armilla_stage_connected (own, N_INPUTS, found);
  if (!armilla_stage_agree (ports, own, demands, error))
    return NULL;
  names = name_fields (self, found);
  self->formulas = armilla_formulas_new (&self->texts, names, error);
  if (self->formulas == NULL)
    return NULL;
  out = maps ? armilla_expression_prepare_map (self, context, found, error)
             : armilla_expression_prepare_cl (self, found, error);
  if (out != NULL)
    armilla_stage_carry (out, ports, own, demands);
  return g_steal_pointer (&out);
}

static gboolean
expression_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                    ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaExpressionStage *self = ARMILLA_EXPRESSION_STAGE (stage);

  if (!find_kind (self, inputs, error) || !note_inputs (self, inputs, error))
    return FALSE;
  if (self->kind != ARMILLA_EXPRESSION_OF_TABLES)
    outputs[0] = prepare_fields (self, context, inputs, error);
  else if (armilla_formulas_check (&self->texts, error))
    outputs[0] = ARMILLA_DATA (armilla_table_data_new ());
  for (int i = 0; outputs[0] != NULL && i < N_INPUTS; i++)
    if (inputs[i] != NULL)
      armilla_stage_inherit (outputs[0], inputs[i]);
  return outputs[0] != NULL;
}

static gboolean
expression_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                  ArmillaData *const *outputs, GError **error)
{
  ArmillaExpressionStage *self = ARMILLA_EXPRESSION_STAGE (stage);
  ArmillaData *found[MAX_INPUTS], *beside[MAX_INPUTS];
  gconstpointer in = found, tables = beside;

  armilla_stage_connected (inputs + MAX_INPUTS * self->kind, MAX_INPUTS, found);
  armilla_stage_connected (inputs + MAX_INPUTS * ARMILLA_EXPRESSION_OF_TABLES, MAX_INPUTS, beside);
  switch (self->kind)
    {
    case ARMILLA_EXPRESSION_OF_MAPS:
      return armilla_expression_build_map (self, graph, in, tables, ARMILLA_MAP (outputs[0]),
                                           error);
    case ARMILLA_EXPRESSION_OF_SPECTRA:
      return armilla_expression_build_cl (self, graph, in, tables, ARMILLA_CL (outputs[0]), error);
    default:
      return armilla_expression_build_table (self, graph, in, ARMILLA_TABLE_DATA (outputs[0]),
                                             error);
    }
}

static const ArmillaProperty properties[] = {
  { "spin", ARMILLA_TEXT (ArmillaExpressionStage, spin, "auto"),
    "for maps: spins of the results, separated by commas, or one for all; fields of a spin above "
    "0 come in pairs; auto: Q and U by name have spin 2, all others spin 0" },
  { "nside", ARMILLA_INT64 (ArmillaExpressionStage, nside, 0, G_GINT64_CONSTANT (1) << 24, 0),
    "resolution of a HEALPix map computed only from the positions of its pixels; 0: that of the "
    "inputs" },
  { "keep", ARMILLA_BOOLEAN (ArmillaExpressionStage, keep, TRUE),
    "for tables: keep the columns of table; those with the name of an expression are replaced" },
};

static void
armilla_expression_stage_class_init (ArmillaExpressionStageClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "expression";
  armilla_stage_set_example (stage, "map = iqu; expression = sqrt(map.1^2 + map.2^2)");
  stage->summary = "Compute maps, spectra or columns of tables by formulas";
  stage->description =
    "For maps, an expression is evaluated in each pixel. Fields are referred to by their names, Q "
    "and U by these letters, temperature as T or I, numbers of observations as hits; theta and "
    "phi (radian), lon and lat (degrees) are the position of the pixel. The result is UNSEEN if a "
    "field in the expression is UNSEEN, or if the result is not finite. For spectra, it is "
    "evaluated at each multipole l. Spectra are referred to by their names, those of T, E and B "
    "as TT, EE, BB, TE, EB and TB: l*(l+1)/(2*pi)*TT is D_l. The result must be finite at every "
    "l. For tables, it is evaluated in each row. Columns of numbers are referred to by their "
    "names, with _ for characters other than letters and digits; row is the number of the row, "
    "from 0. If a column has no value (NaN), the result has none. The branch of where() that is "
    "not selected, and the argument of isunseen(), may be UNSEEN or NaN. map2.Q is a field of the "
    "input map2, map2.1 its field 1 (from 0), and map2 its only field; cl2 likewise. A name alone "
    "refers to the first input. mean(T), sum(T), var(T), min(T) and max(T) are computed from all "
    "pixels, multipoles or rows in which T has a value. table.A is the value in column A of a "
    "table with one row, table.2.A that in row 2 (from 0), and mean(table.A) the mean of all "
    "rows. doc/expressions.md describes all expressions.";
  stage->ports = ports;
  stage->prepare = expression_prepare;
  stage->build = expression_build;
  armilla_formulas_install (stage, G_STRUCT_OFFSET (ArmillaExpressionStage, texts));
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaExpressionStage, formulas, armilla_formulas_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaExpressionStage, grid, armilla_grid_unref);
  ARMILLA_STAGE_OWNS (stage, ArmillaExpressionStage, numbers, g_free);
}
