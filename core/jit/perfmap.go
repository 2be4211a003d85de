package jit

import (
	"bytes"
	"container/heap"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"

	"coredbg/core"
)

// Bounds for perf maps.
const (
	maxMapSize = 256 << 20 // bytes
	maxNames   = 4 << 20
	maxName    = 4096 // bytes
)

// A Map is a perf map: names of functions. It is a core.Image without bytes, at the addresses of the process.
type Map struct {
	path  string
	names []mapped // by address, without overlaps
	bad   int      // lines that are none of a perf map
}

// mapped is a function of a perf map, or a part of one that was replaced in parts.
type mapped struct {
	start, end uint64
	name       []byte
	line       int
}

// ReadMap reads a perf map; path is for messages. A line that is none counts as damage; the error says that most are.
func ReadMap(src core.Source, path string) (*Map, error) {
	if src.Size() > maxMapSize {
		return nil, fmt.Errorf("%s: a perf map of %d bytes: at most %d are read", path, src.Size(), maxMapSize)
	}
	data, err := core.SourceSlice(src, 0, int(src.Size()))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	x := &Map{path: path}
	var all []mapped
	for n := 0; len(data) > 0 && len(all) < maxNames; n++ {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		line = bytes.TrimRight(line, " \t\r")
		if len(line) == 0 {
			continue
		}
		if e, ok := parseLine(line); ok {
			e.line = n
			all = append(all, e)
		} else {
			x.bad++
		}
	}
	if x.bad > len(all) || len(all) == 0 {
		return nil, fmt.Errorf("%s: %w: %d of %d lines have an address, a size and a name", path, errNoMap, len(all),
			len(all)+x.bad)
	}
	x.names = flatten(all)
	return x, nil
}

var errNoMap = errors.New("not a perf map")

// parseLine reads a line of a perf map.
func parseLine(line []byte) (e mapped, ok bool) {
	start, rest, ok := hexField(line)
	if !ok {
		return e, false
	}
	size, name, ok := hexField(rest)
	if !ok || len(name) == 0 || start+size < start {
		return e, false
	}
	return mapped{start: start, end: start + size, name: name[:min(len(name), maxName)]}, true
}

// hexField reads a hexadecimal number, with or without 0x, up to blanks.
func hexField(b []byte) (v uint64, rest []byte, ok bool) {
	b = bytes.TrimLeft(b, " \t")
	i := bytes.IndexAny(b, " \t")
	if i < 0 {
		return 0, nil, false
	}
	digits := b[:i]
	if len(digits) > 2 && digits[0] == '0' && digits[1]|0x20 == 'x' {
		digits = digits[2:]
	}
	v, err := strconv.ParseUint(string(digits), 16, 64)
	return v, bytes.TrimLeft(b[i:], " \t"), err == nil
}

// flatten returns the functions by address without overlaps: the last line that covers an address wins.
func flatten(all []mapped) (out []mapped) {
	slices.SortStableFunc(all, func(a, b mapped) int {
		switch {
		case a.start < b.start:
			return -1
		case a.start > b.start:
			return 1
		}
		return 0
	})
	open := &latest{}
	at := uint64(0)
	// emit lays out what is known from at up to an address.
	emit := func(end uint64) {
		for at < end && open.Len() > 0 {
			top := (*open)[0]
			if top.end <= at {
				heap.Pop(open)
				continue
			}
			e := top
			e.start, e.end = at, min(end, top.end)
			if n := len(out); n > 0 && out[n-1].line == e.line && out[n-1].end == e.start {
				out[n-1].end = e.end
			} else {
				out = append(out, e)
			}
			at = e.end
		}
		at = max(at, end)
	}
	for i := range all {
		if all[i].start == all[i].end {
			continue
		}
		emit(all[i].start)
		heap.Push(open, all[i])
	}
	emit(^uint64(0))
	return out
}

// latest has functions that have begun, the last line first.
type latest []mapped

func (l latest) Len() int           { return len(l) }
func (l latest) Less(i, j int) bool { return l[i].line > l[j].line }
func (l latest) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *latest) Push(x any)        { *l = append(*l, x.(mapped)) }
func (l *latest) Pop() any {
	old := *l
	x := old[len(old)-1]
	*l = old[:len(old)-1]
	return x
}

// SetPath says where the map is from.
func (x *Map) SetPath(path string) { x.path = path }

// Len returns the number of functions.
func (x *Map) Len() int { return len(x.names) }

// Fits reports whether the process had code of no file where the map has functions.
func (x *Map) Fits(p *core.Process) bool {
	for _, m := range p.Mappings {
		if m.Prot&core.Exec == 0 || m.Start >= m.End {
			continue
		}
		if i := x.after(uint64(m.Start)); i < len(x.names) && x.names[i].start < uint64(m.End) && p.OfNoFile(m.Start) {
			return true
		}
	}
	return false
}

// after returns the index of the first function that ends after an address.
func (x *Map) after(a uint64) int {
	return sort.Search(len(x.names), func(i int) bool { return x.names[i].end > a })
}

// has reports whether a function has an address.
func (x *Map) has(a core.Addr) bool {
	i := x.after(uint64(a))
	return i < len(x.names) && x.names[i].start <= uint64(a)
}

// Path returns the path of the map.
func (x *Map) Path() string { return x.path }

// Section finds none.
func (x *Map) Section(string) (core.Section, error) { return core.Section{}, core.ErrNoSection }

// Segments returns the functions.
func (x *Map) Segments() (out []core.ImageSegment) {
	for i := range x.names {
		e := &x.names[i]
		if n := len(out); n > 0 && out[n-1].Addr+out[n-1].MemSize == e.start {
			out[n-1].MemSize += e.end - e.start
			continue
		}
		out = append(out, core.ImageSegment{Addr: e.start, MemSize: e.end - e.start, Prot: core.Read | core.Exec})
	}
	return out
}

// Symbols calls yield for each function.
func (x *Map) Symbols(dynamic bool, yield func(core.ImageSymbol) bool) error {
	for i := range x.names {
		e := &x.names[i]
		if !dynamic && !yield(core.ImageSymbol{Name: e.name, Value: e.start, Size: e.end - e.start, Kind: core.SymFunc,
			Global: true, Defined: true, Section: 1}) {
			break
		}
	}
	return nil
}
