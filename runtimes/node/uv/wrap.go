package uv

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// A Wrap is an object of JavaScript with the node::BaseObject that it stands
// for.
type Wrap struct {
	Object layout.Tagged
	Base   core.Addr
}

// Wraps returns the objects on the heap that Node's C++ objects belong to, in
// order of address.
func (r *Reader) Wraps(ctx context.Context) ([]Wrap, error) {
	list, err := r.frames.Receivers(ctx, r.objects.IsAPIObject)
	if err != nil {
		return nil, err
	}
	var out []Wrap
	for _, o := range list {
		if base, ok := r.BaseOf(o); ok {
			out = append(out, Wrap{o, base})
		}
	}
	return out, nil
}

// WrapOf returns the JSObject of the node::BaseObject at base, which each lead to the other.
func (r *Reader) WrapOf(base core.Addr) (layout.Tagged, bool) {
	o := r.held(base)
	if o&3 != 1 {
		return 0, false
	}
	if typ, ok := r.InstanceType(o); !ok || !r.objects.IsAPIObject(typ) {
		return 0, false
	}
	for at := range r.objects.InternalPointers(o) {
		if at == base {
			return o, true
		}
	}
	return 0, false
}

// handleIn finds the uv_handle_t of a HandleWrap: a word of the C++ object
// points to it, and its data to the wrap.
func (r *Reader) handleIn(base core.Addr) (core.Addr, bool) {
	for off := core.Addr(24); off < maxWrapBytes; off += 8 {
		w, ok := r.Word(base + off)
		if !ok {
			return 0, false
		}
		h := core.Addr(w)
		if h == 0 || h&7 != 0 {
			continue
		}
		data, ok1 := r.Word(h + core.Addr(r.uv.Handle.Data))
		loop, ok2 := r.Word(h + core.Addr(r.uv.Handle.Loop))
		typ, ok3 := r.U32(h + core.Addr(r.uv.Handle.Type))
		if !ok1 || !ok2 || !ok3 || core.Addr(data) != base || typ == 0 || int(typ) >= len(handleTypes) {
			continue
		}
		if _, ok := r.loopAsync(core.Addr(loop)); ok {
			return h, true
		}
	}
	return 0, false
}

// Requests returns the libuv requests under way that belong to objects of
// JavaScript. A ReqWrap that was dispatched holds a uv_req_t whose data is the
// wrap; before, and after it is done, data is null (src/req_wrap-inl.h).
func (r *Reader) Requests(ctx context.Context) ([]Request, error) {
	wraps, err := r.Wraps(ctx)
	if err != nil {
		return nil, err
	}
	var out []Request
	for _, w := range wraps {
		for off := core.Addr(24); off < maxWrapBytes; off += 8 {
			data, ok := r.Word(w.Base + off)
			if !ok {
				break
			}
			if core.Addr(data) != w.Base {
				continue
			}
			typ, ok := r.U32(w.Base + off + 8)
			if !ok || !r.isRequest(w.Base+off, typ) {
				continue
			}
			out = append(out, Request{Addr: w.Base + off, Type: reqTypes[typ], Wrap: w.Object,
				WrapClass: r.objects.Class(w.Object)})
			break
		}
	}
	return out, nil
}

// isRequest reports whether a uv_req_t of the given type is at a: after its
// 64 bytes is the loop, or the stream or socket that it is for
// (include/uv.h: uv_fs_t, uv_write_t and so on).
func (r *Reader) isRequest(a core.Addr, typ uint32) bool {
	if typ == 0 || int(typ) >= len(reqTypes) {
		return false
	}
	isLoop := func(off core.Addr) bool {
		w, ok := r.Word(a + off)
		if !ok || w&7 != 0 {
			return false
		}
		_, ok = r.loopAsync(core.Addr(w))
		return ok
	}
	switch reqTypes[typ] {
	case "work", "getaddrinfo", "getnameinfo", "random":
		return isLoop(64)
	case "fs":
		return isLoop(72)
	}
	for off := core.Addr(64); off <= 80; off += 8 {
		h, ok := r.Word(a + off)
		if !ok || h == 0 || h&7 != 0 {
			continue
		}
		if loop, ok := r.Word(core.Addr(h) + core.Addr(r.uv.Handle.Loop)); ok {
			if _, ok := r.loopAsync(core.Addr(loop)); ok {
				return true
			}
		}
	}
	return false
}

// OwnerOf returns the object that a wrap belongs to: the wrap itself if that is none other.
func (r *Reader) OwnerOf(w layout.Tagged) layout.Tagged {
	if owner := r.ownerOf(w); owner != 0 {
		return owner
	}
	return w
}

// ownerOf returns the object that a wrap belongs to: its property
// Symbol(owner_symbol), or owner before Node 10.
func (r *Reader) ownerOf(w layout.Tagged) layout.Tagged {
	const most = 64
	list, _, _ := r.objects.Properties(w, most)
	for _, p := range list {
		if (p.Symbol && (p.Name == "owner_symbol" || p.Name == "owner") || p.Key.String() == "owner") &&
			r.IsReceiver(p.Value.Word) {
			return p.Value.Word
		}
	}
	return 0
}

// CallbackName returns the name of the function at a, as C++ writes it; "" if
// no symbol covers it.
func (r *Reader) CallbackName(a core.Addr) string {
	if a == 0 {
		return ""
	}
	s, _, ok := r.Symbols.Lookup(a)
	if !ok {
		return ""
	}
	return r.Symbols.Demangle(s.Name, true)
}

// BaseOf returns the BaseObject of an object of JavaScript: one of the object's internal
// fields points to it, and its persistent_handle_ to a slot with the object (src/base_object.h).
func (r *Reader) BaseOf(o layout.Tagged) (core.Addr, bool) {
	for base := range r.objects.InternalPointers(o) {
		if r.held(base) == o {
			return base, true
		}
	}
	return 0, false
}

// held returns the word in the slot that the persistent_handle_ of a BaseObject points to, 0 if there is none.
func (r *Reader) held(base core.Addr) layout.Tagged {
	if base == 0 || base&7 != 0 {
		return 0
	}
	slot, ok := r.Word(base + core.Addr(r.uv.BaseObject.PersistentHandle))
	if !ok || slot == 0 || slot&7 != 0 {
		return 0
	}
	w, _ := r.Word(core.Addr(slot))
	return layout.Tagged(w)
}

// HandleOf returns the uv_handle_t that an object of JavaScript stands for.
func (r *Reader) HandleOf(o layout.Tagged) (core.Addr, bool) {
	base, ok := r.BaseOf(o)
	if !ok {
		return 0, false
	}
	return r.handleIn(base)
}

// Referenced reports whether the handle at an address keeps the event loop alive.
func (r *Reader) Referenced(h core.Addr) (value, ok bool) {
	flags, ok := r.U32(h + core.Addr(r.uv.Handle.Flags))
	return flags&uint32(r.uv.Flag.Ref) != 0, ok
}
