#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-aux/run-page: a page of the manual with a wrong command, workflow or line of Python fails, and
# says where. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

command -v python3 > /dev/null || skip_all "no python3"
PATH=$(dirname "$armilla"):$PATH
awk 'BEGIN { for (l = 0; l <= 16; l++) print l, 1 }' > flat.dat
cat > right.md << END
# A page

\`\`\`ini
# draw.workflow
[theory]
stage = read-cl
file = $room/flat.dat

[draw]
stage = random-alm
cl = theory
lmax = 16

[out]
stage = write-alm
alm = draw
file = alm.fits
\`\`\`

\`\`\`sh
armilla check draw.workflow
armilla run draw.workflow --set draw.seed=2
\`\`\`

\`\`\`python
import math
\`\`\`

\`\`\`python
assert math.sqrt(4) == 2
\`\`\`

A part of a workflow:

\`\`\`ini
[smooth]
stage = smooth-alm
alm = elsewhere
fwhm = 2 deg
\`\`\`

What is not run: \`armilla run --resume x.workflow\`, and

\`\`\`console
$ mpirun -n 2 armilla run --memory 1GiB x.workflow -D a=1
\`\`\`
END
page () { "$source/build-aux/run-page" --python python3 "$1" "$room/page"; }
ok "a right page" gives 0 "right: 5 blocks" page right.md
cat > python.md << END
\`\`\`ini
# half.workflow
[out]
stage = write-map
map = array
file = map.fits
\`\`\`

\`\`\`python
print("half.workflow")
\`\`\`
END
ok "a workflow that a line of Python names is for that to run" gives 0 "python: 2 blocks" page python.md
ok "also where Python is left out" gives 0 "1 in Python not run" \
  "$source/build-aux/run-page" python.md "$room/page"

# wrong WHAT EXPRESSION WORDS: the page as sed changes it fails with these words
wrong ()
{
  sed "$2" right.md > wrong.md
  ok "$1" not cmp -s right.md wrong.md
  ok "... fails, and reports it" gives 1 "$3" page wrong.md
}
wrong "a wrong option" 's/^armilla check draw/armilla check --sett draw/' "wrong.md:20: this block failed"
wrong "a command that fails" 's/check draw.workflow/check drawn.workflow/' "wrong.md:20: this block failed"
wrong "a wrong value" 's/^lmax = 16/lmax = sixteen/' "wrong.md:20: this block failed"
wrong "a workflow that is not run" 's/^armilla.*/true/; s/^cl = theory/cl = thory/' \
  "draw.workflow failed"
wrong "a wrong line of Python" 's/sqrt(4)/sqrt(5)/' "wrong.md:29: this block failed"
wrong "a part with a wrong key" 's/^fwhm/fwhn/' "wrong.md:35: this block failed"
wrong "a part with a wrong unit" 's/2 deg/2/' "has no unit"
wrong "a wrong option in the text" 's/--resume/--resum/' "run has no option --resum"
wrong "a wrong option in what is not run" 's/--memory/--memori/' "run has no option --memori"
wrong "a wrong command in what is not run" 's/armilla run --memory/armilla runn --memory/' \
  "there is no command runn"

# make manual names what is missing before it begins.
manual () { env -u VIRTUAL_ENV "SPHINX_BUILD=$room/$1" "$source/build-aux/make-manual" "$source" 0; }
printf '#!/bin/sh\n' > sphinx-of-none && chmod +x sphinx-of-none
ok "no Sphinx" fails "apt-get install --no-install-recommends python3-sphinx" manual nothing
ok "Sphinx without what the manual needs" fails "apt-get install --no-install-recommends python3-myst-parser furo" \
  manual sphinx-of-none
ok "no page is made" test ! -e manual-source
finish
