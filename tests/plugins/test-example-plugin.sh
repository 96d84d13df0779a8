#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples for programs of a user's. examples/plugin, built by its Makefile against an installed Armilla alone: it runs, is traced by name, is
# planned and resumed, keeps HISTORY, and gives the same bits on several ranks. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
. "$source/tests/lib/kill-functions.sh"
. "$source/tests/lib/install-functions.sh"

command -v pkg-config > /dev/null || skip_all "no pkg-config"
ok "make install" install_there
if [ ! -x "$armilla" ]; then
  finish
  exit 1
fi
# Y_20 = sqrt (5 / (16 pi)) (3 cos^2 theta - 1), near the pole and on the equator.
program ()
{
  $(built_with CC) $(built_with CFLAGS) -Wall -Wextra -Werror "$source/examples/c/alm2map.c" \
    $(pkg-config --cflags --libs armilla) -o alm2map &&
    ./alm2map | tee /dev/stderr | grep -q '^north pole 0.6306.., equator -0.3153..$'
}
ok "the example in C is built, and right" program
cp -r "$source/examples/plugin" plugin
chmod -R u+w plugin
# StarPU's headers take in those of CUDA, which say of some functions that they are old.
ok "the example is built" make_in plugin CFLAGS="-Wextra -Werror -Wno-error=deprecated-declarations"
with_cuda ()
{
  nvcc=$(readlink -f "$(built_with NVCC)")
  rm -f plugin/*.o plugin/*.so
  make_in plugin CUDA="${nvcc%/bin/nvcc}"
}
if grep -q 'define HAVE_CUDA 1' "$build/config.h"; then
  ok "the example is built with its kernels for GPUs" with_cuda
fi
ARMILLA_PLUGIN_PATH=$room/plugin
export ARMILLA_PLUGIN_PATH

awk 'BEGIN { for (l = 0; l <= 200; l++) print l, 1000 / (l + 1), 10 / (l + 1), 1, 50 / (l + 1) }' > totcls.dat
# Several tiles, so that several ranks have some.
sed "s|^title = .*|&\nring-block = 16\nm-blocks = 5|; s|^data = .*|data = $room|" \
  plugin/stretch.workflow > stretch.workflow

enter plain
ok "its data are described" sh -c "'$armilla' run --dry-run ../stretch.workflow | tee /dev/stderr |
  grep -q 'scale: scale: 1 field'"
ok "it runs" run ../stretch.workflow --trace trace.json
ok "what is stretched back is what it was" "$fits" max polarised.fits 1 restored.fits 1 1e-9
for what in "stretched with softness 0.05" "seed"; do
  ok "HISTORY has the $what" "$fits" history restored.fits "$what"
done
for name in apply stretch_extremes stretch_pixels; do
  ok "the trace has tasks of $name" sh -c "'$armilla' trace trace.json | tee /dev/stderr | grep -q '^ *$name '"
done

planned ()
{
  "$armilla" plan --measure trace.json > a.node && cat a.node && grep -q '^stretch_pixels = ' a.node &&
    "$armilla" plan ../stretch.workflow --nodes 2xa.node --json > plan.json && cat plan.json &&
    grep -q '"tasks": *[1-9]' plan.json
}
ok "it is planned by what the trace has measured" planned

same_bits ()
{
  rm -f ./*.fits
  ranks "$1" "$armilla" run --quiet ../stretch.workflow || return 1
  for file in stretched restored polarised; do
    "$fits" same $file.fits "../plain/$file.fits" || return 1
  done
}
if has_ranks; then
  enter ranks
  for n in 1 2 3; do ok "the same bits on $n rank(s)" same_bits "$n"; done
fi

# --- Killed while an analysis that takes long reads what is stretched; then one iteration will do. All that is
# made is kept, whatever was kept right before.
{
  sed "s|^ring-block.*|&\ncheckpoint = 1e-6 ms|; s|^file = \\([a-z]*.fits\\)|file = out/\1|" "$room/stretch.workflow"
  printf '[alm]\nstage = map2alm\nmap = stretched.out\nlmax = 100\niterations = 1\n'
  printf '[end]\nstage = write-alm\nalm = alm\nfile = out/alm.fits\n'
} > "$room/once.workflow"
interrupted ()
{
  sed 's/^iterations = .*/iterations = 1000/; s/^lmax = 100$/lmax = 190/' "$room/once.workflow" > many.workflow
  # One worker takes long enough, and leaves a core to the thread that keeps what is stretched.
  STARPU_NCPU=1 "$armilla" run --resume many.workflow > said 2>&1 &
  pid=$!
  until [ "$(find out -name '*.stretched.*.part' | wc -l)" -ge 2 ] || ! kill -0 $pid 2> /dev/null; do
    sleep 0.01
  done
  kill_all $pid
  wait $pid 2> /dev/null
  find out -name '*.part' ! -name '*.stretched.*' -exec rm {} +
  cat said; find out
  [ "$(find out -name '*.stretched.*.part' | wc -l)" -eq 2 ] && [ "$(wc -c < out/many.journal.0.stretched.1.part)" -eq 16 ]
}
resumed ()
{
  cp "$room/once.workflow" many.workflow
  "$armilla" run --resume many.workflow > said 2>&1 || { cat said; return 1; }
  cat said
  grep -q 'checkpoints: 1$' said || return 1
  for file in stretched restored polarised alm; do
    "$fits" same out/$file.fits ../plain/out/$file.fits || return 1
  done
}
mkdir -p "$room/killed/plain/out" && cd "$room/killed/plain" || exit 99
cp "$room/once.workflow" many.workflow
ok "an uninterrupted run" run many.workflow
enter killed/again && mkdir out
ok "a run is killed when what is stretched is kept" interrupted
ok "and goes on from there, to the same bits" resumed
finish
