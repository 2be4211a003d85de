package macho

import (
	"bytes"
	"fmt"

	"coredbg/core"
	"coredbg/core/macho/format"
)

// Flags of an exported symbol (mach-o/loader.h, EXPORT_SYMBOL_FLAGS_*).
const (
	ExportKindMask = 0x03
	ExportAbsolute = 0x02
	exportWeak     = 0x04
	ExportReexport = 0x08
	exportResolver = 0x10
)

// An Export is a symbol of an image's exports trie.
type Export struct {
	Name  []byte // with the underscore of C
	Flags uint64
	Value uint64 // distance from the image's start; absolute if the flags say so
	// For a re-export: the library, counted from 1 in the order of the load commands, and the name
	// there, nil if it is the same.
	Library  uint64
	Imported []byte
}

// A trie is the bytes of an exports trie. A node begins with the size of the data about the symbol that
// ends there, as ULEB128, and the data. Then follow the number of its children, and for each child the
// text of the edge and the offset of the node (dyld-1284, mach_o/ExportsTrie.cpp).
type trie []byte

// A trieNode is a node that was taken apart.
type trieNode struct {
	terminal []byte // the data about its symbol; empty if no symbol ends here
	children int
	edges    core.Buf
}

func (t trie) node(at uint64) (n trieNode, ok bool) {
	b := core.BufAt(t, at, nil)
	n.terminal = b.Bytes(b.ULEB())
	n.children = int(b.U8())
	n.edges = b
	return n, !b.Bad
}

// edge takes the next edge of a node.
func (n *trieNode) edge() (text []byte, to uint64, ok bool) {
	text = n.edges.CString()
	to = n.edges.ULEB()
	return text, to, !n.edges.Bad
}

// parseExport reads a node's data about its symbol.
func parseExport(name, b []byte) (e Export, ok bool) {
	r := core.Buf{Data: b}
	e = Export{Name: name, Flags: r.ULEB()}
	v := r.ULEB()
	if r.Bad {
		return e, false
	}
	if e.Flags&ExportReexport != 0 {
		e.Library = v
		if s := format.Text(r.Rest()); s != "" {
			e.Imported = []byte(s)
		}
		return e, true
	}
	e.Value = v
	return e, true
}

// maxExportBytes bounds the text of all names of a trie: nodes without an own end
// could make each name as long as the trie.
const maxExportBytes = 256 << 20

// walk calls yield for each export until it returns false. Every node is visited
// once, so that a trie whose nodes lead back to themselves ends; what a damaged
// node hides is lost, and the first such is the error.
func (t trie) walk(yield func(Export) bool) (err error) {
	type todo struct {
		at   uint64
		name []byte
	}
	if len(t) == 0 {
		return nil
	}
	bad := func(at uint64, what string) {
		if err == nil {
			err = &core.FormatError{Off: int64(at), Msg: "the exports trie " + what + ", its node is"}
		}
	}
	seen := make([]uint64, len(t)/64+1)
	stack := []todo{{}}
	total := 0
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at.at < uint64(len(t)) && seen[at.at/64]&(1<<(at.at%64)) != 0 {
			bad(at.at, "leads to a node twice")
			continue
		}
		n, ok := t.node(at.at)
		if !ok {
			bad(at.at, "leads out of itself")
			continue
		}
		seen[at.at/64] |= 1 << (at.at % 64)
		if len(n.terminal) > 0 {
			if e, ok := parseExport(at.name, n.terminal); !ok {
				bad(at.at, "has a symbol that is cut off")
			} else if !yield(e) {
				return err
			}
		}
		begin := len(stack)
		for range n.children {
			text, to, ok := n.edge()
			if !ok {
				bad(at.at, "has an edge that is cut off")
				break
			}
			name := append(at.name[:len(at.name):len(at.name)], text...)
			if total += len(name); total > maxExportBytes {
				return fmt.Errorf("the names of the exports trie exceed %d MiB", maxExportBytes>>20)
			}
			stack = append(stack, todo{to, name})
		}
		// The first child is to come first.
		for i, j := begin, len(stack)-1; i < j; i, j = i+1, j-1 {
			stack[i], stack[j] = stack[j], stack[i]
		}
	}
	return err
}

// find looks a name up. Apple's linker of 2020 writes edges without text, to the
// end of a name that others begin with; they are taken where nothing else fits.
func (t trie) find(name []byte) (Export, bool) {
	at, rest := uint64(0), name
	for range 2*len(name) + 2 {
		n, ok := t.node(at)
		if !ok {
			return Export{}, false
		}
		if len(rest) == 0 && len(n.terminal) > 0 {
			return parseExport(name, n.terminal)
		}
		next, taken := uint64(0), -1
		for range n.children {
			text, to, ok := n.edge()
			if !ok {
				break
			}
			if len(text) > taken && bytes.HasPrefix(rest, text) {
				next, taken = to, len(text)
			}
		}
		if taken < 0 {
			return Export{}, false
		}
		at, rest = next, rest[taken:]
	}
	return Export{}, false
}
