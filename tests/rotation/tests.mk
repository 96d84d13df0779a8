test_programs += tests/rotation/test-rotate
