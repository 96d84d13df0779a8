test_programs += tests/tuning/test-tune-search
VALGRIND_TESTS += tests/tuning/test-tune-search

test_programs += tests/tuning/test-tuning
VALGRIND_TESTS += tests/tuning/test-tuning
