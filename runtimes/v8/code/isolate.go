package code

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// Program header types and auxiliary vector entries; elf.h.
const (
	ptTLS   = 7
	auxPhdr = 3
	auxPhnm = 5
)

// Isolate returns the address of the isolate that the thread has entered: the
// value of V8's thread-local variable, or from Isolate::isolate_key_ before
// V8 11. It fails if the image has no symbol for either.
func (r *Reader) Isolate(t *core.Thread) (core.Addr, bool) {
	if t.TLS == 0 {
		return 0, false
	}
	var at core.Addr
	if s, ok := r.Symbols.Find(r.Image.Module.Path, layout.SymIsolate); ok && s.Kind == core.SymTLS {
		block, ok := r.tlsBlock(t)
		if !ok {
			return 0, false
		}
		at = block + s.Addr
	} else if at, ok = r.threadSpecific(t); !ok {
		return 0, false
	}
	w, ok := r.Word(at)
	return core.Addr(w), ok && w != 0 && w&7 == 0
}

// tlsBlock returns where the thread's copy of the executable's thread-local
// storage begins: below the thread pointer on x86-64 (variant II of "ELF
// Handling For Thread-Local Storage"), 16 bytes after it on aarch64.
func (r *Reader) tlsBlock(t *core.Thread) (core.Addr, bool) {
	if !r.Image.Module.Exe {
		return 0, false
	}
	phdr, ok1 := r.Process.AuxValue(auxPhdr)
	count, ok2 := r.Process.AuxValue(auxPhnm)
	if !ok1 || !ok2 {
		return 0, false
	}
	for i := range min(count, 128) {
		at := core.Addr(phdr + 56*i)
		typ, ok := r.U32(at)
		if !ok {
			return 0, false
		}
		if typ != ptTLS {
			continue
		}
		size, ok1 := r.Word(at + 40)
		align, ok2 := r.Word(at + 48)
		if !ok1 || !ok2 || align > 1<<20 || align&(align-1) != 0 {
			return 0, false
		}
		align = max(align, 1)
		if r.Process.Arch == core.ARM64 {
			return t.TLS + core.Addr(16).Align(align), true
		}
		return t.TLS - core.Addr(size).Align(align), true
	}
	return 0, false
}

// threadSpecific returns where glibc keeps the thread's value for
// Isolate::isolate_key_: in the first block of struct pthread, which has room
// for 32 keys of 16 bytes and a pointer to it after that (nptl/descr.h, x86-64). It fails with
// another C library.
func (r *Reader) threadSpecific(t *core.Thread) (core.Addr, bool) {
	const specific1stBlock, keys, specific = 0x310, 32, 0x510
	if r.Process.Arch != core.AMD64 {
		return 0, false
	}
	s, ok := r.Symbols.Find(r.Image.Module.Path, layout.SymIsolateKey)
	if !ok {
		return 0, false
	}
	first, _ := r.Word(t.TLS + specific)
	key, ok := r.U32(s.Addr)
	if !ok || key >= keys || core.Addr(first) != t.TLS+specific1stBlock {
		return 0, false
	}
	return t.TLS + specific1stBlock + 16*core.Addr(key) + 8, true
}

// MaxIsolate bounds the size of an Isolate in bytes.
const MaxIsolate = 0x40000
