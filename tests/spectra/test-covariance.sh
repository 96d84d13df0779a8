#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Variances of bandpowers of masked skies, as covariance computes them, against 200 simulated skies: a cut of 20
# degrees at nside 32. The long form, with other masks, is tests/peers/covariance-skies.py. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
"${PYTHON:-/usr/bin/python3}" -c '' 2> /dev/null || skip_all "no Python"
skies=200
edges='2, 8, 16, 24, 32, 40, 48, 56, 65'

# theory RATIO: EE is a tenth of TT, BB is RATIO of EE
theory () { awk -v r="$1" 'BEGIN { for (l = 0; l < 65; l++) { c = (l > 1) / (l + 10) ^ 2; print l, 10 * c, c, r * c, 0 } }'; }

# covariance NODE CL SPECTRA: of the bandpowers, to NODE.fits
covariance ()
{
  printf '[%s]\nstage = covariance\nmask = mask\ncl = %s\ncoupling = coupling\nedges = %s\n' "$1" "$2" "$edges"
  echo "spectra = $3"
  output "$1-out" matrix "$1" "$1.fits"
}

# The mask and its mean square; skies, their bandpowers and their mean spectra over that.
{
  printf '[workflow]\nrepeat = %s\noverwrite = true\n' $skies
  input theory cl theory.dat
  printf '[hard]\nstage = expression\nnside = 32\nexpression = where(abs(lat) > 20, 1, 0)\nunit = 1\n'
  printf '[mask]\nstage = mask\nmask = hard\napodise = 8 deg\n'
  printf '[square]\nstage = expression\nmap = mask\nexpression = map^2\nunit = 1\n'
  printf '[of-square]\nstage = map-statistics\nmap = square\n'
  printf '[draw]\nstage = random-alm\ncl = theory\nseed = 5\nlmax = 64\n'
  synthesis sky draw 32
  printf '[masked]\nstage = mask\nmap = sky\nmask = mask\n'
  analysis alm masked 64
  spectrum cl alm
  printf '[coupling]\nstage = coupling\nmask = mask\nlmax = 64\n'
  printf '[powers]\nstage = decouple\ncl = cl\ncoupling = coupling\nedges = %s\n' "$edges"
  printf '[skies]\nstage = collect\ninput = powers.table\n'
  output skies-out table skies.table skies.ecsv
  printf '[pseudo]\nstage = collect\ninput = cl\n'
  printf '[mean]\nstage = expression\ncl = pseudo.mean\ntable = of-square.out\nexpression = '
  for name in TT EE BB TE EB; do printf '%s / table.MEAN, ' "$name"; done
  printf 'TB / table.MEAN\nnames = TT, EE, BB, TE, EB, TB\n'
  covariance by-mean mean 'TT, EE, BB, TE, EB, TB'
  covariance by-theory theory 'TT, EE, BB, TE'
} > skies.workflow
sed '/^\[masked\]/,/^mask = /d; s/^stage = map2alm/stage = purify\nmask = mask/; s/^map = masked/map = sky/
     s/^stage = coupling/&\npure = true/; s/^stage = \(decouple\|covariance\)/&\npure = b/' skies.workflow > pure.workflow

# What is computed over what is simulated: `near FILE SPECTRUM` succeeds if no bin is further from 1 than four times
# the scatter of a variance of so many skies, and the mean of the bins no more than three times that of their mean.
near ()
{
  "${PYTHON:-/usr/bin/python3}" - "$1" "$2" $skies << 'END'
import struct
import sys
name, spectrum, n_skies = sys.argv[1], sys.argv[2], int(sys.argv[3])
rows = [line.split() for line in open("skies.ecsv") if not line.startswith("#")]
error = rows[0].index(spectrum + "_error")
simulated = [float(row[error]) ** 2 for row in rows[1:]]
with open(name, "rb") as file:
    blocks = file.read()
cards, at = {}, 0
while cards.get("XTENSION") != "'IMAGE   '":  # the first extension
    cards = {}
    while "END" not in cards:
        for i in range(at, at + 2880, 80):
            card = blocks[i:i + 80].decode()
            cards[card[:8].strip()] = card[10:].split("/")[0].strip()
        at += 2880
n = int(cards["NAXIS1"])
fields = [cards["FIELD%d" % (i + 1)].strip("' ") for i in range(int(cards["NAXIS3"]))]
at += 8 * n * n * fields.index(spectrum + " " + spectrum)
matrix = struct.unpack(">%dd" % (n * n), blocks[at:at + 8 * n * n])
assert n == len(simulated)
ratios = [matrix[i * n + i] / simulated[i] for i in range(n)]
scatter = (2 / n_skies) ** 0.5
print("#", name, spectrum, " ".join("%.2f" % ratio for ratio in ratios))
sys.exit(any(abs(ratio - 1) > 4 * scatter for ratio in ratios)
         or abs(sum(ratios) / n - 1) > 3 * scatter / n ** 0.5)
END
}

simulate () { theory "$1" > theory.dat && ends 0 "$armilla" run "$2"; }
note="purify B (stage purify, and pure)"
noted () { says "[$1]: note: BB is at most 0.1 of EE in $2 of 8 bins" && says "$note"; }

ok "skies whose BB is EE" simulate 1 skies.workflow
ok "nothing is noted" not says "note:"
for name in EE BB EB; do ok "variances of $name, by mean spectra" near by-mean.fits $name; done
for name in EE BB; do ok "variances of $name, by the theory" near by-theory.fits $name; done

ok "skies whose BB is a twelfth of EE" simulate 0.08 skies.workflow
for name in EE BB; do ok "variances of $name, by mean spectra" near by-mean.fits $name; done
ok "which have more of BB, so that nothing is noted" not says "[by-mean]: note:"
ok "those of BB by the theory are not near" not near by-theory.fits BB
ok "which is noted" noted by-theory 8

ok "skies whose BB is a hundredth of EE" simulate 0.01 skies.workflow
ok "variances of BB are not near" not near by-mean.fits BB
ok "which is noted" noted by-mean 7

ok "with B purified" simulate 0.01 pure.workflow
ok "nothing is noted" not says "note:"
for name in EE BB EB; do ok "variances of $name" near by-mean.fits $name; done
finish
