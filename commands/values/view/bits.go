package view

import (
	"encoding/binary"
	"errors"
	"strconv"

	"coredbg/core"
	"coredbg/core/dwarf"
)

// bitsOf shows truth values that are bits of words, the least significant first. The words begin at the target
// of "begin", or are its value. Their number is the bits before "end" and "rest" more, or "len" (libstdc++,
// bits/stl_bvector.h, bitset).
func (w *Leaf) bitsOf(c *container, limit int64) *Node {
	begin, word, err := c.words()
	var count uint64
	if err == nil && c.paths["len"] != nil {
		count, err = c.number("len")
	} else if err == nil {
		end, err1 := c.number("end")
		rest, err2 := c.number("rest")
		if err = errors.Join(err1, err2); err == nil &&
			(end < uint64(begin) || end-uint64(begin) > maxLength/8 || rest > 64) {
			return w.unknownNode(c.n, errors.New("its end is before its beginning"))
		}
		count = (end-uint64(begin))*8 + rest
	}
	switch {
	case errors.Is(err, errNoPart):
		return nil
	case err != nil:
		return w.unknownNode(c.n, err)
	case count > maxLength:
		return w.unknownNode(c.n, errLength)
	}
	n := c.n
	n.Kind = Array
	f := c.v.Frame()
	for i := range min(int64(count), limit) {
		b, err := core.ReadBytes(f.Mem, begin+core.Addr(i/(8*word)*word), uint64(word))
		if err != nil {
			n.List = append(n.List, w.unknownNode(&Node{}, err))
			return n
		}
		at := i / 8 % word
		if f.Arch.Order == binary.BigEndian {
			at = word - 1 - at
		}
		set := b[at]>>(i%8)&1 != 0
		n.List = append(n.List, &Node{Text: strconv.FormatBool(set), JSON: set})
	}
	n.More = int64(count) - int64(len(n.List))
	return n
}

// words returns where the words of bits are, and the size of one.
func (c *container) words() (at core.Addr, size int64, err error) {
	v, ok := c.part("begin")
	if !ok {
		return 0, 0, errNoPart
	}
	t := v.Type.Strip()
	switch t.Kind {
	case dwarf.Pointer:
		at, err = v.Pointer()
		t = t.Elem()
	case dwarf.Array:
		t = t.Elem()
		fallthrough
	default:
		if at, ok = v.Addr(); !ok {
			return 0, 0, errNoPart
		}
	}
	size, ok = t.Size()
	if !ok || size < 1 || size > 16 {
		return 0, 0, errNoPart
	}
	return at, size, err
}
