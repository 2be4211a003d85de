package torque

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// An InstanceType is a number that Torque assigned. The first and last of classes with
// several have rows of their own.
type InstanceType struct {
	Name  string // "JS_FUNCTION_TYPE", "FIRST_JS_FUNCTION_TYPE"
	Value int
	Class *Class
	Own   bool // not the first or last of a range
	One   bool // no other class has one within the range of this one
}

// A node is a class in the tree of classes, as in instance-type-generator.cc.
type node struct {
	class      *Class
	children   []*node
	start, end int
	value      int
	num, own   int
}

// InstanceTypes assigns the instance types, as src/torque/instance-type-generator.cc does:
// what its comments say about the order holds here.
func (p *Program) InstanceTypes() []InstanceType {
	nodes := map[string]*node{}
	for _, c := range p.Classes {
		nodes[c.Name] = &node{class: c, start: math.MaxInt, end: math.MinInt, value: -1}
	}
	var root *node
	for _, c := range p.Classes {
		n := nodes[c.Name]
		if n.class != c {
			continue // declared twice
		}
		if parent := nodes[c.Parent]; parent != nil {
			parent.children = append(parent.children, n)
		} else if c.Name == "HeapObject" {
			root = n
		}
	}
	if root == nil {
		return nil
	}
	root.constrain()
	var out []InstanceType
	next := 0
	root.solve(&next)
	root.print(&out)
	return out
}

// constrain passes what classes ask for on to their parents.
func (n *node) constrain() {
	for _, c := range n.children {
		c.constrain()
		n.start, n.end = min(n.start, c.start), max(n.end, c.end)
		n.num += c.num
	}
	if !n.class.Abstract && !n.class.SameType {
		n.own = 1
	}
	n.num += n.own
	if bits := n.class.ReservedBits; bits >= 0 {
		n.children = nil
		n.num, n.own, n.start, n.end = 1<<bits, 1<<bits, 0, 1<<bits-1
	}
	if v := n.class.Value; v >= 0 {
		n.value = v
		n.start, n.end = min(n.start, v), max(n.end, v)
	}
}

func (n *node) take(next *int) {
	if n.value < 0 {
		n.value = *next
	}
	*next = n.value + n.own
}

// sorted returns the children: the lowest one, the highest one, the children with fixed numbers by number,
// and the others by size, the largest first.
func (n *node) sorted() (lowest, highest *node, fixed, free []*node) {
	for _, c := range n.children {
		switch {
		case c.class.Highest:
			highest = c
		case c.class.Lowest:
			lowest = c
		case c.start > c.end:
			free = append(free, c)
		default:
			fixed = append(fixed, c)
		}
	}
	slices.SortStableFunc(fixed, func(a, b *node) int { return cmp.Compare(a.start, b.start) })
	slices.SortStableFunc(free, func(a, b *node) int {
		return cmp.Or(cmp.Compare(b.num, a.num), cmp.Compare(a.class.Name, b.class.Name))
	})
	return lowest, highest, fixed, free
}

// solve assigns the numbers from *next on to a class and those under it.
func (n *node) solve(next *int) {
	var done []*node
	lowest, highest, fixed, free := n.sorted()
	place := func(c *node) {
		c.solve(next)
		if c.num > 0 {
			done = append(done, c)
		}
	}
	pending := n.own > 0
	if lowest != nil {
		place(lowest)
	}
	for _, f := range fixed {
		if pending && (n.value >= 0 && n.value < f.start || n.value < 0 && *next+n.own <= f.start) {
			n.take(next)
			pending = false
		}
		left := free[:0:0]
		for _, c := range free {
			if c.num+*next <= f.start {
				place(c)
			} else {
				left = append(left, c)
			}
		}
		free = left
		place(f)
	}
	if pending {
		n.take(next)
	}
	for _, c := range free {
		place(c)
	}
	if highest != nil {
		place(highest)
	}
	n.children = done
	n.end, n.start = *next-1, *next
	if len(done) > 0 {
		n.start = done[0].start
	}
	if n.value >= 0 && n.value < n.start {
		n.start = n.value
	}
	n.num = n.end - n.start + 1
}

// print lists the numbers of a class and those under it.
func (n *node) print(out *[]InstanceType) {
	name := Capify(n.class.Name) + "_TYPE"
	if n.num > 1 {
		*out = append(*out, InstanceType{Name: "FIRST_" + name, Value: n.start, Class: n.class})
	}
	if n.own == 1 {
		*out = append(*out, InstanceType{Name: name, Value: n.value, Class: n.class, Own: true, One: n.num == 1})
	}
	for _, c := range n.children {
		c.print(out)
	}
	if n.num > 1 && n.own <= 1 {
		*out = append(*out, InstanceType{Name: "LAST_" + name, Value: n.end, Class: n.class})
	}
}

// Capify returns the name of a class as constants have it: JS_FUNCTION for JSFunction
// (src/torque/utils.cc: CapifyStringWithUnderscores).
func Capify(s string) string {
	var out []rune
	js := -1
	for i := 0; i+1 < len(s); i++ {
		if s[i:i+2] == "JS" {
			js = i
			break
		}
	}
	lower := false
	for i, c := range s {
		if lower && unicode.IsUpper(c) || js >= 0 && i == js+2 {
			out = append(out, '_')
		}
		if c == '.' || c == '-' {
			out = append(out, '_')
			lower = false
			continue
		}
		out = append(out, unicode.ToUpper(c))
		lower = unicode.IsLower(c) || unicode.IsDigit(c)
	}
	return string(out)
}

// Camelify returns a name with underscores in camel case: IsCallable for is_callable.
func Camelify(s string) string {
	var out []rune
	up := true
	for _, c := range s {
		if c == '_' {
			up = true
			continue
		}
		if up {
			c = unicode.ToUpper(c)
		}
		out = append(out, c)
		up = false
	}
	return string(out)
}

// Underscore is Capify in small letters: raw_byte_length for RawByteLength.
func Underscore(s string) string { return strings.ToLower(Capify(s)) }
