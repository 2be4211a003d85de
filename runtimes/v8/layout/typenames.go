package layout

import (
	"embed"
	"encoding/binary"
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/machine"
)

// V8's constants leave out instance types: V8 7.8 has only 58 of them, later versions lack a few. Its own code
// names all of them. Versions whose code has been run have a list.

// SymTypeName is a function with three arguments and an object that it does not use. The arguments are a
// number, and two places for the name of the type with that number and of a part of it. It returns whether the
// type exists (heap/object-stats.h, heap/heap.cc @ 7.4 to 14.6).
const SymTypeName = "_ZN2v88internal4Heap17GetObjectTypeNameEmPPKcS4_"

// Bounds of the arguments of that function: MapInstanceType has 16 bits, and no type's name has as many
// characters.
const (
	maxType     = 1 << 16
	maxTypeName = 96
	// typeGap is how many numbers without a name follow at most on one with a name: those
	// of the objects that embedders make (JS_API_OBJECT_TYPE, objects/instance-type.h).
	typeGap = 2048
	// typeSteps bounds the instructions for one name.
	typeSteps = 1 << 10
)

// typesOf returns the instance types that the code of an image names; nil if that code is
// not there or cannot be followed.
func typesOf(t runtimes.Target, m *core.Module) map[int]string {
	if t.Process.Arch != core.AMD64 {
		return nil
	}
	fn, ok := t.Symbols.Exact(m, SymTypeName)
	if !ok {
		return nil
	}
	return TypesByCode(t.Process.Space, fn.Addr)
}

// TypesByCode returns the names of instance types by number, as the function SymTypeName at fn gives them in
// memory of x86-64; nil if the function cannot be followed. After the last type come parts of types that
// statistics tell apart, the kinds of code first; their names end differently from a type's.
func TypesByCode(memory core.Memory, fn core.Addr) map[int]string {
	const name = machine.Scratch
	run := machine.New(memory, 0)
	run.MaxSteps = typeSteps
	out := map[int]string{}
	for n, last := 0, 0; n < maxType && n-last <= typeGap; n++ {
		run.Poison(name, 16)
		found, err := run.Call(fn, 0, uint64(n), uint64(name), uint64(name+8))
		if err != nil || !found.Known {
			return nil
		}
		if found.N&0xff == 0 {
			continue
		}
		at := run.Load(name, 8)
		c := core.NewCursor(memory, binary.LittleEndian, 8)
		s := c.CString(core.Addr(at.N), maxTypeName)
		switch {
		case !at.Known || c.Err() != nil || !Printable(s):
			return nil
		case !strings.HasSuffix(s, "_TYPE"):
			return out
		}
		out[n], last = s, n
	}
	return nil // no end: it is not that function
}

// typeFiles are the types of versions, each named for its version: 13.6.tsv. Layout/gen
// wrote them with TypesByCode.
//
//go:embed tables/types/*.tsv
var typeFiles embed.FS

// TypeList returns the instance types of a version by number, nil if there is no list of them.
func TypeList(v Version) map[int]string {
	f, err := typeFiles.Open(fmt.Sprintf("tables/types/%d.%d.tsv", v.Major, v.Minor))
	if err != nil {
		return nil
	}
	defer f.Close()
	list, err := ReadTable(f)
	if err != nil {
		return nil
	}
	out := make(map[int]string, len(list))
	for name, n := range list {
		out[n] = name
	}
	return out
}

// WithTypes returns the table with the instance types that are named by number, and no others.
func (t *Table) WithTypes(names map[int]string) *Table {
	out := *t
	out.Constants = make(map[string]int, len(t.Constants))
	numbers, have := make(map[string]int, len(names)), map[int]bool{}
	for n, name := range names {
		numbers[plainName(name)] = n
	}
	for constant, value := range t.Constants {
		rest, ok := strings.CutPrefix(constant, "type_")
		if !ok {
			out.Constants[constant] = value
			continue
		}
		_, typ, _ := strings.Cut(rest, "__")
		if n, ok := numbers[plainName(typ)]; ok {
			out.Constants[constant] = n
			have[n] = true
		}
	}
	for n, name := range names {
		if !have[n] {
			out.Constants["type___"+name] = n
		}
	}
	return &out
}

// Types returns the instance types of a version by number, nil if there is no list of
// them, or if it does not have the types that constants name at their numbers.
func Types(v Version, constants map[string]int) map[int]string {
	out := TypeList(v)
	if out == nil {
		return nil
	}
	list := make(map[string]int, len(out))
	for n, name := range out {
		list[name] = n
	}
	common := 0
	for name, n := range constants {
		rest, ok := strings.CutPrefix(name, "type_")
		_, typ, ok2 := strings.Cut(rest, "__")
		switch {
		case !ok || !ok2:
		case list[typ] == n && out[n] == typ:
			common++
		case out[n] == "" || plainName(out[n]) != plainName(typ) && list[typ] != 0:
			return nil // another one has that number
		}
	}
	if common < fewTypes {
		return nil
	}
	return out
}

// fewTypes are too few to say that a list is right; constants name 50 and more.
const fewTypes = 16
