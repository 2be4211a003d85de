package values

import (
	"context"
	"strings"
	"time"

	"coredbg/commands"
	"coredbg/commands/values/program"
	"coredbg/commands/values/view"
	"coredbg/core"
	"coredbg/core/dwarf"
)

// patience is how long a completion may look at debugging information: a user does not wait longer for a list
// of words.
const patience = 3 * time.Second

// maxWords bounds the words that are offered.
const maxWords = 1000

// valueWords returns what ::print may be given: members of the value that a path leads to, or
// variables of the current frame and of the program, and types.
func valueWords(s *commands.Session, prefix string) []string {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if i, sep := lastStep(prefix); i > 0 {
		return memberWords(ctx, s, prefix[:i], sep)
	}
	var words []string
	if s.Thread != nil {
		words = frameWords(ctx, s)
	}
	words = append(words, programWords(ctx, s, prefix, true)...)
	return append(words, programWords(ctx, s, prefix, false)...)
}

// frameWords returns the variables of the current frame.
func frameWords(ctx context.Context, s *commands.Session) (words []string) {
	a, err := current(ctx, s, s.Thread)
	switch {
	case err != nil:
	case a.scope() != nil:
		for _, v := range a.scope().Vars {
			words = append(words, v.Name)
		}
	case a.variables != nil:
		list, _ := a.variables()
		for i := range list {
			words = append(words, list[i].Name)
		}
	}
	return words
}

// lastStep returns the start of the last step of a path, and its separator.
func lastStep(path string) (at int, sep string) {
	dot, arrow := strings.LastIndexByte(path, '.'), strings.LastIndex(path, "->")
	if arrow > dot {
		return arrow, "->"
	}
	return dot, "."
}

// memberWords returns the members of a path's value.
func memberWords(ctx context.Context, s *commands.Session, path, sep string) []string {
	name, steps, err := view.ParsePath(path)
	if err != nil {
		return nil
	}
	v, err := named(ctx, s, name)
	if err == nil {
		v, err = view.WalkPath(s, v, steps)
	}
	if err != nil {
		return nil
	}
	return membersOf(inside(s, v), path+sep)
}

// inside returns the type that pointers, references and other wrappers lead to.
func inside(s *commands.Session, v dwarf.Value) *dwarf.Type {
	for range view.MaxWrapped {
		t := v.Type.Strip()
		if t == nil {
			return nil
		}
		if t.Kind == dwarf.Pointer || t.Kind == dwarf.Reference || t.Kind == dwarf.RvalueReference {
			to, err := v.Deref()
			if err != nil {
				return t.Elem().Strip()
			}
			v = to
			continue
		}
		x, ok, err := view.Wrapped(s, v)
		if !ok || err != nil {
			return t
		}
		v = x
	}
	return nil
}

// membersOf returns the names of a type's members after a prefix, including the members of its bases and of
// nameless members.
func membersOf(t *dwarf.Type, prefix string) (words []string) {
	nameless := func(m *dwarf.Member) bool { return m.Name == "" || m.Inherited }
	for part := range t.Bases(nameless) {
		for _, m := range part.Members() {
			if !nameless(&m) && len(words) <= maxWords {
				words = append(words, prefix+m.Name)
			}
		}
	}
	return words
}

// programWords returns variables or types of the program that begin with a prefix.
func programWords(ctx context.Context, s *commands.Session, prefix string, variables bool) []string {
	var words []string
	program.InModules(s, "", func(_ *core.Module, d *dwarf.Data) bool {
		names := d.TypeNames
		if variables {
			names = d.VariableNames
		}
		names(func(name string) bool {
			if strings.HasPrefix(name, prefix) {
				words = append(words, name)
			}
			return len(words) < maxWords
		})
		return len(words) >= maxWords || ctx.Err() != nil
	})
	return words
}

// typeWords returns types of the program that begin with a prefix.
func typeWords(s *commands.Session, prefix string) []string {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return programWords(ctx, s, prefix, false)
}
