package main

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/layout/gen/cxx"
)

// The maps of the read-only heap, in their order, are in no source: V8 makes them when it is built. A core has
// them. They follow the map of maps, the one object that is its own map, in a read-only segment. The maps of
// contexts, since V8 12.1, are in writable segments (heap/setup-heap-internal.cc:
// Heap::CreateReadOnlyHeapObjects).

// maxHeapSegment is more than the bytes of a segment of a read-only heap.
const maxHeapSegment = 16 << 20

// ofCore adds the rows of the maps of a core's read-only heap to a table, which has the
// layout of maps.
func (o *options) ofCore() error {
	name := filepath.Base(o.table)
	text, err := os.ReadFile(o.table)
	if err != nil {
		return err
	}
	rows := table{}
	var how []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if note, ok := strings.CutPrefix(line, "# "); ok {
			how = append(how, note)
			continue
		}
		f := strings.Split(line, "\t")
		if v, err := strconv.Atoi(f[min(1, len(f)-1)]); err == nil && len(f) == 3 && !strings.HasPrefix(f[0], kept) {
			rows.add(f[0], int64(v), cxx.Pos{File: f[2]})
		}
	}
	var at mapLayout
	for field, to := range map[string]*int{"instance_size_in_words__": &at.size, "instance_type__": &at.typ,
		"bit_field2__": &at.kind} {
		for name, r := range rows {
			if strings.HasPrefix(name, "class_Map__"+field) {
				*to = r.value
			}
		}
		if *to == 0 {
			return fmt.Errorf("%s: no class_Map__%s*", o.table, field)
		}
	}
	width := 8
	if r, ok := rows["TaggedSize"]; ok {
		width = r.value
	}
	maps, err := at.read(o.core, width, rows["type_Map__MAP_TYPE"].value)
	if err != nil {
		return err
	}
	program := filepath.Base(filepath.Dir(o.core))
	for i, m := range maps {
		rows.add(fmt.Sprintf("%s_%03d", kept, i), m.row,
			cxx.Pos{File: fmt.Sprintf("%s, its read-only heap at +%#x", program, m.at)})
	}
	o.dir = filepath.Dir(o.table)
	return o.replace(name, how, rows)
}

// A mapLayout says where fields of maps lie.
type mapLayout struct{ size, typ, kind int }

// A heapMap is a map at an offset of its chunk.
type heapMap struct {
	at  int
	row int64 // as Table.ReadOnlyMaps has it
}

// read reads the maps of a core's read-only heap.
func (l mapLayout) read(path string, width, mapType int) ([]heapMap, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type != elf.PT_LOAD || p.Flags&elf.PF_W != 0 || p.Filesz == 0 || p.Filesz > maxHeapSegment {
			continue
		}
		data := make([]byte, p.Filesz)
		if _, err := io.ReadFull(p.Open(), data); err != nil {
			return nil, fmt.Errorf("%s: segment at %#x: %w", path, p.Vaddr, err)
		}
		if list := l.find(data, p.Vaddr, width, mapType, f.ByteOrder); list != nil {
			return list, nil
		}
	}
	return nil, fmt.Errorf("%s: no segment has a map of maps of type %d that cannot be written", path, mapType)
}

// find returns the maps in the chunk of data where the map of maps lies, nil if it is not there.
func (l mapLayout) find(data []byte, base uint64, width, mapType int, order binary.ByteOrder) (list []heapMap) {
	word := func(i int) uint64 {
		if width == 4 {
			return uint64(order.Uint32(data[i:]))
		}
		return order.Uint64(data[i:])
	}
	room := max(l.size+1, l.typ+2, l.kind+1, width)
	mask := uint64(1)<<(8*width-1)<<1 - 1
	for i := 0; i+room <= len(data); i += width {
		meta := (base + uint64(i) | 1) & mask
		if word(i) != meta || int(order.Uint16(data[i+l.typ:])) != mapType {
			continue
		}
		start := (base + uint64(i)) &^ (layout.ChunkSize - 1)
		for j := 0; j+room <= len(data) && base+uint64(j) < start+layout.ChunkSize; j += width {
			if at := base + uint64(j); at >= start && word(j) == meta {
				row := int64(order.Uint16(data[j+l.typ:])) | int64(data[j+l.size])<<16 | int64(data[j+l.kind])<<24
				list = append(list, heapMap{int(at - start), row})
			}
		}
		return list
	}
	return nil
}
