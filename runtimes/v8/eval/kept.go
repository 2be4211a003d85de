package eval

import (
	"fmt"
	"slices"
	"strings"

	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// Some getters make a value when it is first asked for, and keep it in a variable around them: process.stdout and
// navigator of Node, for example. Such a getter may be without text, or need the embedder to make the value. Its
// bytecode then shows whether the value was made, and the variable has it.

// An UnmadeError says that a property has no value yet: its getter would make it. Variable is where the getter
// keeps it; it is "" for a getter without bytecode, which did not run, or not for a while. Getter is "" for one that
// is not in the core with all of its parts.
type UnmadeError struct{ Property, Getter, Variable string }

// Error gives the reason, and the place of the value if it had one.
func (e *UnmadeError) Error() string {
	switch {
	case e.Getter == "":
		return fmt.Sprintf("eval: not in the core: %s is what its getter returns, which is not in the core either",
			e.Property)
	case e.Variable == "":
		return fmt.Sprintf("eval: not in the core: %s is what its getter %s returns, and that is not compiled: "+
			"the program had not asked for it, or not for a long time", e.Property, e.Getter)
	}
	return fmt.Sprintf("eval: not in the core: %s is made when it is first asked for, and the program had not asked: "+
		"the variable %s, where its getter %s keeps it, is undefined", e.Property, e.Variable, e.Getter)
}

// getterCall calls the getter of a property. If it cannot run, its bytecode is asked.
func (m *Machine) getterCall(getter, this Value, property string) Value {
	fn, ok := getter.(Heap)
	if !ok {
		return m.call(getter, this, nil)
	}
	v, failed := m.tried(func() Value { return m.call(getter, this, nil) })
	if failed == nil {
		return v
	}
	return m.keptValue(layout.Tagged(fn), property, failed)
}

// keptValue returns what a getter that failed keeps, or stops for want of it.
func (m *Machine) keptValue(fn layout.Tagged, property string, failed *stop) Value {
	unmade := func(variable string) {
		panic(&stop{&UnmadeError{property, m.reader.FunctionNameOf(fn), variable}, true})
	}
	if k, ok := m.newKeeper(fn); ok {
		returned := false
		v, broken := m.tried(func() Value { v, ok := k.run(); returned = ok; return v })
		if broken == nil && returned {
			return v
		}
		if name, ok := k.unmade(); ok {
			unmade(name)
		}
	}
	shared, ok := m.reader.ClosureShared(fn)
	if !ok && incomplete(m, fn) {
		panic(&stop{&UnmadeError{Property: property}, true})
	}
	if _, lazy := m.reader.UncompiledData(shared); ok && lazy {
		unmade("")
	}
	panic(failed)
}

// tried runs code. failed is the reason if it stopped.
func (m *Machine) tried(code func() Value) (v Value, failed *stop) {
	calls := m.calls
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *stop:
			failed, m.calls = x, calls
		default:
			panic(x)
		}
	}()
	return code(), nil
}

// A keeper is a getter by its bytecode.
type keeper struct {
	m        *Machine
	code     []bytecode.Bytecode
	contexts []*object.Context // around it
	// outer is the register with the nearest of these, if the getter has a context of its own; else "".
	outer string
}

// newKeeper reads a getter. It reports false if its bytecode or its contexts are not all known, and if blocks
// inside it have contexts.
func (m *Machine) newKeeper(fn layout.Tagged) (*keeper, bool) {
	if !m.reader.IsFunction(fn) {
		return nil, false
	}
	a, err := m.reader.BytecodeArray(fn)
	if err != nil || a.Problem != nil || a.Assumed != nil {
		return nil, false
	}
	contexts, err := m.reader.Contexts(fn)
	k := &keeper{m: m, code: a.Bytecodes, contexts: contexts}
	for i := range k.code {
		if base(&k.code[i]) != "PushContext" {
			continue
		}
		if i != 1 || !strings.HasPrefix(k.code[0].Name, "CreateFunctionContext") || len(k.code[i].Operands) != 1 {
			return nil, false
		}
		k.outer = k.code[i].Operands[0].Text
	}
	return k, err == nil
}

// base is the name of a bytecode without its width.
func base(b *bytecode.Bytecode) string {
	name, _, _ := strings.Cut(b.Name, ".")
	return name
}

// loads and stores report what a bytecode does with a variable of a context.
func loads(name string) bool  { return strings.HasPrefix(name, "Lda") && inContext(name) }
func stores(name string) bool { return strings.HasPrefix(name, "Sta") && inContext(name) }

func inContext(name string) bool {
	return strings.Contains(name, "ContextSlot") && !strings.Contains(name, "Lookup")
}

// variable returns the variable, of a context around the getter, that a bytecode loads or stores to.
func (k *keeper) variable(b *bytecode.Bytecode) (object.Variable, bool) {
	at, depth := -1, 0
	switch o := b.Operands; {
	case len(o) == 1 && k.outer == "":
		at = int(o[0].Value)
	case len(o) == 3 && o[0].Text == k.outer:
		at, depth = int(o[1].Value), int(o[2].Value)
	case len(o) == 3 && o[0].Text == "<context>":
		at, depth = int(o[1].Value), int(o[2].Value)
		if k.outer != "" {
			depth--
		}
	}
	if depth < 0 || depth >= len(k.contexts) {
		return object.Variable{}, false
	}
	for _, x := range k.contexts[depth].Locals {
		if x.Index == at {
			return x, true
		}
	}
	return object.Variable{}, false
}

// empty reports whether a slot has neither a value nor the value null.
func (k *keeper) empty(s object.Slot) bool {
	if s.Raw || !s.Word.IsHeap() {
		return false
	}
	kind := k.m.reader.OddballKind(s.Word)
	return kind == object.KindUndefined || kind == object.KindNull || kind == object.KindHole
}

// run runs the getter. It reports false at a bytecode that does more than to load variables and to choose.
func (k *keeper) run() (Value, bool) {
	var acc *object.Slot // nil if it is not known
	for i := 0; i < len(k.code); i++ {
		k.m.step()
		b := &k.code[i]
		switch name := base(b); {
		case loads(name):
			x, ok := k.variable(b)
			if !ok {
				return nil, false
			}
			acc = &x.Slot
		case name == "CreateFunctionContext" || name == "PushContext" || name == "CreateClosure":
			acc = nil
		case stores(name) && len(b.Operands) == 1 && k.outer != "": // to its own context
		case acc == nil:
			return nil, false
		case name == "ThrowReferenceErrorIfHole":
			if !acc.Raw && acc.Word.IsHeap() && k.m.reader.IsHole(acc.Word) {
				return nil, false
			}
		case name == "Return":
			return k.m.Of(*acc), true
		case strings.HasPrefix(name, "Jump"):
			jumps, ok := k.jumps(strings.TrimSuffix(name, "Constant"), *acc)
			if !ok || len(b.Targets) != 1 {
				return nil, false
			}
			if jumps {
				if i = k.before(i, b.Targets[0]); i < 0 {
					return nil, false
				}
			}
		default:
			return nil, false
		}
	}
	return nil, false
}

// before returns the index of the bytecode in front of an offset behind the one at i; -1 if there is none.
func (k *keeper) before(i, offset int) int {
	to := slices.IndexFunc(k.code, func(x bytecode.Bytecode) bool { return x.Offset == offset })
	if to <= i {
		return -1
	}
	return to - 1
}

// jumps reports whether a jump is taken; ok is false for kinds that are not known here.
func (k *keeper) jumps(name string, acc object.Slot) (jumps, ok bool) {
	if name == "Jump" {
		return true, true
	}
	v := k.m.Of(acc)
	_, null := v.(Null)
	switch name {
	case "JumpIfUndefined":
		return v == nil, true
	case "JumpIfNotUndefined":
		return v != nil, true
	case "JumpIfNull":
		return null, true
	case "JumpIfNotNull":
		return !null, true
	case "JumpIfUndefinedOrNull":
		return v == nil || null, true
	case "JumpIfTrue":
		return v == true, true
	case "JumpIfFalse":
		return v == false, true
	case "JumpIfToBooleanTrue":
		return truthy(v), true
	case "JumpIfToBooleanFalse":
		return !truthy(v), true
	}
	return false, false
}

// unmade returns the variable that the getter both stores to and returns, if it has one and that is empty.
func (k *keeper) unmade() (name string, ok bool) {
	stored := map[string]bool{}
	for i := range k.code {
		if x, ok := k.variable(&k.code[i]); ok && stores(k.code[i].Name) && k.empty(x.Slot) {
			stored[x.Name] = true
		}
	}
	for i := range k.code {
		if k.code[i].Name != "Return" {
			continue
		}
		from := i - 1
		for from >= 0 && base(&k.code[from]) == "ThrowReferenceErrorIfHole" {
			from--
		}
		if from < 0 || !loads(k.code[from].Name) {
			continue
		}
		if x, ok := k.variable(&k.code[from]); ok && stored[x.Name] {
			return x.Name, true
		}
	}
	return "", false
}
