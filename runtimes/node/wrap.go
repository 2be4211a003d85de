package node

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// A wrap is an object of JavaScript with the node::BaseObject that it stands
// for.
type wrap struct {
	object layout.Tagged
	base   core.Addr
}

// wraps returns the objects on the heap that Node's C++ objects belong to, in
// order of address.
func (nr *Reader) wraps(ctx context.Context) ([]wrap, error) {
	list, err := nr.frames.Receivers(ctx, nr.objects.IsAPIObject)
	if err != nil {
		return nil, err
	}
	var out []wrap
	for _, o := range list {
		if base, ok := nr.baseOf(o); ok {
			out = append(out, wrap{o, base})
		}
	}
	return out, nil
}

// wrapOf returns the JSObject of the node::BaseObject at base, which each lead to the other.
func (nr *Reader) wrapOf(base core.Addr) (layout.Tagged, bool) {
	o := held(nr, base)
	if o&3 != 1 {
		return 0, false
	}
	if typ, ok := nr.InstanceType(o); !ok || !nr.objects.IsAPIObject(typ) {
		return 0, false
	}
	for at := range nr.objects.InternalPointers(o) {
		if at == base {
			return o, true
		}
	}
	return 0, false
}

// handleOf finds the uv_handle_t of a HandleWrap: a word of the C++ object
// points to it, and its data to the wrap.
func (nr *Reader) handleOf(base core.Addr) (core.Addr, bool) {
	for off := core.Addr(24); off < maxWrapBytes; off += 8 {
		w, ok := nr.Word(base + off)
		if !ok {
			return 0, false
		}
		h := core.Addr(w)
		if h == 0 || h&7 != 0 {
			continue
		}
		data, ok1 := nr.Word(h + core.Addr(nr.uv.Handle.Data))
		loop, ok2 := nr.Word(h + core.Addr(nr.uv.Handle.Loop))
		typ, ok3 := nr.U32(h + core.Addr(nr.uv.Handle.Type))
		if !ok1 || !ok2 || !ok3 || core.Addr(data) != base || typ == 0 || int(typ) >= len(handleTypes) {
			continue
		}
		if _, ok := nr.loopAsync(core.Addr(loop)); ok {
			return h, true
		}
	}
	return 0, false
}

// Requests returns the libuv requests under way that belong to objects of
// JavaScript. A ReqWrap that was dispatched holds a uv_req_t whose data is the
// wrap; before, and after it is done, data is null (src/req_wrap-inl.h).
func (nr *Reader) Requests(ctx context.Context) ([]Request, error) {
	wraps, err := nr.wraps(ctx)
	if err != nil {
		return nil, err
	}
	var out []Request
	for _, w := range wraps {
		for off := core.Addr(24); off < maxWrapBytes; off += 8 {
			data, ok := nr.Word(w.base + off)
			if !ok {
				break
			}
			if core.Addr(data) != w.base {
				continue
			}
			typ, ok := nr.U32(w.base + off + 8)
			if !ok || !nr.isRequest(w.base+off, typ) {
				continue
			}
			out = append(out, Request{Addr: w.base + off, Type: reqTypes[typ], Wrap: w.object, WrapClass: nr.objects.Class(w.object)})
			break
		}
	}
	return out, nil
}

// isRequest reports whether a uv_req_t of the given type is at a: after its
// 64 bytes is the loop, or the stream or socket that it is for
// (include/uv.h: uv_fs_t, uv_write_t and so on).
func (nr *Reader) isRequest(a core.Addr, typ uint32) bool {
	if typ == 0 || int(typ) >= len(reqTypes) {
		return false
	}
	isLoop := func(off core.Addr) bool {
		w, ok := nr.Word(a + off)
		if !ok || w&7 != 0 {
			return false
		}
		_, ok = nr.loopAsync(core.Addr(w))
		return ok
	}
	switch reqTypes[typ] {
	case "work", "getaddrinfo", "getnameinfo", "random":
		return isLoop(64)
	case "fs":
		return isLoop(72)
	}
	for off := core.Addr(64); off <= 80; off += 8 {
		h, ok := nr.Word(a + off)
		if !ok || h == 0 || h&7 != 0 {
			continue
		}
		if loop, ok := nr.Word(core.Addr(h) + core.Addr(nr.uv.Handle.Loop)); ok {
			if _, ok := nr.loopAsync(core.Addr(loop)); ok {
				return true
			}
		}
	}
	return false
}

// ownerOf returns the object that a wrap belongs to: its property
// Symbol(owner_symbol), or owner before Node 10.
func (nr *Reader) ownerOf(w layout.Tagged) layout.Tagged {
	const most = 64
	list, _, _ := nr.objects.Properties(w, most)
	for _, p := range list {
		if (p.Symbol && (p.Name == "owner_symbol" || p.Name == "owner") || p.Key.String() == "owner") && nr.IsReceiver(p.Value.Word) {
			return p.Value.Word
		}
	}
	return 0
}

// CallbackName returns the name of the function at a, as C++ writes it; "" if
// no symbol covers it.
func (nr *Reader) CallbackName(a core.Addr) string {
	if a == 0 {
		return ""
	}
	s, _, ok := nr.Symbols.Lookup(a)
	if !ok {
		return ""
	}
	return nr.Symbols.Demangle(s.Name, true)
}
