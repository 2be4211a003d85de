package syntax

// A CallSite is a call that a function makes, or a place where it waits.
type CallSite struct {
	Await  bool // it waits, or yields: the others say nothing
	New    bool // of a constructor
	Member bool // of a property, with its object as this
	Spread bool // with arguments that are spread
	Args   int
	At     int // where V8 says that it is, in bytes of the text
}

// Calls returns the calls that the function fn makes itself, in the order of V8's code for them
// (interpreter/bytecode-generator.cc). iterates is set if it may call iterators too, which are not in the text.
func Calls(fn *Node) (sites []CallSite, iterates bool) {
	c := &callList{}
	for _, n := range fn.List {
		c.visit(n)
	}
	c.visit(fn.A)
	return c.sites, c.iterates
}

type callList struct {
	sites    []CallSite
	iterates bool
}

func (c *callList) all(list []*Node) {
	for _, n := range list {
		c.visit(n)
	}
}

// visit adds the calls of a node, those inside of it first.
func (c *callList) visit(n *Node) {
	if n == nil {
		return
	}
	switch n.Kind {
	case Function: // makes its calls itself
	case Class:
		c.class(n)
	case Call, New, Tagged:
		c.call(n)
	case For:
		c.all([]*Node{n.A, n.B, n.D, n.C})
	case ForIn, ForOf:
		c.iterates = c.iterates || n.Kind == ForOf
		c.all([]*Node{n.B, n.A, n.C})
	case Do:
		c.all([]*Node{n.A, n.B})
	case Switch:
		c.visit(n.A)
		for _, x := range n.List {
			c.visit(x.A)
		}
		for _, x := range n.List {
			c.all(x.List)
		}
	case Property:
		if n.Computed {
			c.visit(n.A)
		}
		c.visit(n.B)
	case Array, Spread:
		c.iterates = true
		c.parts(n)
	case Await:
		c.iterates = c.iterates || n.Text == "yield*"
		c.visit(n.A)
		c.sites = append(c.sites, CallSite{Await: true, At: n.Start})
	case Assign:
		c.assign(n)
	default:
		c.parts(n)
	}
}

func (c *callList) parts(n *Node) {
	c.visit(n.A)
	c.visit(n.B)
	c.visit(n.C)
	c.visit(n.D)
	c.all(n.List)
}

// assign visits an assignment: the parts of a pattern come first, then the value.
func (c *callList) assign(n *Node) {
	switch {
	case n.A.Kind == Object || n.A.Kind == Array:
		c.visit(n.B)
		c.visit(n.A)
	default:
		c.visit(n.A)
		c.visit(n.B)
	}
}

// class: fields and methods are functions of their own; what is static is run by a call.
func (c *callList) class(n *Node) {
	c.visit(n.A)
	for _, p := range n.List {
		if p.Computed {
			c.visit(p.A)
		}
		c.iterates = c.iterates || p.Static
	}
}

func (c *callList) call(n *Node) {
	callee := n.A
	c.visit(callee)
	s := CallSite{New: n.Kind == New || callee.Kind == Super, At: n.Start, Args: len(n.List)}
	for callee.Kind == Chain {
		callee = callee.A
	}
	s.Member = !s.New && (callee.Kind == Member || callee.Kind == Index)
	if n.Kind == Tagged {
		s.Args = 1 + len(n.B.List)/2
		c.visit(n.B)
	}
	for _, a := range n.List {
		s.Spread = s.Spread || a.Kind == Spread
	}
	c.all(n.List)
	c.sites = append(c.sites, s)
}
