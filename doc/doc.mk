EXTRA_DIST += \
	doc/building.md
