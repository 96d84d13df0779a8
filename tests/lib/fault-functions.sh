# SPDX-License-Identifier: GPL-3.0-or-later
# What scripts that make calls fail share: sourced by them, from the top of the build tree, after
# rank-functions.sh and workflow-functions.sh. They work in the folder room, with
# tests/lib/faulty-calls.c preloaded. A run that takes longer than RANKS_LIMIT seconds hangs.

faulty=$build/tests/lib/.libs/faulty-calls.so
# StarPU's library that turns its events into a Paje trace crashes on a file that was cut.
export STARPU_FXT_TRACE=0
RANKS_LIMIT=${RANKS_LIMIT:-120}
fault_rank=${VICTIM:-1} # of several ranks, whose calls fail
calls="malloc thread open close read write fsync rename link"

# prepare NSIDE LMAX POINTS: makes three workflows, and what they read
prepare ()
{
  nside=$1
  lmax=$2
  awk 'BEGIN { for (l = 0; l <= 1000; l++) print l, 1 / (l + 1) }' > theory.dat
  cat > harmonics.workflow << END
[workflow]
checkpoint = 1e-6 ms
$(random_alm draw theory theory.dat)
seed = 7
lmax = $lmax
$(synthesis sky draw "$nside")
$(analysis harmonics sky "$lmax")
$(spectrum power harmonics)
$(output map map sky out/map.fits)
$(output alm alm harmonics out/alm.fits)
$(output cl cl power out/cl.fits)
END
  cat > smooth.workflow << END
$(input sky map map.fits)
$(analysis harmonics sky "$lmax")
[beam]
stage = smooth-alm
alm = harmonics
fwhm = 5 deg
$(synthesis smooth beam "$nside")
$(output map map smooth out/smooth.fits.gz)
[picture]
stage = render
map = smooth
file = out/smooth.png
width = 200
END
  cat > pairs.workflow << END
[workflow]
overwrite = true
$(random_points data "$3" 1)
$(random_points randoms "$((2 * $3))" 2)
[pairs]
stage = pair-correlation
catalogue = data
random = randoms
min = 0.1 deg
max = 2 deg
bins = 5
$(output table table pairs.table out/table.fits)
END
  for each in harmonics smooth pairs; do
    rm -rf out "right-$each"
    mkdir out
    "$armilla" run --quiet --trace out/trace.json $each.workflow || return 1
    cp -r out right-$each
    [ $each != harmonics ] || cp out/map.fits .
  done
}

# with_fault CALL NUMBER WORKFLOW RANKS: runs it in an empty folder out. NUMBER+ is for all calls
# from there on; of two ranks, those of rank $fault_rank fail. What it says goes to the file said.
with_fault ()
{
  rm -rf out
  mkdir out
  # What overwrites needs more calls.
  [ "$3" != pairs ] || cp right-pairs/* out
  launch="timeout -k 5 $RANKS_LIMIT"
  [ "$4" -eq 1 ] || launch="$mpirun -n $4"
  later=${2#"${2%+}"}
  which=${2%+}
  # shellcheck disable=SC2086
  $launch env FAULTY_CALL="$1" FAULTY_NUMBER="$which" ${later:+FAULTY_LATER=1} \
    ${rank:+FAULTY_RANK=$rank} FAULTY_COUNT="$room/count" LD_PRELOAD="$faulty" \
    "$armilla" run --quiet --overwrite --trace out/trace.json "$3.workflow" > said 2>&1
  status=$?
  without_launcher said
  return $status
}

# left_over WORKFLOW: what a run that died left behind, which has no final name: .NAME.XXXXXX.tmp
left_over ()
{
  for file in "right-$1"/*; do
    find out -name ".${file##*/}.*.tmp"
  done
}

# whole WORKFLOW: what has a final name is whole, and nothing else is there
whole ()
{
  for file in out/* out/.[!.]*; do
    case $file in
      "out/*" | "out/.[!.]*" | *.journal | *.journal.[0-9]*) ;;
      out/.*.tmp) left_over "$1" | grep -qxF "$file" || { echo "$file is there"; return 1; } ;;
      *.part) ;;
      # Fonts may be others.
      *.png) tail -c 8 "$file" | grep -q IEND || { echo "$file is cut"; return 1; } ;;
      out/trace.json) tail -c 2 "$file" | grep -q '}' || { echo "$file is cut"; return 1; } ;;
      *) cmp "$file" "right-$1/${file#out/}" || return 1 ;;
    esac
  done
}

# complete WORKFLOW: every output is there
complete ()
{
  for file in "right-$1"/*; do
    [ -e "out/${file#right-*/}" ] || { echo "no $file"; return 1; }
  done
}

# swept WORKFLOW: nothing is left over, or the next run removes it
swept ()
{
  [ -n "$(left_over "$1")" ] || return 0
  [ $ended = failed ] || { echo "left: $(left_over "$1")"; return 1; }
  # shellcheck disable=SC2086
  $launch "$armilla" run --quiet --overwrite --trace out/trace.json "$1.workflow" > again 2>&1 \
    || { echo "the next run fails: $(cat again)"; return 1; }
  [ -z "$(left_over "$1")" ] || { echo "the next run leaves $(left_over "$1")"; return 1; }
}

# endures CALL NUMBER WORKFLOW RANKS: it comes to a right end, or says why it fails
endures ()
{
  rank=
  [ "$4" -eq 1 ] || rank=$fault_rank
  with_fault "$@"
  status=$?
  ended=failed
  case $status in
    0) ended=right; complete "$3" || return 1 ;;
    1 | 2) [ -s said ] || { echo "not a word"; return 1; } ;;
    124 | 137) echo "it hangs"; return 1 ;;
    14) [ "$4" -gt 1 ] && [ -s said ] || { echo "exit status 14"; return 1; } ;; # a launcher's: Open MPI 5
    *) echo "exit status $status"; return 1 ;;
  esac
  { whole "$3" && swept "$3"; } || return 1
  if [ "$1" = malloc ] && [ $status -ne 0 ]; then
    grep -q 'out of memory' said || { echo "not about memory"; return 1; }
  fi
}

# count_calls CALL WORKFLOW RANKS: how many there are without a fault
count_calls ()
{
  rank=
  [ "$3" -eq 1 ] || rank=$fault_rank
  rm -f count
  with_fault "$1" 0 "$2" "$3" || return 1
  od -An -td8 count | tr -d ' '
}
