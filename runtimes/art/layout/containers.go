package layout

import (
	"fmt"

	"coredbg/core"
)

// StdString reads a std::string of at most max bytes. libstdc++ keeps {data,
// size, capacity}; libc++ {capacity, size, data} with bit 0 of the first byte
// set, or in that byte twice the size, with the text after it.
func (m *Memory) StdString(at core.Addr, lib Library, max int) (string, bool) {
	word := core.Addr(m.PtrSize)
	data, size := core.Addr(0), uint64(0)
	var ok1, ok2 bool
	if lib == LibStdCxx {
		data, ok1 = m.Pointer(at)
		size, ok2 = m.Word(at + word)
	} else {
		first, ok := m.U8(at)
		if !ok {
			return "", false
		}
		if first&1 == 0 {
			data, size, ok1, ok2 = at+1, uint64(first>>1), true, uint64(first>>1) < 3*uint64(word)-1
		} else {
			size, ok1 = m.Word(at + word)
			data, ok2 = m.Pointer(at + 2*word)
		}
	}
	if !ok1 || !ok2 || size > uint64(max) {
		return "", false
	}
	b, ok := m.Bytes(data, int(size))
	return string(b), ok || size == 0
}

// Vector reads a std::vector of at most limit pointers.
func (m *Memory) Vector(at core.Addr, limit int) []core.Addr {
	begin, ok1 := m.Pointer(at)
	end, ok2 := m.Pointer(at + core.Addr(m.PtrSize))
	if !ok1 || !ok2 || end < begin {
		return nil
	}
	var out []core.Addr
	for n := min(uint64(end-begin)/uint64(m.PtrSize), uint64(limit)); n > 0; n-- {
		p, ok := m.Pointer(begin)
		if !ok {
			break
		}
		out = append(out, p)
		begin += core.Addr(m.PtrSize)
	}
	return out
}

// maxMapNodes bounds the nodes of a std::map.
const maxMapNodes = 1 << 20

// EachNode calls visit with the address of each value of a std::map, in no
// order. libstdc++: {compare, color, root, leftmost, rightmost, size}, nodes
// {color, parent, left, right, value}. libc++: {leftmost, root, size}, nodes
// {left, right, parent, color, value}.
func (m *Memory) EachNode(at core.Addr, visit func(value core.Addr)) error {
	word := core.Addr(m.PtrSize)
	root, left, right := at+word, core.Addr(0), word
	if m.Layout.Library == LibStdCxx {
		root, left, right = at+2*word, 2*word, 3*word
	}
	top, ok := m.Pointer(root)
	if !ok {
		return fmt.Errorf("art: the map at %v cannot be read", at)
	}
	seen := map[core.Addr]bool{}
	for stack := []core.Addr{top}; len(stack) > 0; {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n == 0 {
			continue
		}
		l, ok1 := m.Pointer(n + left)
		r, ok2 := m.Pointer(n + right)
		if !ok1 || !ok2 || seen[n] || len(seen) == maxMapNodes {
			return fmt.Errorf("art: the map at %v breaks off after %d entries", at, len(seen))
		}
		seen[n] = true
		visit(n + 4*word)
		stack = append(stack, l, r)
	}
	return nil
}
