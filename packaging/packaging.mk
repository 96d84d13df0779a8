EXTRA_DIST += packaging/debian/libarmilla0.symbols
