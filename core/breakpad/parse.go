package breakpad

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"coredbg/core"
)

// maxSize is the size in bytes of the largest file that is read. A browser's file has some 700 MB.
const maxSize = 1 << 30

// maxBad bounds the lines that make no sense before a file is refused.
const maxBad = 1000

// A function is a FUNC. Name is lent.
type function struct {
	addr, size uint64
	name       []byte
	lines      [2]uint32 // in table.lines
	inlines    [2]uint32 // in table.inlines
}

// A line is code of one source line.
type line struct {
	addr       uint64
	size       uint32
	file, line uint32
}

// An inline is a range of a function that was inlined, at a depth from 0 on, into a line.
type inline struct {
	addr, size uint64
	depth      uint32
	file, line uint32 // of the call; file is noFile if it is not known
	origin     uint32
}

const noFile = ^uint32(0)

// A public is a symbol without a size. Name is lent.
type public struct {
	addr uint64
	name []byte
}

// A frame is the records of a STACK CFI INIT.
type frame struct {
	addr, size uint64
	rules      []byte
	changes    []change // in order of address
}

type change struct {
	addr  uint64
	rules []byte
}

// A table is what a file says.
type table struct {
	os, arch, id, name string
	funcs              []function
	publics            []public
	lines              []line
	inlines            []inline
	files, origins     map[uint32][]byte
	frames             []frame
	wins               []win
	bad                int
}

// Is reports whether a file begins as a symbol file does.
func Is(src core.Source) bool {
	w, err := src.Window(0)
	return err == nil && bytes.HasPrefix(w, []byte("MODULE "))
}

// parseModule reads the first line.
func parseModule(b []byte) (t *table, err error) {
	first, _, _ := bytes.Cut(b[:min(len(b), 1<<16)], []byte("\n"))
	f := bytes.SplitN(bytes.TrimRight(first, "\r"), []byte(" "), 5)
	if len(f) < 5 || string(f[0]) != "MODULE" {
		return nil, &core.FormatError{Off: 0,
			Msg: "not a symbol file of Breakpad: it does not begin with a MODULE line"}
	}
	return &table{os: string(f[1]), arch: string(f[2]), id: string(f[3]), name: string(f[4]),
		files: map[uint32][]byte{}, origins: map[uint32][]byte{}}, nil
}

// parse reads a whole file.
func parse(b []byte) (*table, error) {
	t, err := parseModule(b)
	if err != nil {
		return nil, err
	}
	for off := 0; off < len(b); {
		end := bytes.IndexByte(b[off:], '\n')
		if end < 0 {
			end = len(b) - off
		}
		l := bytes.TrimRight(b[off:off+end], "\r")
		if len(l) > 0 && !t.line(l) {
			if t.bad++; t.bad > maxBad {
				return nil, &core.FormatError{Off: int64(off),
					Msg: fmt.Sprintf("more than %d lines of a symbol file that make no sense, the last one", maxBad)}
			}
		}
		off += end + 1
	}
	t.sort()
	return t, nil
}

// line takes a line; it reports false if it makes no sense.
func (t *table) line(l []byte) bool {
	word, rest := cut(l)
	switch string(word) {
	case "MODULE", "INFO":
		return true
	case "FILE", "INLINE_ORIGIN":
		return t.numbered(word, rest)
	case "FUNC":
		return t.function(rest)
	case "INLINE":
		return t.inline(rest)
	case "PUBLIC":
		rest = multiple(rest)
		addr, rest, ok := hex(rest)
		_, name, ok2 := hex(rest)
		t.publics = append(t.publics, public{addr, name})
		return ok && ok2
	case "STACK":
		return t.stack(rest)
	}
	addr, rest, ok := hex(l)
	size, rest, ok2 := hex(rest)
	n, rest, ok3 := dec(rest)
	file, _, ok4 := dec(rest)
	if !ok || !ok2 || !ok3 || !ok4 || len(t.funcs) == 0 || size > 1<<32-1 {
		return false
	}
	f := &t.funcs[len(t.funcs)-1]
	t.lines = append(t.lines, line{addr, uint32(size), uint32(file), uint32(n)})
	f.lines[1] = uint32(len(t.lines))
	return true
}

// numbered takes FILE and INLINE_ORIGIN, whose older form has the number of a file after its
// own.
func (t *table) numbered(word, rest []byte) bool {
	n, name, ok := dec(rest)
	if !ok || n > 1<<32-2 {
		return false
	}
	if string(word) == "FILE" {
		t.files[uint32(n)] = name
		return true
	}
	if _, after, old := dec(name); old && len(after) > 0 {
		name = after
	}
	t.origins[uint32(n)] = name
	return true
}

func (t *table) function(rest []byte) bool {
	rest = multiple(rest)
	addr, rest, ok := hex(rest)
	size, rest, ok2 := hex(rest)
	_, name, ok3 := hex(rest)
	n, i := uint32(len(t.lines)), uint32(len(t.inlines))
	t.funcs = append(t.funcs, function{addr, size, name, [2]uint32{n, n}, [2]uint32{i, i}})
	return ok && ok2 && ok3 && addr+size >= addr
}

// inline takes INLINE: depth, line of the call, its file in the newer form, the origin, then
// ranges, which come in pairs.
func (t *table) inline(rest []byte) bool {
	f := bytes.Fields(rest)
	if len(t.funcs) == 0 || len(f) < 5 {
		return false
	}
	head := 3 + (len(f)+1)%2 // an even number of fields has a file, too
	var n [4]uint32
	for i := range head {
		v, _, ok := dec(f[i])
		if !ok || v > 1<<32-2 {
			return false
		}
		n[i] = uint32(v)
	}
	x := inline{depth: n[0], line: n[1], file: noFile, origin: n[2]}
	if head == 4 {
		x.file, x.origin = n[2], n[3]
	}
	ranges := f[head:]
	for ; len(ranges) >= 2; ranges = ranges[2:] {
		a, _, ok := hex(ranges[0])
		size, _, ok2 := hex(ranges[1])
		if !ok || !ok2 {
			return false
		}
		x.addr, x.size = a, size
		t.inlines = append(t.inlines, x)
	}
	t.funcs[len(t.funcs)-1].inlines[1] = uint32(len(t.inlines))
	return true
}

// stack takes STACK CFI and STACK WIN.
func (t *table) stack(rest []byte) bool {
	kind, rest := cut(rest)
	if string(kind) == "WIN" {
		return t.win(rest)
	}
	if string(kind) != "CFI" {
		return false
	}
	if after, ok := bytes.CutPrefix(rest, []byte("INIT ")); ok {
		addr, rest, ok := hex(after)
		size, rules, ok2 := hex(rest)
		if !ok || !ok2 || addr+size < addr {
			return false
		}
		t.frames = append(t.frames, frame{addr: addr, size: size, rules: rules})
		return true
	}
	addr, rules, ok := hex(rest)
	if !ok || len(t.frames) == 0 {
		return false
	}
	f := &t.frames[len(t.frames)-1]
	f.changes = append(f.changes, change{addr, rules})
	return addr-f.addr < f.size
}

func (t *table) sort() {
	slices.SortStableFunc(t.funcs, func(a, b function) int { return cmp.Compare(a.addr, b.addr) })
	for i := range t.frames {
		slices.SortStableFunc(t.frames[i].changes, func(a, b change) int { return cmp.Compare(a.addr, b.addr) })
	}
}

// cut splits a line at its first blank.
func cut(b []byte) (word, rest []byte) {
	word, rest, _ = bytes.Cut(b, []byte(" "))
	return word, bytes.TrimLeft(rest, " ")
}

// multiple passes the mark of a symbol that several have.
func multiple(b []byte) []byte {
	if after, ok := bytes.CutPrefix(b, []byte("m ")); ok {
		return after
	}
	return b
}

func hex(b []byte) (uint64, []byte, bool) { return number(b, 16) }
func dec(b []byte) (uint64, []byte, bool) { return number(b, 10) }

func number(b []byte, base int) (uint64, []byte, bool) {
	word, rest := cut(b)
	n, err := strconv.ParseUint(string(word), base, 64)
	return n, rest, err == nil
}
