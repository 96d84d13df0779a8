# Modules for the tests of loading; -rpath makes libtool build a module that is not installed.
TEST_MODULE_LINK_FLAGS = $(PLUGIN_LINK_FLAGS) -rpath /nowhere
check_LTLIBRARIES += \
	tests/plugins/loose-end.la \
	tests/plugins/low-pass.la \
	tests/plugins/no-descriptor.la \
	tests/plugins/old-toy.la \
	tests/plugins/other-abi.la \
	tests/plugins/profile.la \
	tests/plugins/short-name.la \
	tests/plugins/toy.la
tests_plugins_loose_end_la_SOURCES = tests/plugins/loose-end.c
tests_plugins_loose_end_la_LDFLAGS = $(TEST_MODULE_LINK_FLAGS)
tests_plugins_loose_end_la_LIBADD = $(PLUGIN_LIBS)
tests_plugins_low_pass_la_SOURCES = tests/plugins/low-pass.c
tests_plugins_low_pass_la_LDFLAGS = $(TEST_MODULE_LINK_FLAGS)
tests_plugins_low_pass_la_LIBADD = $(PLUGIN_LIBS)
tests_plugins_no_descriptor_la_SOURCES = tests/plugins/no-descriptor.c
tests_plugins_no_descriptor_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
tests_plugins_old_toy_la_SOURCES = tests/plugins/toy.c
tests_plugins_old_toy_la_CPPFLAGS = $(AM_CPPFLAGS) '-DTOY_ABI=(ARMILLA_PLUGIN_ABI - 1)'
tests_plugins_old_toy_la_LDFLAGS = $(TEST_MODULE_LINK_FLAGS)
tests_plugins_old_toy_la_LIBADD = $(PLUGIN_LIBS)
tests_plugins_other_abi_la_SOURCES = tests/plugins/toy.c
tests_plugins_other_abi_la_CPPFLAGS = $(AM_CPPFLAGS) '-DTOY_ABI=(ARMILLA_PLUGIN_ABI + 1000)'
tests_plugins_other_abi_la_LDFLAGS = $(TEST_MODULE_LINK_FLAGS)
tests_plugins_other_abi_la_LIBADD = $(PLUGIN_LIBS)
tests_plugins_profile_la_SOURCES = tests/plugins/profile.c
tests_plugins_profile_la_LDFLAGS = $(TEST_MODULE_LINK_FLAGS)
tests_plugins_profile_la_LIBADD = $(PLUGIN_LIBS)
tests_plugins_short_name_la_SOURCES = tests/plugins/toy.c
tests_plugins_short_name_la_CPPFLAGS = $(AM_CPPFLAGS) -DTOY_NAME='"short-name"' -DTOY_SECOND=short_get_type
tests_plugins_short_name_la_LDFLAGS = $(TEST_MODULE_LINK_FLAGS)
tests_plugins_short_name_la_LIBADD = $(PLUGIN_LIBS)
tests_plugins_toy_la_SOURCES = tests/plugins/toy.c
tests_plugins_toy_la_LDFLAGS = $(TEST_MODULE_LINK_FLAGS)
tests_plugins_toy_la_LIBADD = $(PLUGIN_LIBS)
