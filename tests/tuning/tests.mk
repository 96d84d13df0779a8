VALGRIND_TESTS += tests/tuning/test-tune-search
VALGRIND_TESTS += tests/tuning/test-tuning
