# For armilla plan; configure links them into the build tree.
nodesdir = $(pkgdatadir)/nodes
dist_nodes_DATA = $(node_files)

# The page on the stages, from what the program says of them; make check compares.
.PHONY: stages-page
stages-page: armilla$(EXEEXT) $(plugin_LTLIBRARIES)
	$(srcdir)/build-aux/stages-page ./armilla$(EXEEXT) > $(srcdir)/doc/stages.md

# The figures of the pages that explain.
.PHONY: figures
figures:
	$(srcdir)/build-aux/figures $(srcdir)/doc/figures

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

# The manual: web pages in doc/manual, man pages in doc/man. MANUAL_PYTHON names a Python that has the
# package armilla; make reference before it adds the C functions. make install installs what was made.
.PHONY: manual
manual: armilla$(EXEEXT) $(plugin_LTLIBRARIES)
	$(AM_V_GEN)SPHINX_BUILD='$(SPHINX_BUILD)' $(top_srcdir)/build-aux/make-manual $(top_srcdir) \
		'$(PACKAGE_VERSION)'

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
# bash looks for a file with the name of the program.
install-data-hook: install-bash-completion
.PHONY: install-bash-completion
install-bash-completion:
	$(AM_V_at)$(MKDIR_P) '$(DESTDIR)$(bashcompletiondir)'
	$(AM_V_at)$(INSTALL_DATA) $(srcdir)/completions/armilla.bash \
		'$(DESTDIR)$(bashcompletiondir)/armilla'
