#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What tests/peers/pair-counts.py makes of a peer's counts: its exit status, with a peer that says what
# it is told to say. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
command -v python3 > /dev/null || skip_all "there is no python3"
script=$source/tests/peers/pair-counts.py

# Modules in the place of what may be installed: without a peer, and with one.
mkdir -p none astropy/io Corrfunc
echo 'raise ImportError("not here")' > none/Corrfunc.py
cp none/Corrfunc.py none/treecorr.py
cp none/Corrfunc.py treecorr.py
: > astropy/__init__.py
: > astropy/io/__init__.py
: > Corrfunc/__init__.py
cat > astropy/io/fits.py << 'END'
class Column(list):
    def astype(self, kind):
        return [kind(x) for x in self]

class BinTableHDU:
    data = {"RA": Column(30 * i for i in range(12)), "DEC": Column(0 for i in range(12))}

class open:
    def __init__(self, path):
        pass

    def __enter__(self):
        return [BinTableHDU()]

    def __exit__(self, *what):
        pass
END
cat > Corrfunc/mocks.py << 'END'
import os

def DDtheta_mocks(autocorr, threads, edges, ra, dec, **more):
    return {"npairs": [int(n) for n in os.environ["COUNTS"].split()]}
END

# The same objects as a FITS table: 12 on the equator, 30 deg apart.
python3 - << 'END' || exit 99
import struct

def block(cards, fill=b" "):
    text = b"".join(card.ljust(80).encode() for card in cards)
    return text + fill * (-len(text) % 2880)

rows = b"".join(struct.pack(">dd", 30 * i, 0) for i in range(12))
with open("stars.fits", "wb") as file:
    file.write(block(["SIMPLE  =                    T", "BITPIX  =                    8",
                      "NAXIS   =                    0", "EXTEND  =                    T", "END"]))
    file.write(block(["XTENSION= 'BINTABLE'", "BITPIX  =                    8",
                      "NAXIS   =                    2", "NAXIS1  =                   16",
                      "NAXIS2  =                   12", "PCOUNT  =                    0",
                      "GCOUNT  =                    1", "TFIELDS =                    2",
                      "TTYPE1  = 'RA      '", "TFORM1  = 'D       '", "TUNIT1  = 'deg     '",
                      "TTYPE2  = 'DEC     '", "TFORM2  = 'D       '", "TUNIT2  = 'deg     '", "END"]))
    file.write(rows + b"\0" * (-len(rows) % 2880))
END

# status EXPECTED PATH COUNTS: of a comparison in two bins, from 20 to 50 and to 125 deg
status ()
{
  COUNTS=$3 PYTHONPATH=$2 ends "$1" timeout 120 python3 "$script" --min 20 --max 125 --bins 2 --repeats 1 \
    --threads 1 "$armilla" stars.fits
}

# 12 pairs at each of 30, 60, 90 and 120 deg; a peer has each twice
ok "the peer agrees" status 0 "$room" "24 72"
ok "the peer disagrees in one bin" status 1 "$room" "24 73"
ok "there is no peer" status 2 "$room/none:$room" ""
finish
