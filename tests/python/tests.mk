test_scripts += tests/python/test-python.sh
EXTRA_DIST += \
	python/README.md \
	python/armilla/__init__.py \
	python/armilla/_arrays.py \
	python/armilla/_gradients.py \
	python/armilla/_healpy_core.py \
	python/armilla/_healpy_install.py \
	python/armilla/_plans.py \
	python/armilla/_session.py \
	python/armilla/alm.py \
	python/armilla/convolution.py \
	python/armilla/counts.py \
	python/armilla/demo.py \
	python/armilla/geometry.py \
	python/armilla/harmonic.py \
	python/armilla/healpy.py \
	python/armilla/jax.py \
	python/armilla/operators.py \
	python/armilla/py.typed \
	python/armilla/torch.py \
	python/build-wheel \
	python/build_core.py \
	python/build_library.py \
	python/pyproject.toml \
	python/setup.py \
	python/tests/conftest.py \
	python/tests/test_arrays.py \
	python/tests/test_counts.py \
	python/tests/test_docs.py \
	python/tests/test_gradients.py \
	python/tests/test_healpy.py \
	python/tests/test_transforms.py \
	python/tests/test_use.py \
	python/tests/under_healpy.py
