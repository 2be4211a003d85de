package deno

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// A rustMemory reads what Rust keeps, whose structs have no fixed layout.
type rustMemory struct{ *layout.Memory }

// image reports whether an address is in the image that contains V8.
func (dr *rustMemory) image(a core.Addr) bool {
	m := dr.Image.Module
	return m != nil && a >= m.Start && a < m.End
}

// str reads a &'static str: the address of its bytes in the image, and how many there are.
func (dr *rustMemory) str(at core.Addr) (string, bool) {
	p, ok1 := dr.Word(at)
	n, ok2 := dr.Word(at + 8)
	if !ok1 || !ok2 || n == 0 || n > maxOpName || !dr.image(core.Addr(p)) {
		return "", false
	}
	b := make([]byte, n)
	if !dr.Bytes(b, core.Addr(p)) {
		return "", false
	}
	return string(b), true
}

// text reads the bytes of a name.
func (dr *rustMemory) text(p core.Addr, n uint64) (string, bool) {
	if n == 0 || n > maxOpName {
		return "", false
	}
	b := make([]byte, n)
	if !dr.Bytes(b, p) {
		return "", false
	}
	for _, c := range b {
		if c < ' ' || c > '~' {
			return "", false
		}
	}
	return string(b), true
}

// eachFatPointer calls visit for each two words in writable memory that may be a pointer to an
// object of Rust and one to a table of methods in the image.
func (dr *rustMemory) eachFatPointer(ctx context.Context, visit func(data, table core.Addr)) {
	for _, s := range dr.Space.Segments() {
		if s.Prot != core.Read|core.Write || s.Kind != core.SegCore {
			continue
		}
		for at := s.Start.Align(8); at+16 <= s.End; {
			if ctx.Err() != nil {
				return
			}
			if at = s.NextData(at) &^ 7; at+16 > s.End {
				break
			}
			w, err := dr.Space.Window(at)
			if err != nil {
				break
			}
			w = w[:min(len(w), int(s.End-at))]
			if len(w) < 16 {
				break
			}
			for i := 0; i+16 <= len(w); i += 8 {
				table := core.Addr(dr.Order.Uint64(w[i+8:]))
				data := core.Addr(dr.Order.Uint64(w[i:]))
				if table&7 == 0 && dr.image(table) && data&7 == 0 && data >= core.TracePage && !dr.image(data) {
					visit(data, table)
				}
			}
			at += core.Addr((len(w) - 8) &^ 7)
		}
	}
}

// methodsOf returns the methods of a table that is one of Rust's: after the function that drops
// an object, which may be null, come its size and its alignment.
func (dr *rustMemory) methodsOf(table core.Addr) (list []core.Addr) {
	drop, ok1 := dr.Word(table)
	size, ok2 := dr.Word(table + 8)
	align, ok3 := dr.Word(table + 16)
	if !ok1 || !ok2 || !ok3 || drop != 0 && !dr.Process.Executable(core.Addr(drop)) || size > maxFuture ||
		align == 0 || align > core.TracePage || align&(align-1) != 0 || size%align != 0 {
		return nil
	}
	for i := range maxMethods {
		fn, ok := dr.Word(table + core.Addr(8*(tableHeader+i)))
		if !ok || fn == 0 || !dr.Process.Executable(core.Addr(fn)) {
			break
		}
		list = append(list, core.Addr(fn))
	}
	return list
}
