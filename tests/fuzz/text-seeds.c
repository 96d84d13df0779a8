/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as text, as other programs write them: each is right for a reader of tables, and most are
 * for one of catalogues whose first columns are angles, or for one of spectra. */
#include "tests/fuzz/text-mutate.h"

const char *const fuzz_text_seeds[] = {
  /* CAMB, CLASS, bandpowers, numpy.savetxt () with comments behind rows */
  "#    L            TT            EE            BB            TE\n"
  "     2   1.0162e+03   3.0700e-02   1.8006e-06   2.6193e+00\n"
  "     3   9.5886e+02   3.9100e-02   2.5800e-06   2.9435e+00\n",
  "# dimensionless total [l(l+1)/2pi] C_l\n#    1:l     2:TT     3:EE\n2 1.2e-10 3.1E-14\n"
  "3 1.1e-10 3.9D-14\n4\t1e-10\t4e-14\n",
  "# l_eff, D_l, error\n47.7,1.5,0.25\n97.2,2.5,0.5\n146.9, 3.5 , nan\n",
  "10 20 0.5 # a star\n\n# and another one\n  11.5\t-20 nan   # without a value\n12 -3.5 1e-3\n",
  "TT,l,,EE\n1.5,2,0.5,0.25\n2.5,3,0.25,0.125\n",
  /* pandas: an index, quotes, names that are numbers, no value */
  ",ra,dec,name,flag\n0,10.5,-20,\"Smith, \"\"J\"\"\",True\n1,11.5,21,,False\n2,12,,NA,True\n",
  "\"name\",\"ra\",\"dec\",\"z err\"\n\"NGC 44\",7.7,31.28,0.1\n\"two\nlines\",3.72,-39.2,\n",
  ",0,1\n0,10,20\n1,11,-21\n",
  "\357\273\277ra;dec;note\r\n10;20;caf\303\251\r\n11;-21;\"a;b\"\r\n",
  "10,20,0.5,\n11,-21,0.25,\n12,22,,\n",
  "name\tra\tdec\nM 31\t10.68\t41.27\n\t3.72\t-39.2\n",
  "id,z\n170141183460469231731687303715884105727,9223372036854775808\n"
  "-170141183460469231731687303715884105728,18446744073709551615\n",
  "ra dec\r10 20\r11 -21\r",
  /* astropy, of its own and with a key a line, as Gaia's archive has it */
  "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: ra, unit: deg, datatype: float64}\n"
  "# - {name: dec, unit: deg, datatype: float64, description: 'it''s an\n#     angle'}\n"
  "# - {name: n, datatype: int64}\n# - {name: text, datatype: string}\n"
  "# meta: !!omap\n# - {EXTNAME: STARS}\n# - {COORDSYS: \"C\"}\n# - {instrument: \"a\\x41\\n\"}\n"
  "# - {epoch: 2016}\n# schema: astropy-2.0\n"
  "ra dec n text\n10.5 20 7 \"\"\n11 -21 -8 \"a \"\"b\"\"\"\n",
  "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n# -\n#   name: ra\n#   datatype: float64\n"
  "#   unit: deg\n#   description: right ascension\n# -\n#   name: dec\n#   datatype: float64\n"
  "#   unit: 'deg'\n# -\n#   name: seen\n#   datatype: bool\nra,dec,seen\n10.5,20,True\n"
  "11,-21,False\n",
  NULL
};

const char fuzz_trace_text[]
  = "{\"metadata\":{\"format\":\"armilla-trace\",\"version\":1,\"program\":\"p\","
    "\"workflow\":\"w\",\"failure\":\"f\",\"seconds\":0.0001,\"tasks\":1,"
    "\"machine\":{\"core_flops\":1e9},\"ranks\":["
    "{\"host\":\"h\",\"workers\":[{\"name\":\"c\",\"kind\":\"CPU\"}]}]},\n\"traceEvents\":[\n"
    "{\"ph\":\"X\",\"name\":\"dot\",\"pid\":0,\"tid\":0,\"cat\":\"task\",\"ts\":3,\"dur\":5,"
    "\"args\":{\"node\":\"n\",\"stage\":\"s\",\"kind\":\"CPU\",\"flops\":8,\"bytes\":9,"
    "\"ready\":1,\"taken\":2.5}}]}";

const char fuzz_node_text[]
  = "# a node\n[node]\ntitle = 4 cores\nworkers = 4\nmemory = 8 GiB\n"
    "[network]\nbandwidth = 25 GB/s\nlatency = 2 us\nmessage = 10 us\n[starpu]\nown = 7 us\n"
    "other = 0.5 us\ntask = 5 us\n[cpu]\ncombine = 1.116 Gflop/s\nzero = 7.082 GB/s\n"
    "[host]\nread-cl = 0.4004 GB/s\n";
