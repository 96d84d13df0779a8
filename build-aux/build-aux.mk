dist_check_SCRIPTS += \
	build-aux/check-docs \
	build-aux/check-layers \
	build-aux/check-style
TESTS += \
	build-aux/check-docs \
	build-aux/check-layers \
	build-aux/check-style
