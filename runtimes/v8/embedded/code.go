package embedded

import "coredbg/core"

// Variables of V8 hold the addresses of the description and of the code (execution/isolate.cc:
// current_embedded_blob_code_, current_embedded_blob_data_ @ 9.1 to 15.0).

const (
	// mostHashes are the bytes before the entries: hashes of data, code and objects, 8 each, and fewer in old versions.
	mostHashes = 24
	// nearVariables is how far from each other the variables lie that hold the two
	// addresses and the two sizes, in bytes.
	nearVariables  = 64
	variablesChunk = 1 << 20
)

// code returns where the code begins that d describes.
func (d *description) code(p *core.Process, m *core.Module) (core.Addr, bool) {
	// Until V8 8.4 the code comes after its description.
	after := (d.first + core.Addr(len(d.entries)*d.width)).Align(builtinAlign)
	if p.Executable(after) {
		if ok, known := d.suits(p, after); ok && known {
			return after, true
		}
	}
	if at, ok := d.byVariables(p, m); ok {
		return at, true
	}
	return d.byPadding(p, m)
}

// byVariables finds the variable with the address of the description, and near it the variable with the code's
// address.
func (d *description) byVariables(p *core.Process, m *core.Module) (core.Addr, bool) {
	buf := make([]byte, variablesChunk)
	for _, r := range variableParts(m) {
		for at := r.start; at < r.end; {
			n, next := Peek(p.Space, buf[:min(r.end-at, variablesChunk)], at)
			for i := 0; i+8 <= n; i += 8 {
				hashes := d.first - core.Addr(p.Arch.Order.Uint64(buf[i:]))
				if hashes == 0 || hashes > mostHashes || hashes%8 != 0 {
					continue
				}
				if code, ok := d.near(p, m, at+core.Addr(i)); ok {
					return code, true
				}
			}
			if at += core.Addr(n); n < variablesChunk {
				at = max(next, at)
			}
		}
	}
	return 0, false
}

// near finds an address in the image's text among the words near a variable.
func (d *description) near(p *core.Process, m *core.Module, variable core.Addr) (core.Addr, bool) {
	c := p.Cursor()
	for at := variable - nearVariables; at <= variable+nearVariables; at += 8 {
		w := c.Pointer(at)
		if c.Err() != nil {
			return 0, false
		}
		if w%builtinAlign == 0 && w >= m.Start && w+d.size <= m.End && p.Executable(w) && p.Executable(w+d.size-1) {
			if ok, _ := d.suits(p, w); ok {
				return w, true
			}
		}
	}
	return 0, false
}
