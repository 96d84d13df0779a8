EXTRA_DIST += tests/environment.sh
# A test program needs only the layer it tests: link it with the convenience libraries.
TEST_CORE_LIBS = libcore.la $(GLIB_LIBS) -lm
TEST_CODELETS_LIBS = libcodelets.la libcore.la $(GLIB_LIBS) -lm
TEST_LIBS = libarmilla.la $(GLIB_LIBS) -lm
