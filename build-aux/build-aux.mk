EXTRA_DIST += build-aux/build-starpu
