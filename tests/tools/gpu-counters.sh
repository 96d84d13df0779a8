#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the hardware's counters say of each kernel, by NVIDIA's ncu, as tables of Markdown: time, issue
# slots, FP64 pipe, bytes of the memory and of the second-level cache, occupancy. Runs from a bundle:
#
#   BUNDLE/gpu-counters
#
# ncu runs each kernel several times, and the clocks are left as they are.
set -u
bundle=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
. "$bundle/environment.sh"
export STARPU_SILENT=1 STARPU_NCPU=0 STARPU_NCUDA=1
command -v ncu > /dev/null || { echo "$0: no ncu on this machine" >&2; exit 2; }

metrics=(
  gpu__time_duration.sum
  sm__inst_issued.avg.pct_of_peak_sustained_active
  sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active
  sm__inst_executed_pipe_tensor_op_dmma.avg.pct_of_peak_sustained_active
  dram__bytes.sum
  lts__t_bytes.sum
  sm__warps_active.avg.pct_of_peak_sustained_active
  launch__registers_per_thread
)

# counters TITLE COMMAND...: a table of the command's kernels, those that take a fiftieth of its time
counters ()
{
  echo
  echo "$1:"
  shift
  echo
  if ! ncu --clock-control none --csv --page raw --print-units base --print-kernel-base function \
    --metrics "$(IFS=,; echo "${metrics[*]}")" --log-file ncu.csv "$@" > ncu.log 2>&1; then
    tail -n 3 ncu.csv ncu.log
    return
  fi
  python3 - ncu.csv "${metrics[@]}" <<'PYTHON'
import csv
import sys

with open(sys.argv[1]) as file:
    lines = [line for line in file if line.startswith('"')]
rows = list(csv.DictReader(lines))[1:]  # the first holds units
names = sys.argv[2:]
kernels = {}
for row in rows:
    values = [float(row[name].replace(",", "") or 0) if row.get(name) else 0.0 for name in names]
    # Kernels of different directories may share a name, but differ in the number of registers.
    kernels.setdefault((row["Kernel Name"], values[7]), []).append(values)
total = sum(v[0] for k in kernels.values() for v in k)
print("| kernel | launches | ms | issue slots | FP64 pipe | matrix unit | memory, GB/s | L2, GB/s "
      "| warps | registers |")
print("|---|---|---|---|---|---|---|---|---|---|")
for (name, registers), launches in sorted(kernels.items(), key=lambda k: -sum(v[0] for v in k[1])):
    time = sum(v[0] for v in launches)
    if time < 0.02 * total:
        continue
    share = lambda i: sum(v[0] * v[i] for v in launches) / time
    rate = lambda i: sum(v[i] for v in launches) / time
    print(f"| {name} | {len(launches)} | {1e-6 * time:.2f} | {share(1):.0f} % | {share(2):.0f} % "
          f"| {share(3):.0f} % | {rate(4):.0f} | {rate(5):.0f} | {share(6):.0f} % "
          f"| {registers:.0f} |")
print(f"all: {1e-6 * total:.2f} ms")
PYTHON
}

bench=("$bundle/libexec/armilla" bench)
once=(--threads 0 --gpus 1 --repeats 1 --resident)
for direction in alm2map map2alm; do
  counters "$direction, nside 2048, two calls" "${bench[@]}" $direction --nside 2048 "${once[@]}"
  counters "$direction, Gauss-Legendre, lmax 4095, two calls" \
    "${bench[@]}" $direction --grid gauss --lmax 4095 "${once[@]}"
  counters "$direction, I, Q, U, nside 2048, two calls" \
    "${bench[@]}" $direction --nside 2048 --spin 0,2 "${once[@]}"
  counters "$direction, 16 maps of nside 2048, two calls" \
    "${bench[@]}" $direction --nside 2048 --batch 16 "${once[@]}"
done
counters "convolution, nside 2048, 4.7 arcmin, two calls" \
  "${bench[@]}" convolve --nside 2048 --fwhm 4.7 "${once[@]}"
counters "pairs of 1e6 objects, 0.01 to 10 deg, five calls" \
  "$bundle/tests/bin/bench-pairs" 1000000 0.01 10 20
counters "1e5 shears, 0.01 to 10 deg, five calls" \
  "$bundle/tests/bin/bench-pairs" 100000 0.01 10 20 12
