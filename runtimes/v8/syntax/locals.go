package syntax

// A Local is a variable that a function declares for itself. Places are in bytes of the
// text that was parsed.
type Local struct {
	Name string
	// Kind is "let", "const", "var", or "function" for one that the function's own statements
	// declare, which is made before them.
	Kind string
	// At is where its first value is made: the initializer, or the name where there is
	// none, or where a loop or a pattern binds it.
	At int
	// End is where its declaration ends: it has its first value after that.
	End int
	// From and To are the part of the function that it can be used in.
	From, To int
	// Loop is set for the variable of for-in and for-of, Pattern for a variable in a pattern.
	Loop, Pattern bool
	// Alias is set if the initializer is a name. Stated is set if the declaration is followed by a statement
	// whose position V8 records.
	Alias, Stated bool
}

// Locals returns the variables and functions that a function declares, in order, without the ones in inner
// functions. Parameters, functions in blocks, classes and catch parameters are left out.
func Locals(fn *Node) []Local {
	l := &localList{}
	if fn != nil && fn.A != nil && fn.A.Kind == Block {
		l.all = scope{fn.A.Start, fn.A.End}
		for _, n := range fn.A.List {
			if n.Kind == Declare && n.A.Kind == Function {
				l.add(Local{Name: n.A.Text, Kind: "function", At: l.all.from, End: l.all.from}, l.all)
			}
		}
		l.statements(fn.A.List, l.all, true) // after it is the return
	}
	return l.list
}

// Parameters returns the names of a function's parameters, if all are names alone: V8 copies the others to
// variables. If two have one name, the last one is the variable, and the other one is "".
func Parameters(fn *Node) []string {
	if fn == nil {
		return nil
	}
	names, last := make([]string, len(fn.List)), map[string]int{}
	for i, p := range fn.List {
		if p.Kind != Identifier {
			return nil
		}
		if k, ok := last[p.Text]; ok {
			names[k] = ""
		}
		names[i], last[p.Text] = p.Text, i
	}
	return names
}

type scope struct{ from, to int }

type localList struct {
	all  scope
	list []Local
}

// statements adds what a list of statements declares; after says whether the code that
// follows the list begins with a place of a statement.
func (l *localList) statements(list []*Node, in scope, after bool) {
	for i, n := range list {
		l.statement(n, in, statedFrom(list[i+1:], after))
	}
}

// statedFrom reports whether the code of a list of statements begins with a place that V8
// notes as a statement's, or after does if the list has no code.
func statedFrom(list []*Node, after bool) bool {
	for _, n := range list {
		if n.Kind == Empty || n.Kind == Declare && n.A.Kind == Function {
			continue // functions are made where the function begins
		}
		return stated(n)
	}
	return after
}

// stated reports whether the code of a statement begins with a place that V8 notes as a
// statement's (interpreter/bytecode-generator.cc: SetStatementPosition).
func stated(n *Node) bool {
	switch n.Kind {
	case Var, Expression, Return, Throw, If, ForIn, ForOf:
		return true
	case For:
		return n.A != nil
	case Labeled:
		return stated(n.A)
	case Block:
		return statedFrom(n.List, false)
	case Try:
		return statedFrom(n.A.List, false)
	}
	return false
}

func (l *localList) statement(n *Node, in scope, next bool) {
	if n == nil {
		return
	}
	switch n.Kind {
	case Var:
		for i, d := range n.List {
			l.declare(n.Text, d, in, next || i+1 < len(n.List))
		}
	case Block:
		l.statements(n.List, scope{n.Start, n.End}, next)
	case If:
		l.statement(n.B, in, next)
		l.statement(n.C, in, next)
	case While:
		l.statement(n.B, in, false)
	case Do, Labeled:
		l.statement(n.A, in, false)
	case For:
		own := scope{n.Start, n.End}
		l.statement(n.A, own, n.B != nil)
		l.statement(n.D, own, n.C != nil)
	case ForIn, ForOf:
		own := scope{n.Start, n.End}
		if n.A != nil && n.A.Kind == Var {
			for _, d := range n.A.List {
				l.bound(n.A.Text, d, own, true)
			}
		}
		l.statement(n.C, own, false)
	case Try:
		for _, part := range []*Node{n.A, n.C, n.D} {
			l.statement(part, in, false)
		}
	case Switch:
		for _, c := range n.List {
			l.statements(c.List, scope{n.Start, n.End}, false)
		}
	}
}

// declare adds the names of a declarator.
func (l *localList) declare(kind string, d *Node, in scope, next bool) {
	switch {
	case d.Kind == Identifier:
		if kind != "var" {
			l.add(Local{Name: d.Text, Kind: kind, At: d.Start, End: d.End, Stated: next}, in)
		}
	case d.Kind == Assign && d.A.Kind == Identifier:
		l.add(Local{Name: d.A.Text, Kind: kind, At: d.Start, End: d.End, Alias: d.B.Kind == Identifier, Stated: next},
			in)
	case d.Kind == Assign:
		first := len(l.list)
		l.bound(kind, d.A, in, false)
		for i := first; i < len(l.list); i++ {
			l.list[i].End = d.End
		}
	}
}

// bound adds the names of a pattern, or of a loop's variable.
func (l *localList) bound(kind string, n *Node, in scope, loop bool) {
	switch {
	case n == nil:
	case n.Kind == Identifier:
		l.add(Local{Name: n.Text, Kind: kind, At: n.Start, End: n.End, Loop: loop, Pattern: !loop}, in)
	case n.Kind == Assign && n.A.Kind == Identifier: // with a default
		l.bound(kind, n.A, in, false)
	case n.Kind == Object:
		for _, p := range n.List {
			if p.Kind == Property && p.B != nil {
				l.bound(kind, p.B, in, false)
			}
		}
	case n.Kind == Array:
		for _, x := range n.List {
			l.bound(kind, x, in, false)
		}
	}
}

func (l *localList) add(v Local, in scope) {
	if v.Kind == "var" {
		in = l.all
	}
	v.From, v.To = in.from, in.to
	l.list = append(l.list, v)
}
