EXTRA_DIST += \
	build-aux/build-starpu \
	build-aux/check-docs \
	build-aux/check-style \
	build-aux/install-packages \
	build-aux/make-bundle \
	build-aux/test-totals
dist_check_SCRIPTS += build-aux/check-layers
TESTS += build-aux/check-layers
