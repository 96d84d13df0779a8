EXTRA_DIST += \
	doc/_static \
	doc/arrays.md \
	doc/building.md \
	doc/butterfly.md \
	doc/c-functions.md \
	doc/catalogues.md \
	doc/cluster.md \
	doc/commands \
	doc/coming-from \
	doc/conf.py \
	doc/convolution.md \
	doc/correlation.md \
	doc/explain \
	doc/each.md \
	doc/expressions.md \
	doc/figure.png \
	doc/figures \
	doc/file-formats.md \
	doc/glossary.md \
	doc/harmonic-path.md \
	doc/house.md \
	doc/index.md \
	doc/kernels.md \
	doc/measurements \
	doc/measurements.md \
	doc/memory.md \
	doc/packages.md \
	doc/pictures.md \
	doc/python-functions.md \
	doc/python-stages.md \
	doc/python-workflows.md \
	doc/recipes \
	doc/resume.md \
	doc/figures/ringing.png \
	doc/running.md \
	doc/scaling.md \
	doc/report.png \
	doc/smoothed.png \
	doc/speed.json \
	doc/speed.svg \
	doc/stages.md \
	doc/start \
	doc/traces.md \
	doc/tuning.md \
	doc/words \
	doc/workflow-files.md \
	doc/write-a-stage.md

# For armilla plan; configure links them into the build tree.
nodesdir = $(pkgdatadir)/nodes
dist_nodes_DATA = \
	doc/nodes/cpu.node \
	doc/nodes/eighth.node \
	doc/nodes/h200.node \
	doc/nodes/half.node

# The page on the stages, from what the program says of them; make check compares.
.PHONY: stages-page
stages-page: armilla$(EXEEXT) $(plugin_LTLIBRARIES)
	$(srcdir)/build-aux/stages-page ./armilla$(EXEEXT) > $(srcdir)/doc/stages.md
EXTRA_DIST += build-aux/stages-page

# The figures of the pages that explain.
.PHONY: figures
figures:
	$(srcdir)/build-aux/figures $(srcdir)/doc/figures
EXTRA_DIST += build-aux/figures

# The reference of the C functions, in doc/reference/index.html; a warning of Doxygen's is an error.
.PHONY: reference
reference:
	$(AM_V_at)rm -rf doc/reference doc/reference-input && $(MKDIR_P) doc/reference-input
	$(AM_V_at)$(top_srcdir)/build-aux/reference-input doc/reference-input \
		$(addprefix $(top_srcdir)/,$(armillainclude_HEADERS))
	$(AM_V_at)sed 's/[@]PACKAGE_VERSION[@]/$(PACKAGE_VERSION)/' $(top_srcdir)/doc/Doxyfile.in > doc/Doxyfile
	$(AM_V_GEN)doxygen doc/Doxyfile
	@test -s doc/reference/index.html
CLEANFILES += doc/Doxyfile
EXTRA_DIST += build-aux/reference-input doc/Doxyfile.in

# The manual: web pages in doc/manual, man pages in doc/man. MANUAL_PYTHON names a Python that has the
# package armilla; make reference before it adds the C functions. make install installs what was made.
.PHONY: manual
manual: armilla$(EXEEXT) $(plugin_LTLIBRARIES)
	$(AM_V_GEN)SPHINX_BUILD='$(SPHINX_BUILD)' $(top_srcdir)/build-aux/make-manual $(top_srcdir) \
		'$(PACKAGE_VERSION)'
EXTRA_DIST += build-aux/command-pages build-aux/make-manual build-aux/run-page

man1dir = $(mandir)/man1
manualdir = $(docdir)/manual
install-data-hook: install-manual
.PHONY: install-manual uninstall-manual
install-manual:
	$(AM_V_at)for page in doc/man/*.1; do \
	  test ! -f "$$page" || { $(MKDIR_P) '$(DESTDIR)$(man1dir)' \
	    && $(INSTALL_DATA) "$$page" '$(DESTDIR)$(man1dir)'; } || exit 1; \
	done
	$(AM_V_at)test ! -d doc/manual || { rm -rf '$(DESTDIR)$(manualdir)' \
	  && $(MKDIR_P) '$(DESTDIR)$(manualdir)' && cp -r doc/manual/. '$(DESTDIR)$(manualdir)'; }
uninstall-manual:
	$(AM_V_at)rm -f '$(DESTDIR)$(man1dir)'/armilla.1 '$(DESTDIR)$(man1dir)'/armilla-*.1
	$(AM_V_at)rm -rf '$(DESTDIR)$(manualdir)'

bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_zshcompletion_DATA = completions/_armilla
dist_fishcompletion_DATA = completions/armilla.fish
EXTRA_DIST += completions/armilla.bash
# bash looks for a file with the name of the program.
install-data-hook: install-bash-completion
.PHONY: install-bash-completion
install-bash-completion:
	$(AM_V_at)$(MKDIR_P) '$(DESTDIR)$(bashcompletiondir)'
	$(AM_V_at)$(INSTALL_DATA) $(srcdir)/completions/armilla.bash \
		'$(DESTDIR)$(bashcompletiondir)/armilla'
