package values

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"coredbg/commands/values/view"
	"coredbg/core"
)

// A cType is a type of C that needs no debugging information: a base type, a
// pointer, or an array of such.
type cType struct {
	name   string
	size   int // in bytes, of the whole
	signed bool
	kind   cKind
	elem   *cType // of a pointer or an array; nil for void *
}

type cKind uint8

const (
	cInteger cKind = iota
	cFloat
	cPointer
	cArray
)

// fixedTypes maps integer types whose size is the same in every Unix data model to that size. A negative size
// means unsigned.
var fixedTypes = map[string]int{
	"int8_t": 1, "int16_t": 2, "int32_t": 4, "int64_t": 8, "uint8_t": -1, "uint16_t": -2, "uint32_t": -4,
	"uint64_t": -8,
	"uchar_t":  -1, "ushort_t": -2, "uint_t": -4, "pid_t": 4, "uid_t": -4, "gid_t": -4, "mode_t": -4, "boolean_t": 4,
	"bool": -1, "_Bool": -1, "wchar_t": 4,
}

// pointerTypes are the types with the size of a pointer, in ILP32 and LP64 alike.
var pointerTypes = map[string]bool{ // signed
	"size_t": false, "ssize_t": true, "intptr_t": true, "uintptr_t": false, "ptrdiff_t": true, "time_t": true,
	"clock_t": true,
	"ulong_t": false, "off_t": true,
}

// parseType reads a type from the first words of a command, and returns the
// words that follow it. As a word of its own only what a type begins with goes
// on: in "int [0]" the index is no longer of the type, in 'int [2]' it is.
func parseType(words []string, arch *core.Arch) (*cType, []string, error) {
	if len(words) == 0 {
		return nil, nil, errors.New("expected the name of a type")
	}
	n := 1
	for n < len(words) && (isKeyword(words[n]) || strings.Trim(words[n], "*") == "") {
		n++
	}
	text := strings.Join(words[:n], " ")
	for _, c := range []string{"*", "[", "]"} {
		text = strings.ReplaceAll(text, c, " "+c+" ")
	}
	ptr := 8
	if arch != nil {
		ptr = arch.PtrSize
	}
	t, rest, err := parseBase(strings.Fields(text), ptr)
	if err != nil {
		return nil, nil, err
	}
	for len(rest) > 0 && rest[0] == "*" {
		t, rest = &cType{name: strings.TrimSuffix(t.name, " *") + " *", size: ptr, kind: cPointer, elem: t}, rest[1:]
		if t.elem.kind == cPointer {
			t.name = t.elem.name + "*"
		}
	}
	if len(rest) == 3 && rest[0] == "[" && rest[2] == "]" {
		t, err = arrayOf(t, "["+rest[1]+"]")
		rest = nil
	}
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("failed to look up type %s", strings.Join(words[:n], " "))
	}
	return t, words[n:], err
}

func isKeyword(w string) bool {
	switch w {
	case "signed", "unsigned", "long", "short", "int", "char", "float", "double", "void", "const", "volatile":
		return true
	}
	return false
}

// parseBase reads a base type.
func parseBase(words []string, ptr int) (*cType, []string, error) {
	var name []string
	count := map[string]int{}
	for len(words) > 0 {
		switch w := words[0]; w {
		case "const", "volatile":
		case "struct", "union", "enum":
			return nil, nil, fmt.Errorf("failed to look up type %s: what a program defines is not known, only the types of C itself", strings.Join(words[:min(2, len(words))], " "))
		default:
			if !isKeyword(w) {
				if len(name) == 0 {
					return namedType(w, words[1:], ptr)
				}
				return baseType(name, count, ptr, words)
			}
			count[w]++
			name = append(name, w)
		}
		words = words[1:]
	}
	if len(name) == 0 {
		return nil, nil, errors.New("expected the name of a type")
	}
	return baseType(name, count, ptr, nil)
}

func namedType(w string, rest []string, ptr int) (*cType, []string, error) {
	if n, ok := fixedTypes[w]; ok {
		return &cType{name: w, size: max(n, -n), signed: n > 0}, rest, nil
	}
	if signed, ok := pointerTypes[w]; ok {
		return &cType{name: w, size: ptr, signed: signed}, rest, nil
	}
	return nil, nil, fmt.Errorf("failed to look up type %s: what a program defines is not known, only the types of C itself", w)
}

func baseType(name []string, count map[string]int, ptr int, rest []string) (*cType, []string, error) {
	t := &cType{name: strings.Join(name, " "), size: 4, signed: count["unsigned"] == 0}
	switch {
	case count["void"] > 0:
		t.size = 1
	case count["char"] > 0:
		t.size = 1
	case count["short"] > 0:
		t.size = 2
	case count["float"] > 0:
		t.kind = cFloat
	case count["double"] > 0 && count["long"] > 0:
		return nil, nil, fmt.Errorf("failed to look up type %s", t.name)
	case count["double"] > 0:
		t.kind, t.size = cFloat, 8
	case count["long"] > 1:
		t.size = 8
	case count["long"] == 1:
		t.size = ptr
	}
	return t, rest, nil
}

func arrayOf(elem *cType, dim string) (*cType, error) {
	n, err := index(dim)
	if err != nil || n > view.MaxElements {
		return nil, fmt.Errorf("%q is not the dimension of an array", dim)
	}
	return &cType{name: fmt.Sprintf("%s [%d]", elem.name, n), size: int(n) * elem.size, kind: cArray, elem: elem}, nil
}

// index reads "[12]", in decimal, or in another radix with its prefix.
func index(s string) (uint64, error) {
	inner, ok := strings.CutPrefix(s, "[")
	inner, ok2 := strings.CutSuffix(inner, "]")
	if !ok || !ok2 {
		return 0, fmt.Errorf("%q is not an index", s)
	}
	return strconv.ParseUint(strings.TrimSpace(inner), 0, 32)
}
