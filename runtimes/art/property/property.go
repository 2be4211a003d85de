// Package property reads Android's system properties out of a process' memory.
//
// Every process maps the property areas, files in /dev/__properties__: a header
// and a trie of names, whose nodes lead to a prop_info each, with the value.
//
// Sources: bionic's libc/system_properties/include (prop_area.h, prop_info.h),
// the same since Android 8.
//
// LIMITATIONS: areas are files that processes share, which a core has only if
// it was dumped with the pages of those (bit 3 of coredump_filter).
package property

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
)

// A Property is one of Android's system properties, as the process saw it.
type Property struct {
	Name, Value string
	Addr        core.Addr // of its prop_info
	// Area is the file that it was mapped from: "/dev/__properties__/…"; ""
	// if the core does not have it.
	Area string
}

// The property areas: a header {bytes_used, serial, magic, version, 28 words}, then a trie. Each node {namelen,
// prop, left, right, children, name} has a binary tree of its siblings; offsets count from the header's end. A
// prop_info is {serial, value[92], name}; with bit 16 of the serial set the value is elsewhere, at the offset
// in word 14 of value.
const (
	propMagic     = 0x504f5250
	propVersion   = 0xfc6ed0ab
	propHeader    = 128
	propNode      = 20
	propValue     = 92
	propLong      = 1 << 16
	propLongOff   = 4 + 56
	maxPropArea   = 16 << 20
	maxPropNodes  = 1 << 20
	maxPropName   = 1 << 10
	maxPropText   = 1 << 16
	propDirectory = "/dev/__properties__/"
)

// Read returns the system properties in a process' memory, sorted by name.
// The core must have been dumped with the pages of files that are shared; areas
// that are mapped and not there are named in problems.
func Read(p *core.Process) (props []Property, problems []string) {
	seen := map[string]bool{}
	for _, m := range p.Mappings {
		named := strings.HasPrefix(m.Path, propDirectory)
		if !named && m.Path != "" {
			continue // some other file
		}
		head, err := p.Space.Slice(m.Start, 16)
		switch {
		case err != nil && named:
			problems = append(problems, fmt.Sprintf("%s: %v", m.Path, err))
			continue
		case err != nil || m.End-m.Start < propHeader || m.End-m.Start > maxPropArea ||
			binary.LittleEndian.Uint32(head[8:]) != propMagic || binary.LittleEndian.Uint32(head[12:]) != propVersion:
			continue
		}
		r := area{mem: p.Space, base: m.Start + propHeader, size: uint64(m.End-m.Start) - propHeader, name: m.Path}
		if err := r.read(); err != nil {
			problems = append(problems, err.Error())
		}
		for _, x := range r.found {
			if !seen[x.Name] {
				seen[x.Name] = true
				props = append(props, x)
			}
		}
	}
	slices.SortFunc(props, func(x, y Property) int { return cmp.Compare(x.Name, y.Name) })
	return props, problems
}

// Fingerprint returns the fingerprint of the Android build that a process ran on,
// "brand/product/device:release/id/incremental:type/tags"; "" if the core does
// not have it.
func Fingerprint(p *core.Process) string {
	props, _ := Read(p)
	for _, p := range props {
		if p.Name == "ro.build.fingerprint" {
			return p.Value
		}
	}
	return ""
}

// A area is one area, as it is read.
type area struct {
	mem   *core.Space
	base  core.Addr
	size  uint64
	name  string
	found []Property
}

// read goes through the trie. Each node has a name, and the names on the way to
// it come first, with dots.
func (a *area) read() error {
	type step struct {
		node   uint32
		prefix string
	}
	todo := []step{{0, ""}}
	seen := map[uint32]bool{}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[s.node] {
			return fmt.Errorf("property area %s: node %#x is met again", a.label(), s.node)
		}
		if seen[s.node] = true; len(seen) > maxPropNodes {
			return fmt.Errorf("property area %s has too many nodes", a.label())
		}
		b, err := a.bytes(s.node, propNode)
		if err != nil {
			return err
		}
		word := func(i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }
		name, err := a.text(s.node+propNode, word(0), maxPropName)
		if err != nil {
			return err
		}
		full := s.prefix + name
		if at := word(1); at != 0 {
			if err := a.property(at); err != nil {
				return err
			}
		}
		// Siblings by the tree, then what hangs below; the root has no name.
		for i := 2; i <= 3; i++ {
			if n := word(i); n != 0 {
				todo = append(todo, step{n, s.prefix})
			}
		}
		if n := word(4); n != 0 {
			below := full
			if below != "" {
				below += "."
			}
			todo = append(todo, step{n, below})
		}
	}
	return nil
}

// property reads a prop_info.
func (a *area) property(at uint32) error {
	b, err := a.bytes(at, 4+propValue)
	if err != nil {
		return err
	}
	name, err := a.cstring(at+4+propValue, maxPropName)
	if err != nil {
		return err
	}
	value, _, _ := strings.Cut(string(b[4:]), "\x00")
	if serial := binary.LittleEndian.Uint32(b); serial&propLong != 0 {
		if value, err = a.cstring(at+binary.LittleEndian.Uint32(b[propLongOff:]), maxPropText); err != nil {
			return err
		}
	}
	a.found = append(a.found, Property{Name: name, Value: value, Addr: a.base + core.Addr(at), Area: a.name})
	return nil
}

func (a *area) label() string {
	if a.name != "" {
		return a.name
	}
	return "at " + (a.base - propHeader).String()
}

// bytes returns n bytes of the area.
func (a *area) bytes(at, n uint32) ([]byte, error) {
	if uint64(at)+uint64(n) > a.size {
		return nil, fmt.Errorf("property area %s: offset %#x is outside it", a.label(), at)
	}
	b, err := a.mem.Slice(a.base+core.Addr(at), int(n))
	if err != nil {
		return nil, fmt.Errorf("property area %s: %w", a.label(), err)
	}
	return b, nil
}

func (a *area) text(at, n, max uint32) (string, error) {
	if n > max {
		return "", fmt.Errorf("property area %s: a name of %d bytes at %#x", a.label(), n, at)
	}
	b, err := a.bytes(at, n)
	return string(b), err
}

func (a *area) cstring(at, max uint32) (string, error) {
	if uint64(at) >= a.size {
		return "", fmt.Errorf("property area %s: offset %#x is outside it", a.label(), at)
	}
	s, err := core.CString(a.mem, a.base+core.Addr(at), int(min(uint64(max), a.size-uint64(at))))
	if err != nil {
		return "", fmt.Errorf("property area %s: %w", a.label(), err)
	}
	return s, nil
}
