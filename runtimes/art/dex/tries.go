package dex

import (
	"fmt"

	"coredbg/core"
)

// A Try is a range of instructions with its exception handlers.
type Try struct {
	Start, End uint32 // dex pcs; End is exclusive
	Handlers   []Handler
}

// A Handler catches exceptions of a type; NoIndex catches all.
type Handler struct {
	Type uint32 // in type_ids
	PC   uint32 // dex pc of its code
}

// maxHandlers bounds the handlers of one try: they have distinct types, of
// which a file has no more.
const maxHandlers = 1 << 16

// Tries returns the try_items of a code item, which are after its instructions at a multiple of four bytes, and
// their handlers after them. On an error it returns the part read so far.
func (f *File) Tries(c *Code) ([]Try, error) {
	if c.TryCount == 0 {
		return nil, nil
	}
	at := (c.Insns + core.Addr(c.Units)*2).Align(4)
	handlers := at + core.Addr(c.TryCount)*8
	cur := f.cursor()
	var tries []Try
	for i := range c.TryCount {
		row := at + core.Addr(i)*8
		start, count, off := cur.U32(row), cur.U16(row+4), cur.U16(row+6)
		if err := cur.Err(); err != nil {
			return tries, fmt.Errorf("dex: try_item %d of the code item at %v: %w", i, c.Addr, err)
		}
		t := Try{Start: start, End: start + uint32(count)}
		var err error
		if t.Handlers, err = f.handlers(handlers + core.Addr(off)); err != nil {
			return tries, fmt.Errorf("dex: handlers of try_item %d of the code item at %v: %w", i, c.Addr, err)
		}
		tries = append(tries, t)
	}
	return tries, nil
}

// handlers reads an encoded_catch_handler: a number of pairs of type and
// address; if the number is not positive, its negation, and an address that
// catches all.
func (f *File) handlers(a core.Addr) ([]Handler, error) {
	s := f.stream(a)
	size := s.sleb()
	n := max(size, -size)
	if s.err == nil && (n < 0 || n > maxHandlers) {
		return nil, fmt.Errorf("at %v: %d handlers are more than a file has types", a, size)
	}
	var list []Handler
	for range n {
		h := Handler{Type: s.uleb(), PC: s.uleb()}
		if s.err != nil {
			break
		}
		list = append(list, h)
	}
	if size <= 0 && s.err == nil {
		list = append(list, Handler{Type: NoIndex, PC: s.uleb()})
	}
	return list, s.wrap("encoded_catch_handler")
}
