test_scripts += tests/tools/test-run-test.sh
test_scripts += tests/tools/test-peers.sh
test_scripts += tests/tools/test-packaging.sh
test_scripts += tests/tools/test-symbols.sh
EXTRA_DIST += tests/tools/gpu-report.sh
EXTRA_DIST += tests/tools/convolve-grid.sh
EXTRA_DIST += tests/tools/collect-share.sh
EXTRA_DIST += tests/tools/masked-skies.sh
