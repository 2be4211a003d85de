// Package getter reads what a getter of JavaScript keeps. Some getters make a value when it is first asked for, and
// keep it in a variable around them: process.stdout and navigator of Node, for example. Such a getter may be without
// text, or need the embedder to make the value. Its bytecode shows whether the value was made, and the variable has
// it.
//
// The chain: JSFunction → SharedFunctionInfo → BytecodeArray; JSFunction → Context, and those around it.
//
// LIMITATIONS: Bytecode that does more than to load variables and to choose between them has no value, nor has one
// with contexts of blocks.
package getter

import (
	"slices"
	"strings"

	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Getter is a getter by its bytecode.
type Getter struct {
	r        *object.Reader
	code     []bytecode.Bytecode
	contexts []*object.Context // around it
	// outer is the register with the nearest of these, if the getter has a context of its own; else "".
	outer string
}

// Read reads a getter. It reports false if its bytecode or its contexts are not all known, and if blocks inside it
// have contexts.
func Read(r *object.Reader, fn layout.Tagged) (*Getter, bool) {
	if !r.IsFunction(fn) {
		return nil, false
	}
	a, err := r.BytecodeArray(fn)
	if err != nil || a.Problem != nil || a.Assumed != nil {
		return nil, false
	}
	contexts, err := r.Contexts(fn)
	g := &Getter{r: r, code: a.Bytecodes, contexts: contexts}
	for i := range g.code {
		if base(&g.code[i]) != "PushContext" {
			continue
		}
		if i != 1 || !strings.HasPrefix(g.code[0].Name, "CreateFunctionContext") || len(g.code[i].Operands) != 1 {
			return nil, false
		}
		g.outer = g.code[i].Operands[0].Text
	}
	return g, err == nil
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
func (g *Getter) variable(b *bytecode.Bytecode) (object.Variable, bool) {
	at, depth := -1, 0
	switch o := b.Operands; {
	case len(o) == 1 && g.outer == "":
		at = int(o[0].Value)
	case len(o) == 3 && o[0].Text == g.outer:
		at, depth = int(o[1].Value), int(o[2].Value)
	case len(o) == 3 && o[0].Text == "<context>":
		at, depth = int(o[1].Value), int(o[2].Value)
		if g.outer != "" {
			depth--
		}
	}
	if depth < 0 || depth >= len(g.contexts) {
		return object.Variable{}, false
	}
	for _, x := range g.contexts[depth].Locals {
		if x.Index == at {
			return x, true
		}
	}
	return object.Variable{}, false
}

// empty reports whether a slot has neither a value nor the value null.
func (g *Getter) empty(s object.Slot) bool {
	if s.Raw || !s.Word.IsHeap() {
		return false
	}
	kind := g.r.OddballKind(s.Word)
	return kind == object.KindUndefined || kind == object.KindNull || kind == object.KindHole
}

// Kept returns what the getter returns. It reports false at a bytecode that does more than to load variables and to
// choose.
func (g *Getter) Kept() (object.Slot, bool) {
	var acc *object.Slot // nil if it is not known
	for i := 0; i < len(g.code); i++ {
		b := &g.code[i]
		switch name := base(b); {
		case loads(name):
			x, ok := g.variable(b)
			if !ok {
				return object.Slot{}, false
			}
			acc = &x.Slot
		case name == "CreateFunctionContext" || name == "PushContext" || name == "CreateClosure":
			acc = nil
		case stores(name) && len(b.Operands) == 1 && g.outer != "": // to its own context
		case acc == nil:
			return object.Slot{}, false
		case name == "ThrowReferenceErrorIfHole":
			if !acc.Raw && acc.Word.IsHeap() && g.r.IsHole(acc.Word) {
				return object.Slot{}, false
			}
		case name == "Return":
			return *acc, true
		case strings.HasPrefix(name, "Jump"):
			jumps, ok := g.jumps(strings.TrimSuffix(name, "Constant"), *acc)
			if !ok || len(b.Targets) != 1 {
				return object.Slot{}, false
			}
			if jumps {
				if i = g.before(i, b.Targets[0]); i < 0 {
					return object.Slot{}, false
				}
			}
		default:
			return object.Slot{}, false
		}
	}
	return object.Slot{}, false
}

// before returns the index of the bytecode in front of an offset behind the one at i; -1 if there is none.
func (g *Getter) before(i, offset int) int {
	to := slices.IndexFunc(g.code, func(x bytecode.Bytecode) bool { return x.Offset == offset })
	if to <= i {
		return -1
	}
	return to - 1
}

// jumps reports whether a jump is taken; ok is false for kinds that are not known here.
func (g *Getter) jumps(name string, acc object.Slot) (jumps, ok bool) {
	kind := object.Kind("")
	if !acc.Raw && acc.Word.IsHeap() {
		kind = g.r.OddballKind(acc.Word)
	}
	undefined, null := kind == object.KindUndefined || kind == object.KindHole, kind == object.KindNull
	yes := kind == object.KindBoolean && g.r.Oddball(acc.Word) == "true"
	switch name {
	case "Jump":
		return true, true
	case "JumpIfUndefined":
		return undefined, true
	case "JumpIfNotUndefined":
		return !undefined, true
	case "JumpIfNull":
		return null, true
	case "JumpIfNotNull":
		return !null, true
	case "JumpIfUndefinedOrNull":
		return undefined || null, true
	case "JumpIfTrue":
		return yes, true
	case "JumpIfFalse":
		return kind == object.KindBoolean && !yes, true
	case "JumpIfToBooleanTrue":
		v, ok := g.truth(acc, kind)
		return v, ok
	case "JumpIfToBooleanFalse":
		v, ok := g.truth(acc, kind)
		return !v, ok
	}
	return false, false
}

// truth is ToBoolean of a value; kind is the kind of an oddball, or "". It reports false for a string that cannot
// be read.
func (g *Getter) truth(s object.Slot, kind object.Kind) (v, ok bool) {
	switch {
	case s.Raw:
		return s.Double != 0 && s.Double == s.Double, true
	case s.Word.IsSmi():
		return s.Word.Smi() != 0, true
	case kind != "":
		return kind == object.KindBoolean && g.r.Oddball(s.Word) == "true", true
	case g.r.IsString(s.Word):
		text, err := g.r.Characters(s.Word, 1)
		return text != "", err == nil
	}
	if f, ok := g.r.Number(s.Word); ok {
		return f != 0 && f == f, true
	}
	_, ok = g.r.InstanceType(s.Word)
	return true, ok
}

// Unmade returns the variable that the getter both stores to and returns, if it has one and that is empty.
func (g *Getter) Unmade() (name string, ok bool) {
	stored := map[string]bool{}
	for i := range g.code {
		if x, ok := g.variable(&g.code[i]); ok && stores(g.code[i].Name) && g.empty(x.Slot) {
			stored[x.Name] = true
		}
	}
	for i := range g.code {
		if g.code[i].Name != "Return" {
			continue
		}
		from := i - 1
		for from >= 0 && base(&g.code[from]) == "ThrowReferenceErrorIfHole" {
			from--
		}
		if from < 0 || !loads(g.code[from].Name) {
			continue
		}
		if x, ok := g.variable(&g.code[from]); ok && stored[x.Name] {
			return x.Name, true
		}
	}
	return "", false
}
