# Ready to run where Debian's healpy-data is installed.
exampledir = $(pkgdatadir)/workflows
dist_example_DATA = \
	workflows/estimate-spectrum.workflow \
	workflows/realisations.workflow \
	workflows/simulate-sky.workflow \
	workflows/smooth-wmap.workflow
