// Package journal reads entries of systemd's journal files, as far as finding cores needs it.
//
// A journal file is objects that refer to each other by their offsets:
//
//	header -> hash table of fields -> field "COREDUMP_PID" -> its data, newest first
//	data -> its first entry, and arrays of its other entries
//	entry -> all its data: "FIELD=value"
//
// Source: src/libsystemd/sd-journal/journal-def.h of systemd 257; systemd 252 and
// later write compact files.
//
// LIMITATIONS: compressed data is left out. journald compresses values of 512 bytes and more.
package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"coredbg/core"
)

// An Entry is one entry of a journal.
type Entry struct {
	Time   time.Time         // when journald got it
	Fields map[string]string // the first value of each field, at most maxValue bytes of it
}

// Bounds of reading: objects of one file, data of one entry, bytes of a value.
const (
	maxSteps = 1 << 16
	maxItems = 1 << 10
	maxValue = 4 << 10
)

// Types of objects, offsets in them, and flags of a file.
const (
	typeData, typeField, typeEntry, typeArray = 1, 2, 3, 6
	headSize, objectSize                      = 208, 16
	compactFile                               = 1 << 4 // HEADER_INCOMPATIBLE_COMPACT
)

// ErrNotJournal is returned for files that are not journals.
var ErrNotJournal = errors.New("not a journal file")

var magic = []byte("LPKSHHRH")

// A reader reads one file.
type reader struct {
	src     core.Source
	compact bool
	steps   int // that are left
}

// An object is the head of an object in a file.
type object struct {
	at, size int64
	kind     byte
	flags    byte
}

// With returns the entries that have a field, at most most of them, in no certain order. Entries
// that were read before an error are returned with it.
func With(src core.Source, field string, most int) (list []Entry, err error) {
	head, err := core.SourceSlice(src, 0, headSize)
	if err != nil || !bytes.Equal(head[:8], magic) {
		return nil, ErrNotJournal
	}
	r := &reader{src: src, steps: maxSteps, compact: binary.LittleEndian.Uint32(head[12:])&compactFile != 0}
	table, size := r.word(head[120:]), r.word(head[128:])
	data, err := r.field(table, size, field)
	if err != nil {
		return nil, err
	}
	seen := map[int64]bool{}
	for data != 0 && len(list) < most {
		next, at, err := r.dataEntries(data, most-len(list))
		for _, e := range at {
			if seen[e] {
				continue
			}
			seen[e] = true
			entry, bad := r.entry(e)
			if err = errors.Join(err, bad); bad == nil {
				list = append(list, entry)
			}
		}
		if err != nil {
			return list, err
		}
		data = next
	}
	return list, nil
}

// word returns a number that is an offset or a size in the file.
func (r *reader) word(b []byte) int64 {
	n := binary.LittleEndian.Uint64(b)
	if n > uint64(max(r.src.Size(), 0)) {
		return -1
	}
	return int64(n)
}

// object reads the head of the object at an offset, and more bytes of it.
func (r *reader) object(at int64, kind byte, more int) (o object, body []byte, err error) {
	if r.steps--; r.steps < 0 {
		return o, nil, errors.New("journal: the objects have no end")
	}
	bad := func(what string) error { return fmt.Errorf("journal: object at %#x: %s", at, what) }
	if at < headSize || at%8 != 0 {
		return o, nil, bad("no place of an object")
	}
	body, err = core.SourceSlice(r.src, at, objectSize+more)
	if err != nil {
		return o, nil, bad(err.Error())
	}
	o = object{at: at, kind: body[0], flags: body[1], size: r.word(body[8:])}
	switch {
	case o.kind != kind:
		return o, nil, bad(fmt.Sprintf("type %d, not %d", o.kind, kind))
	case o.size < int64(objectSize+more):
		return o, nil, bad("wrong size")
	}
	return o, body, nil
}

// field returns where the newest data of a field is; 0 if the file lacks the field.
func (r *reader) field(table, size int64, name string) (int64, error) {
	if table <= 0 || size <= 0 {
		return 0, nil
	}
	for b := int64(0); b+16 <= size; b += 16 {
		if r.steps--; r.steps < 0 {
			return 0, errors.New("journal: the hash table of fields is too large")
		}
		bucket, err := core.SourceSlice(r.src, table+b, 16)
		if err != nil {
			return 0, fmt.Errorf("journal: hash table of fields: %w", err)
		}
		for at := r.word(bucket); at != 0; {
			o, body, err := r.object(at, typeField, 24)
			if err != nil {
				return 0, err
			}
			next, data := r.word(body[24:]), r.word(body[32:])
			if o.size == int64(40+len(name)) {
				text, err := core.SourceSlice(r.src, at+40, len(name))
				if err != nil {
					return 0, fmt.Errorf("journal: field at %#x: %w", at, err)
				}
				if string(text) == name {
					return data, nil
				}
			}
			at = next
		}
	}
	return 0, nil
}

// dataEntries returns the next data of the same field, and where the entries of a data object are.
func (r *reader) dataEntries(data int64, most int) (next int64, at []int64, err error) {
	_, body, err := r.object(data, typeData, 48)
	if err != nil {
		return 0, nil, err
	}
	next = r.word(body[32:])
	if first := r.word(body[40:]); first != 0 {
		at = append(at, first)
	}
	wide := int64(8)
	if r.compact {
		wide = 4
	}
	for array := r.word(body[48:]); array != 0 && len(at) < most; {
		o, body, err := r.object(array, typeArray, 8)
		if err != nil {
			return next, at, err
		}
		n := min((o.size-24)/wide, int64(most-len(at)))
		items, err := core.SourceSlice(r.src, array+24, int(n*wide))
		if err != nil {
			return next, at, fmt.Errorf("journal: array at %#x: %w", array, err)
		}
		for ; len(items) > 0; items = items[wide:] {
			if e := r.item(items); e != 0 {
				at = append(at, e)
			}
		}
		array = r.word(body[16:])
	}
	return next, at, nil
}

// item returns an offset as compact files have it, or others.
func (r *reader) item(b []byte) int64 {
	if r.compact {
		return int64(binary.LittleEndian.Uint32(b))
	}
	return r.word(b)
}

// entry reads an entry with its data.
func (r *reader) entry(at int64) (Entry, error) {
	o, body, err := r.object(at, typeEntry, 48)
	if err != nil {
		return Entry{}, err
	}
	e := Entry{Fields: map[string]string{}, Time: time.UnixMicro(int64(min(binary.LittleEndian.Uint64(body[24:]),
		1<<60))).UTC()}
	wide := int64(16)
	if r.compact {
		wide = 4
	}
	items, err := core.SourceSlice(r.src, at+64, int(min((o.size-64)/wide, maxItems)*wide))
	if err != nil {
		return Entry{}, fmt.Errorf("journal: entry at %#x: %w", at, err)
	}
	for items = slices.Clone(items); len(items) > 0; items = items[wide:] {
		name, value, err := r.data(r.item(items))
		if err != nil {
			return Entry{}, err
		}
		if _, has := e.Fields[name]; !has && name != "" {
			e.Fields[name] = value
		}
	}
	return e, nil
}

// data returns the name and the value of a data object; "" for a compressed one.
func (r *reader) data(at int64) (name, value string, err error) {
	o, _, err := r.object(at, typeData, 48)
	if err != nil || o.flags != 0 {
		return "", "", err
	}
	head := int64(64)
	if r.compact {
		head = 72
	}
	if o.size < head {
		return "", "", fmt.Errorf("journal: data at %#x: wrong size", at)
	}
	text, err := core.SourceSlice(r.src, at+head, int(min(o.size-head, maxValue)))
	if err != nil {
		return "", "", fmt.Errorf("journal: data at %#x: %w", at, err)
	}
	name, value, _ = strings.Cut(string(text), "=")
	return name, value, nil
}
