EXTRA_DIST += \
	build-aux/build-starpu \
	build-aux/check-aarch64 \
	build-aux/choose-starpu \
	build-aux/exported-names \
	build-aux/private-names \
	build-aux/scaling-tables \
	build-aux/install-packages \
	build-aux/make-bundle \
	build-aux/make-deb \
	build-aux/run-test \
	build-aux/symbols-list \
	build-aux/test-totals
dist_check_SCRIPTS += \
	build-aux/check-docs \
	build-aux/check-layers \
	build-aux/check-style
TESTS += \
	build-aux/check-docs \
	build-aux/check-layers \
	build-aux/check-style
