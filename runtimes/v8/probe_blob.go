package v8

import (
	"bytes"
	"encoding/binary"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
)

// The embedded builtins of a stripped image are found by what describes them: among the
// constants, after three hashes, there is an entry for each builtin, and variables of V8
// hold the addresses of that description and of the code. Source:
// snapshot/embedded/embedded-data.h (EmbeddedData::LayoutDescription), execution/isolate.cc
// (current_embedded_blob_code_, current_embedded_blob_data_) @ 15.0; the same since 9.1.

const (
	// builtinEntry are the bytes of an entry: where its instructions begin in the code,
	// how many bytes they have, and where its metadata begins, 4 bytes each.
	builtinEntry = 12
	// builtinAlign is what instructions begin at a multiple of: kCodeAlignment of any target.
	builtinAlign = 32
	// blobHashes are the bytes before the entries: hashes of data, code and objects.
	blobHashes = 24
	// fewestBuiltins is less than any version has: V8 9.1 has over 1,500.
	fewestBuiltins = 1000
	maxBuiltins    = 1 << 14
	maxBuiltin     = 1 << 20 // bytes of one
	// nearVariables is how far from each other the variables lie that hold the two
	// addresses and the two sizes, in bytes.
	nearVariables = 64
	blobChunk     = 1 << 20
)

// blobCode returns where the embedded builtins of an image are in the process, as its own
// variables say; nothing if what describes them is not there.
func (u *Undecoded) blobCode(t runtimes.Target) layout.Area {
	return u.blobBy(t, func(first, size core.Addr) (core.Addr, bool) { return u.blobStart(t, first-blobHashes, size) })
}

// blobBy returns where the embedded builtins of an image are, given what finds the start of
// code of a size by the description of its first builtin.
func (u *Undecoded) blobBy(t runtimes.Target, find func(first, size core.Addr) (core.Addr, bool)) (blob layout.Area) {
	order := t.Process.Arch.Order
	eachConstant(t, u.module, func(at core.Addr, data []byte) {
		for i := 0; i+2*builtinEntry <= len(data) && blob.End == 0; i += 4 {
			// Metadata of the first builtin is the first.
			if order.Uint32(data[i+8:]) != 0 || !beginsBuiltins(order, data[i:]) {
				continue
			}
			first := at + core.Addr(i)
			if size := codeSize(t.Process.Space, order, first); size > 0 {
				if start, ok := find(first, size); ok {
					blob = layout.Area{Start: start, End: start + size}
				}
			}
		}
	})
	return blob
}

// beginsBuiltins reports whether the first two entries may be those of builtins.
func beginsBuiltins(order binary.ByteOrder, b []byte) bool {
	for range 2 {
		if at, n := order.Uint32(b), order.Uint32(b[4:]); at%builtinAlign != 0 || n == 0 || n > maxBuiltin {
			return false
		}
		b = b[builtinEntry:]
	}
	return true
}

// codeSize returns the bytes of the code that the entries at first describe, 0 if they are
// none of builtins: their instructions do not overlap what the code can have, and their
// metadata is in their own order.
func codeSize(s *core.Space, order binary.ByteOrder, first core.Addr) core.Addr {
	buf := make([]byte, maxBuiltins*builtinEntry)
	n, _ := peek(s, buf, first)
	count, end, total := 0, core.Addr(0), core.Addr(0)
	metadata := uint32(0)
	for b := buf[:n]; len(b) >= builtinEntry; b = b[builtinEntry:] {
		at, n, own := order.Uint32(b), order.Uint32(b[4:]), order.Uint32(b[8:])
		if at%builtinAlign != 0 || n == 0 || n > maxBuiltin || own < metadata || own-metadata > maxBuiltin {
			break
		}
		metadata = own
		end = max(end, core.Addr(at)+core.Addr(n))
		total += core.Addr(n)
		count++
	}
	if count < fewestBuiltins || total > end || end > 2*total {
		return 0
	}
	_, _ = s.ReadAt(make([]byte, count*builtinEntry), first) // a copy of the process is to have it
	return end
}

// blobStart finds the variable with the address of the description, and near it the one
// with that of the code.
func (u *Undecoded) blobStart(t runtimes.Target, description, size core.Addr) (core.Addr, bool) {
	p := t.Process
	buf := make([]byte, blobChunk)
	for _, r := range variableParts(u.module) {
		for at := r.Start; at < r.End; {
			n, next := peek(p.Space, buf[:min(r.End-at, blobChunk)], at)
			for i := 0; i+8 <= n; i += 8 {
				if core.Addr(p.Arch.Order.Uint64(buf[i:])) != description {
					continue
				}
				if code, ok := u.codeNear(t, at+core.Addr(i), size); ok {
					return code, true
				}
			}
			if at += core.Addr(n); n < blobChunk {
				at = max(next, at)
			}
		}
	}
	return 0, false
}

// codeNear finds an address in the image's text among the words near a variable.
func (u *Undecoded) codeNear(t runtimes.Target, variable, size core.Addr) (core.Addr, bool) {
	c := t.Process.Cursor()
	for at := variable - nearVariables; at <= variable+nearVariables; at += 8 {
		w := c.Pointer(at)
		if c.Err() != nil {
			return 0, false
		}
		if w%builtinAlign == 0 && w >= u.module.Start && w+size <= u.module.End && t.Process.Executable(w) && t.Process.Executable(w+size-1) {
			return w, true
		}
	}
	return 0, false
}

// variableParts returns where the image has bytes that can be written, those that begin
// as zero among them.
func variableParts(m *core.Module) []layout.Area {
	var out []layout.Area
	if img := m.Facts().Image; img != nil && m.Facts().BiasKnown {
		for _, s := range img.Segments() {
			if s.Prot&core.Write != 0 {
				start := core.Addr(s.Addr) + m.Facts().Bias
				out = append(out, layout.Area{Start: start.Align(8), End: start + core.Addr(min(s.MemSize, maxVariables))})
			}
		}
	}
	return out
}

// maxVariables is more than the bytes of any image that can be written.
const maxVariables = 1 << 30

// maxBuiltinsSpan is more than the code of all builtins has, and maxLastBuiltin than that of
// one, in bytes.
const (
	maxBuiltinsSpan = 16 << 20
	maxLastBuiltin  = 64 << 10
)

// builtins returns where the embedded builtins are that isolates call: IsolateData has a
// table with the address of each, builtin_entry_table_ (execution/isolate-data.h), over a
// thousand in a row, and nothing else has as many that begin as code does. The last
// builtin ends at the padding after it.
func (x *heapProbe) builtins(p *core.Process) (layout.Area, bool) {
	var run, best entryRun
	x.eachWord(func(at core.Addr, w uint64) {
		if !run.takes(p, at, core.Addr(w)) {
			run = entryRun{}
			if !run.takes(p, at, core.Addr(w)) {
				return
			}
		}
		if run.n > best.n {
			best = run
		}
	})
	if best.n < fewestBuiltins {
		return layout.Area{}, false
	}
	_, _ = x.space.ReadAt(make([]byte, 8*best.n), best.at) // a copy of the process is to have it
	return layout.Area{Start: best.code.Start, End: x.padding(best.code.End)}, true
}

// An entryRun is words in a row that are addresses of code which lies together.
type entryRun struct {
	at   core.Addr // of the first
	n    int
	code layout.Area // where the first and the last of what they lead to begin
}

// takes adds the word w, at an address, if it is the next one.
func (r *entryRun) takes(p *core.Process, at, w core.Addr) bool {
	if r.n == maxBuiltins || w%builtinAlign != 0 || w < layout.PageSize || w>>47 != 0 || r.n > 0 && at != r.at+core.Addr(8*r.n) {
		return false
	}
	if r.n == 0 {
		r.at, r.code = at, layout.Area{Start: w, End: w}
	}
	code := layout.Area{Start: min(r.code.Start, w), End: max(r.code.End, w)}
	if code.End-code.Start > maxBuiltinsSpan || !p.Executable(w) {
		return false
	}
	r.code = code
	r.n++
	return true
}

// padding returns where the padding after the code at a begins: breakpoints up to where the
// next would.
func (x *heapProbe) padding(a core.Addr) core.Addr {
	code := make([]byte, maxLastBuiltin)
	n, _ := peek(x.space, code, a)
	if i := bytes.Index(code[:n], bytes.Repeat([]byte{0xcc}, 8)); i > 0 {
		return a + core.Addr(i)
	}
	return a + 1
}
