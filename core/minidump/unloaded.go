package minidump

import (
	"fmt"

	"coredbg/core"
)

// maxUnloaded bounds the unloaded modules; Windows remembers 64.
const maxUnloaded = 1 << 12

// unloaded reads UnloadedModuleList (MINIDUMP_UNLOADED_MODULE_LIST, minidumpapiset.h): the images
// that the system has unloaded of late.
func unloaded(in *reader) {
	s, ok := in.find(unloadedList)
	if !ok {
		return
	}
	d := in.data(s)
	const header, entry = 12, 24
	if len(d) < header {
		in.warn(s.name(), uint64(s.loc.rva), "%d bytes, too few for a header,", len(d))
		return
	}
	head, size, count := le.Uint32(d), le.Uint32(d[4:]), uint64(le.Uint32(d[8:]))
	if head < header || uint64(head) > uint64(len(d)) || size < entry || size > 1<<16 {
		in.warn(s.name(), uint64(s.loc.rva), "a header of %d and entries of %d bytes,", head, size)
		return
	}
	if count > maxUnloaded {
		in.p.Warn(s.name(), fmt.Sprintf("only %d of %d unloaded modules are read", maxUnloaded, count))
		count = maxUnloaded
	}
	for _, e := range in.entries(s, d[head:], count, int(size)) {
		m := core.Unloaded{Path: in.utf16At(uint64(le.Uint32(e[20:])), s.name()), Start: in.addr(le.Uint64(e))}
		if m.End = m.Start + core.Addr(le.Uint32(e[8:])); m.End > m.Start {
			in.p.Unloaded = append(in.p.Unloaded, m)
		}
	}
}
