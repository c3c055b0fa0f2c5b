package parse

// A module is what a script takes from others and gives to them.
type module struct {
	imports       []string // specifiers, each once, in order
	defaultExport bool
}

// scanModule finds the imports and the default export of a script: import and
// export … from, import("x"), require("x"), export default, export { x as default }.
// It reads tokens, not grammar: statements are those words where a statement may
// begin, so that text in comments, strings and templates does not count.
func scanModule(src string) module {
	m := moduleScan{seen: map[string]bool{}}
	s := newScript(src)
	for t := s.next(); t.kind != scriptEnd; t = s.next() {
		m.take(t)
		m.last = t
	}
	return m.module
}

// A moduleScan is the state of scanModule.
type moduleScan struct {
	module
	seen     map[string]bool
	last     scriptToken // the token before the current one
	clause   string      // import or export, while inside of its clause
	reexport bool        // after { default or , default in an export clause
	call     bool        // last is an import or require that may be called, or its (
}

func (m *moduleScan) take(t scriptToken) {
	m.defaultExport = m.defaultExport || m.reexport && (t.is("}") || t.is(","))
	m.reexport = false
	called := m.call && t.is("(")
	switch t.kind {
	case scriptText:
		m.literal(t.text)
	case scriptWord:
		m.word(t)
	case scriptPunct:
		if !m.staysInClause(t) {
			m.clause = ""
		}
	}
	m.call = called || t.kind == scriptWord && (t.text == "import" || t.text == "require") && !m.last.is(".")
}

// word follows the words that matter: a keyword where a statement may begin, and
// default in an export clause.
func (m *moduleScan) word(t scriptToken) {
	switch {
	case (t.text == "import" || t.text == "export") && m.startsStatement(t):
		m.clause = t.text
	case t.text != "default" || m.clause != "export":
	case m.last.is("export") || m.last.is("as"):
		m.defaultExport = true
	case m.last.is("{") || m.last.is(","):
		m.reexport = true
	}
}

// staysInClause tells whether an import or export clause may hold this mark. The
// brace of an export clause follows the keyword; any other opens a body.
func (m *moduleScan) staysInClause(t scriptToken) bool {
	if t.is("{") {
		return m.clause == "import" || m.last.is("export") || m.last.is("type")
	}
	return t.is("}") || t.is(",") || t.is("*")
}

func (m *moduleScan) startsStatement(t scriptToken) bool {
	return t.first || m.last.is(";") || m.last.is("}")
}

// literal takes a string literal where a specifier stands.
func (m *moduleScan) literal(text string) {
	switch {
	case m.clause != "" && m.last.is("from"),
		m.clause == "import" && m.last.is("import"),
		m.call && m.last.is("("):
		if !m.seen[text] {
			m.seen[text] = true
			m.imports = append(m.imports, text)
		}
	case m.last.is("as"), m.last.is("{"), m.last.is(","):
		return // a name in quotes: the clause goes on
	}
	m.clause = ""
}
