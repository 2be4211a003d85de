package source

import (
	"strings"
	"unicode/utf8"

	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// Names of variables that live in registers. V8 does not keep them (a ScopeInfo has only the names in
// contexts), but it keeps the text of the function and, for each bytecode, the place in it.
// A variable certainly has register rN in three cases. The code that V8 records for the place of its first
// value ends by storing to rN. The closure of a declared function is stored there. Or rN is compared with the
// hole before an error with the variable's name is thrown (interpreter/bytecode-generator.cc:
// BuildVariableAssignment, BuildThrowIfHole). A variable has its register for the whole function; the text
// shows the part of it where the value is valid.

// A registerName is a variable that lives in a register.
type registerName struct {
	name     string
	register int
	// The variable has its value from end on, within [from, to): positions in the
	// script, in UTF-16 code units.
	from, end, to int
}

// findNames returns the variables of a function that are known to live in registers.
func findNames(objects *object.Reader, shared layout.Tagged) []registerName {
	t := textOf(objects, shared)
	if t == nil || t.code.Assumed != nil {
		return nil
	}
	e := &evidence{code: t.code, objects: objects}
	var names []registerName
	locals := syntax.Locals(t.fn)
	for i := range locals {
		v := &locals[i]
		var r int
		var ok bool
		if v.Kind == "function" {
			r, ok = e.made(v.Name)
		} else {
			r, ok = e.stored(v, t.position(v.At))
		}
		if !ok {
			r, ok = e.compared(v, locals)
		}
		if ok {
			names = append(names, registerName{name: v.Name, register: r, from: t.position(v.From),
				end: t.position(v.End), to: t.position(v.To)})
			if v.Kind == "var" {
				names[len(names)-1].end = t.start
			}
		}
	}
	return agreed(names)
}

// agreed leaves out variables that share a register with one of another name, and those
// of one name and extent that have several: a var may be declared more than once.
func agreed(names []registerName) (out []registerName) {
	for i, n := range names {
		good := true
		for k, other := range names {
			same := other.name == n.name && other.from == n.from && other.to == n.to
			good = good && (k == i || same == (other.register == n.register))
		}
		if good {
			out = append(out, n)
		}
	}
	return out
}

// evidence is what shows which register a variable has.
type evidence struct {
	code    *object.BytecodeArray
	objects *object.Reader
}

// stored returns the register that the code for the place of a variable's first value stores to.
func (e *evidence) stored(v *syntax.Local, place int) (register int, ok bool) {
	if v.Pattern {
		return e.taken(place)
	}
	if !v.Stated && !v.Loop {
		return 0, false
	}
	list := e.code.Positions
	for i := range list {
		if p := &list[i]; p.Position != place || !p.Statement {
			continue
		}
		to := e.code.Length
		for _, q := range list[i+1:] {
			if q.Statement || v.Loop {
				to = q.Offset
				break
			}
		}
		r, mov, found := e.last(list[i].Offset, to)
		switch {
		case v.Loop: // the last place is the binding's, the earlier ones are the iterator's
			register, ok = r, found
			continue
		case !found || mov && !v.Alias: // what is moved may be a register that is not the variable's
			return 0, false
		case ok && r != register:
			return 0, false
		}
		register, ok = r, true
	}
	return register, ok
}

// last returns the register that the last bytecode of a range stores to. A Mov counts only if
// it is the whole range, which is said.
func (e *evidence) last(from, to int) (register int, mov, ok bool) {
	first, last := -1, -1
	for i := range e.code.Bytecodes {
		b := &e.code.Bytecodes[i]
		if len(b.Operands) == 2 && b.Operands[0].Text == "<context>" {
			continue // kept for the catch block
		}
		if at := b.Offset; at >= from && at < to {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if last < 0 {
		return 0, false, false
	}
	// No variable's first value is the hole: that is kept for a finally.
	if _, kept := star(&e.code.Bytecodes[last]); kept && last > first && e.code.Bytecodes[last-1].Name == "LdaTheHole" {
		if last -= 2; last < first {
			return 0, false, false
		}
	}
	b := &e.code.Bytecodes[last]
	if r, ok := star(b); ok {
		return r, false, true
	}
	if name, _, _ := strings.Cut(b.Name, "."); name == "Mov" && first == last && len(b.Operands) == 2 {
		r, ok := registerOf(b.Operands[1].Text)
		return r, true, ok
	}
	return 0, false, false
}

// taken returns the register that a pattern stores its value to at a place: a property, the default if it is
// undefined, or an iterator's next value, undefined at its end.
func (e *evidence) taken(place int) (register int, ok bool) {
	for i := range e.code.Positions {
		p := &e.code.Positions[i]
		if p.Position != place {
			continue
		}
		to := e.code.Length
		if i+1 < len(e.code.Positions) {
			to = e.code.Positions[i+1].Offset
		}
		r, found := e.takenIn(p.Offset, to)
		if !found || ok && r != register {
			return 0, false
		}
		register, ok = r, true
	}
	return register, ok
}

func (e *evidence) takenIn(from, to int) (int, bool) {
	list := e.code.Bytecodes
	for k := range list {
		if list[k].Offset < from || list[k].Offset >= to || k+2 >= len(list) {
			continue
		}
		if _, kept := star(&list[k+1]); kept && list[k].Offset == from && list[k].Name == "LdaConstant" {
			from = list[k+2].Offset // the key, for the rest of the object
			continue
		}
		next := &list[k+1]
		switch name := list[k].Name; {
		case list[k].Offset < from:
		case list[k].Offset == from && strings.Contains(name, "NamedProperty"):
			if strings.HasPrefix(next.Name, "JumpIfNotUndefined") && len(next.Targets) == 1 {
				return e.starAt(next.Targets[0])
			}
			return star(next)
		case strings.HasPrefix(name, "Jump") && next.Name == "LdaUndefined" && len(list[k].Targets) == 1 &&
			list[k].Targets[0] == list[k+2].Offset:
			return star(&list[k+2])
		}
	}
	return 0, false
}

// starAt is star for the bytecode at an offset.
func (e *evidence) starAt(offset int) (int, bool) {
	for i := range e.code.Bytecodes {
		if e.code.Bytecodes[i].Offset == offset {
			return star(&e.code.Bytecodes[i])
		}
	}
	return 0, false
}

// made returns the register that the only closure of a name is stored to.
func (e *evidence) made(name string) (register int, ok bool) {
	list := e.code.Bytecodes
	for i := range list {
		if !strings.HasPrefix(list[i].Name, "CreateClosure") || len(list[i].Operands) == 0 || i+1 == len(list) ||
			e.objects.SharedName(list[i].Operands[0].Constant) != name {
			continue
		}
		r, stored := star(&list[i+1])
		if !stored || ok {
			return 0, false
		}
		register, ok = r, true
	}
	return register, ok
}

// compared returns the register that is compared with the hole before a variable's name
// would be thrown, if the function declares only one of that name.
func (e *evidence) compared(v *syntax.Local, all []syntax.Local) (register int, ok bool) {
	same := 0
	for i := range all {
		if all[i].Name == v.Name {
			same++
		}
	}
	if same != 1 || v.Kind == "var" || v.Kind == "function" {
		return 0, false
	}
	for i := 1; i < len(e.code.Bytecodes); i++ {
		b, before := &e.code.Bytecodes[i], &e.code.Bytecodes[i-1]
		if !strings.HasPrefix(b.Name, "ThrowReferenceErrorIfHole") || len(b.Operands) == 0 ||
			e.objects.Text(b.Operands[0].Constant) != v.Name ||
			!strings.HasPrefix(before.Name, "Ldar") || len(before.Operands) == 0 {
			continue
		}
		r, isRegister := registerOf(before.Operands[0].Text)
		if !isRegister || ok && r != register {
			return 0, false
		}
		register, ok = r, true
	}
	return register, ok
}

// star returns the register that a bytecode stores the accumulator to.
func star(b *bytecode.Bytecode) (int, bool) {
	name, _, _ := strings.Cut(b.Name, ".")
	digits, ok := strings.CutPrefix(name, "Star")
	switch {
	case !ok:
		return 0, false
	case digits != "":
		return registerOf("r" + digits)
	case len(b.Operands) == 1:
		return registerOf(b.Operands[0].Text)
	}
	return 0, false
}

// registerOf returns the number of a register of the file, as it is shown.
func registerOf(text string) (n int, ok bool) {
	digits, ok := strings.CutPrefix(text, "r")
	if !ok || digits == "" || len(digits) > 6 {
		return 0, false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] >= utf8.RuneSelf || digits[i] > '9' {
			return 0, false
		}
		n = 10*n + int(digits[i]-'0')
	}
	return n, true
}
