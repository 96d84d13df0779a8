EXTRA_DIST += \
	doc/building.md \
	doc/harmonic-path.md
