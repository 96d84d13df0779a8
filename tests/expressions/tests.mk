tests_expressions_test_expression_LDADD = $(TEST_CORE_LIBS)
VALGRIND_TESTS += tests/expressions/test-expression
