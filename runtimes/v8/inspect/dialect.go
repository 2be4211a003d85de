package inspect

import (
	"slices"
	"strings"
)

// A Dialect is what changed over time in how util.inspect writes
// (lib/internal/util/inspect.js).
type Dialect struct {
	SymbolBrackets bool // enumerable symbol keys in brackets, until Node 22
	BufferBrackets bool // the sizes of buffers in brackets, from Node 22 on
	MarkProxies    bool // Proxy(…), from Node 26 on
	DottedTags     bool // a tag whose last part is the class name stands for it, from Node 26.9 on
	LooseTags      bool // a tag that the class name contains is left out, from Node 22 to 26.8
	NoCause        bool // an error's cause is like any other hidden property, until Node 17
	NoErrors       bool // including the errors of an AggregateError, until Node 18
	Suppressed     bool // excluding a SuppressedError's, since Node 26.12
	BareModules    bool // modules without a word on their prototype, until Node 15
	// Node12: no sizes of maps and sets but a hidden property, no numbers of
	// circular references, [Function] without a remark that it is anonymous.
	Node12 bool
	// NoClasses: classes look like functions, until Node 12.18, and in Node 13
	// and the first releases of Node 14.
	NoClasses bool
	NoSizes   bool // of typed arrays, until Node 12.15
	// LongEscapes: control characters are \u0007 instead of \x07, until Node 13.
	LongEscapes bool
	// StackParts: a stack or a name of an error that is not a string is written next to its text, from Node 22
	// on; before it was converted to a string.
	StackParts bool
	// ObjectsFirst: a function whose class is Object looks like another object, until Node 20.
	ObjectsFirst bool
	// JoinsLines: members of several lines may stand beside others, until Node 14.
	JoinsLines bool
}

// dialectOf reads the dialect in the source of lib/internal/util/inspect.js.
func dialectOf(source string) Dialect {
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(source, p) })
	}
	return Dialect{
		SymbolBrackets: has("`[${ctx.stylize(tmp, 'symbol')}]`"),
		BufferBrackets: has("{ [byteLength]: "),
		MarkProxies:    has("ctx.stylize('Proxy(', 'special')"),
		DottedTags:     has("LastIndexOf(tag, '.')"),
		LooseTags:      has("constructor.indexOf(tag)", "IndexOf(constructor, tag)"),
		NoCause:        !has("'cause' in err", "(err, 'cause')"),
		NoErrors: !has("'errors' in err", "(err, 'errors')", "includes(keys, 'errors')",
			"Includes(keys, 'errors')"),
		Suppressed:   has("(err, 'suppressed')"),
		BareModules:  has("braces[0] = `[${tag}] {`"),
		Node12:       !has("[Circular *"),
		NoClasses:    !has("getClassBase("),
		NoSizes:      !has("addPrototypeProperties("),
		StackParts:   has("typeof stack === 'string'"),
		ObjectsFirst: has("else if (typeof value === 'function') {"),
		JoinsLines:   !has("joinedOutput"),
		LongEscapes:  has(`'\\u0007'`),
	}
}

// showsHidden reports whether a dialect shows a member of an error that is not enumerable.
func (d *Dialect) showsHidden(name string) bool {
	switch name {
	case "cause":
		return !d.NoCause
	case "errors":
		return !d.NoErrors
	case "error", "suppressed":
		return d.Suppressed
	}
	return false
}
