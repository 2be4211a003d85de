package embedded

import (
	"bytes"

	"coredbg/core"
)

// maxSpan is a bound above the size of the code of all builtins, and maxLast above the size of one builtin, in
// bytes.
const (
	maxSpan = 16 << 20
	maxLast = 64 << 10
)

// called returns the embedded builtins that isolates call, and the start of each. IsolateData has a table with
// the address of each, builtin_entry_table_ (execution/isolate-data.h), over a thousand in a row. The only
// other table with as many addresses that begin as code does is, until V8 8, the heap's own jumps to them. The
// last builtin ends at the padding after it. Addresses in a second mapping of the image's file, which a process
// may run, become addresses in the first. A table of count addresses comes first, if their number is known.
func called(p *core.Process, m *core.Module, count int) (start, end core.Addr, starts []core.Addr) {
	var run, best entryRun
	EachWord(p.Space, p.Arch.Order, func(at core.Addr, w uint64) {
		if !run.takes(p, at, core.Addr(w)) {
			run = entryRun{}
			if !run.takes(p, at, core.Addr(w)) {
				return
			}
		}
		if run.better(&best, count) {
			best = run
		}
	})
	if best.n < FewestBuiltins {
		return 0, 0, nil
	}
	data := make([]byte, 8*best.n)
	if n, _ := p.Space.ReadAt(data, best.at); n < len(data) {
		return 0, 0, nil
	}
	starts = make([]core.Addr, best.n)
	for i := range starts {
		starts[i] = core.Addr(p.Arch.Order.Uint64(data[8*i:]))
	}
	end = padding(p.Space, best.code.end)
	if by := Home(p, m, best.code.start) - best.code.start; by != 0 {
		for i := range starts {
			starts[i] += by
		}
		return best.code.start + by, end + by, starts
	}
	return best.code.start, end, starts
}

// An entryRun is words in a row that are addresses of code which lies together.
type entryRun struct {
	at   core.Addr // of the first
	n    int
	code area // where the first and the last target begins
	// ofFile is set if the code belongs to a mapped file.
	ofFile bool
}

// better reports whether r is more likely than s the table of count builtins, of any number if that is 0.
func (r *entryRun) better(s *entryRun, count int) bool {
	switch {
	case count > 0 && (r.n == count) != (s.n == count):
		return r.n == count
	case r.n != s.n:
		return r.n > s.n
	}
	return r.ofFile && !s.ofFile
}

// takes adds the word w, at an address, if it is the next one.
func (r *entryRun) takes(p *core.Process, at, w core.Addr) bool {
	if r.n == maxBuiltins || w%builtinAlign != 0 || w < page || w>>47 != 0 || r.n > 0 && at != r.at+core.Addr(8*r.n) {
		return false
	}
	if r.n == 0 {
		mapped, _ := p.Mapping(w)
		r.at, r.code, r.ofFile = at, area{start: w, end: w}, mapped.Path != ""
	}
	code := area{start: min(r.code.start, w), end: max(r.code.end, w)}
	if code.end-code.start > maxSpan || !p.Executable(w) {
		return false
	}
	r.code = code
	r.n++
	return true
}

// Home returns where the image has the code that is at a in another mapping of its file; a if it is not in one.
func Home(p *core.Process, m *core.Module, a core.Addr) core.Addr {
	mapped, ok := p.Mapping(a)
	if !ok || mapped.Path != m.Path || a >= m.Start && a < m.End {
		return a
	}
	off := mapped.Off + uint64(a-mapped.Start)
	for _, part := range m.Parts {
		if part.Start >= m.Start && part.Start < m.End && part.Off <= off &&
			off-part.Off < uint64(part.End-part.Start) && p.Executable(part.Start) {
			return part.Start + core.Addr(off-part.Off)
		}
	}
	return a
}

// padding returns where the padding after the code at a begins: breakpoints up to where the
// next would.
func padding(s *core.Space, a core.Addr) core.Addr {
	code := make([]byte, maxLast)
	n, _ := Peek(s, code, a)
	if i := bytes.Index(code[:n], bytes.Repeat([]byte{paddingByte}, 8)); i > 0 {
		return a + core.Addr(i)
	}
	return a + 1
}
