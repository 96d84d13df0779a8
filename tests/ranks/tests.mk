EXTRA_DIST += tests/ranks/measure-deal.sh
test_programs += tests/ranks/test-deal

test_scripts += tests/ranks/test-mpi.sh
test_scripts += tests/ranks/test-migrate.sh
test_scripts += tests/ranks/test-migrate-workflows.sh
test_scripts += tests/ranks/test-slow-rank.sh
test_scripts += tests/ranks/test-slurm.sh
