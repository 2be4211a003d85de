package tls

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/elf"
)

// A library is an image with a thread-local segment and words for its block.
type library struct{ words []elf.TLSWord }

func (library) Path() string                                    { return "/lib/libgd.so" }
func (library) Section(string) (core.Section, error)            { return core.Section{}, core.ErrNoSection }
func (library) Segments() []core.ImageSegment                   { return nil }
func (library) Symbols(bool, func(core.ImageSymbol) bool) error { return nil }
func (library) TLS() (addr, size, align uint64, ok bool)        { return 0x3dd8, 0x80, 8, true }
func (l library) TLSWords() []elf.TLSWord                       { return l.words }

// TestLibrary finds the block of a library. On x86-64 the words come from processes with glibc 2.36
// and musl 1.2.3 that printed the addresses of their variables. Those of other processors follow
// Drepper's paper, section 3.4.
func TestLibrary(t *testing.T) {
	const tp, bias, lib, heap = 0x7fd4869f3b80, 0x7fd486a00000, 0x4000, 0x557084f54600
	module := []elf.TLSWord{{Link: lib, Kind: elf.TLSModule}}
	offset := []elf.TLSWord{{Link: lib, Kind: elf.TLSOffset, Off: 8}}
	descriptor := []elf.TLSWord{{Link: lib, Kind: elf.TLSDescriptor}}
	const none = ^uint64(0)
	for _, c := range []struct {
		what  string
		arch  *core.Arch
		os    string
		words []elf.TLSWord
		got   []uint64 // the words of the library's table
		tcb   []uint64 // from two words before the thread pointer on
		dtv   []uint64 // at heap
		want  core.Addr
		why   string
	}{
		{what: "an offset", arch: core.AMD64, words: offset, got: []uint64{none - 0x7f + 8}, want: tp - 0x80},
		{what: "an offset on arm64", arch: core.ARM64, words: offset, got: []uint64{0x10 + 8}, want: tp + 0x10},
		{what: "a descriptor of an offset", arch: core.AMD64, words: descriptor, got: []uint64{bias, none - 0x7f},
			want: tp - 0x80},
		{what: "glibc", arch: core.AMD64, words: module, got: []uint64{3}, tcb: []uint64{0, 0, tp, heap},
			dtv: []uint64{2, 0, tp - 8, 0, tp - 16, 0, heap + 0x40, 0}, want: heap + 0x40},
		{what: "glibc's descriptor", arch: core.AMD64, words: descriptor, got: []uint64{bias, heap + 0x48},
			tcb: []uint64{0, 0, tp, heap}, dtv: []uint64{2, 0, tp - 8, 0, tp - 16, 0, heap + 0x40, 0, 0, 3},
			want: heap + 0x40},
		{what: "glibc on arm64", arch: core.ARM64, words: module, got: []uint64{2}, tcb: []uint64{0, 0, heap},
			dtv: []uint64{1, 0, tp + 16, 0, tp + 32, 0}, want: tp + 32},
		{what: "glibc on riscv64", arch: core.RISCV64, words: module, got: []uint64{2}, tcb: []uint64{heap, 0, 0},
			dtv: []uint64{1, 0, tp, 0, tp + 32, 0}, want: tp + 32},
		{what: "musl", arch: core.AMD64, words: module, got: []uint64{2}, tcb: []uint64{0, 0, tp, heap},
			dtv: []uint64{2, tp - 8, heap + 0x40}, want: heap + 0x40},
		{what: "musl on arm64", arch: core.ARM64, words: module, got: []uint64{1}, tcb: []uint64{0, heap, 0},
			dtv: []uint64{1, tp + 16}, want: tp + 16},
		{what: "the second word", arch: core.AMD64, words: append(module,
			elf.TLSWord{Link: lib + 8, Kind: elf.TLSOffset}), got: []uint64{0, none - 0x7f}, want: tp - 0x80},
		{what: "not used yet", arch: core.AMD64, words: module, got: []uint64{2}, tcb: []uint64{0, 0, tp, heap},
			dtv: []uint64{2, 0, tp - 8, 0, none, 0}, why: "has not used the block"},
		{what: "not linked", arch: core.AMD64, words: module, got: []uint64{0}, why: "has not been linked"},
		{what: "a module that cannot be", arch: core.AMD64, words: module, got: []uint64{none},
			why: "is not the number of a module"},
		{what: "beyond memory", arch: core.AMD64, words: offset, got: []uint64{1 << 40}, why: "nothing is mapped"},
		{what: "no vector", arch: core.AMD64, words: module, got: []uint64{2}, tcb: []uint64{0, 0, tp, 1},
			why: "not mapped"},
		{what: "another vector", arch: core.AMD64, words: module, got: []uint64{2}, tcb: []uint64{0, 0, tp, heap},
			dtv: []uint64{none, none}, why: "neither glibc's nor musl's"},
		{what: "another system", arch: core.AMD64, os: "freebsd", words: module, got: []uint64{2}, why: "this system"},
		{what: "no words", arch: core.AMD64, why: "no word of the library"},
	} {
		b := coretest.New(c.arch).Map(tp-0x100, make([]byte, 0x200)).Map(heap,
			make([]byte, 0x100)).Words(bias+lib, c.got...)
		b.Words(tp-16, c.tcb...).Words(heap, c.dtv...)
		p := b.Module("/lib/libgd.so", bias, bias+0x5000, core.ModuleFacts{Image: library{c.words}, BiasKnown: true,
			Bias: bias}).Thread(1, nil).Process()
		if p.OS = "linux"; c.os != "" {
			p.OS = c.os
		}
		p.Threads[0].TLS = tp
		got, err := Address(p, p.Threads[0], p.Modules[0], 4)
		if c.want != 0 && (err != nil || got != c.want+4) {
			t.Errorf("%s: %v, %v; want %v", c.what, got, err, c.want+4)
		}
		if c.want == 0 && (err == nil || !strings.Contains(err.Error(), c.why) || !errors.Is(err, core.ErrUnknown)) {
			t.Errorf("%s: %v, %v; want an error with %q", c.what, got, err, c.why)
		}
	}
}

// TestMuslErrno finds errno in descriptors of musl, which lies after the thread's id. On x86-64 they are as
// musl 1.2.3 has them (tid at 0x30, errno at 0x34: the code of __errno_location); others follow pthread_impl.h.
func TestMuslErrno(t *testing.T) {
	const tp, tid = 0x7fd4869f3b80, 1007
	for _, c := range []struct {
		what  string
		arch  *core.Arch
		from  core.Addr // of the words
		words []uint64
		want  core.Addr // 0 if there is none
	}{
		{"x86-64", core.AMD64, tp, []uint64{tp, 1, 2, 3, 0, 5, tid | 2<<32}, tp + 0x34},
		{"arm64", core.ARM64, tp - 0xc8, []uint64{tp - 0xc8, 2, 3, 0, tid | 2<<32}, tp - 0xc8 + 0x24},
		{"another thread's", core.AMD64, tp, []uint64{tp, 1, 2, 3, 0, 5, tid + 1}, 0},
		{"glibc", core.AMD64, tp, []uint64{tp, 1, tp, 0, 0, 5, 0x1b5f4e3c2d1a0987}, 0},
		{"no descriptor", core.ARM64, tp - 0xc8, []uint64{2, 3, 0, tid}, 0},
	} {
		p := coretest.New(c.arch).Map(tp-0x400, make([]byte, 0x800)).Words(c.from,
			c.words...).Thread(tid, nil).Process()
		p.OS, p.Threads[0].TLS = "linux", tp
		if got, ok := MuslErrno(p, p.Threads[0]); got != c.want || ok != (c.want != 0) {
			t.Errorf("%s: %v, %t; want %v", c.what, got, ok, c.want)
		}
	}
}

// TestErrnoBy follows the code of glibc 2.36's __errno_location, as objdump shows it, and the same after an
// ENDBR64. The words are those of the process in testdata/cores/threads.cdb; TestLiveUntyped holds such code
// to what a program printed.
func TestErrnoBy(t *testing.T) {
	const tp, bias = 0x7faaaeba86c0, 0x7faaaebac000
	code := []byte{0x48, 0x8b, 0x05, 0x79, 0xb7, 0x1a, 0, 0x64, 0x48, 0x03, 0x04, 0x25, 0, 0, 0, 0, 0xc3, 0x66, 0x2e,
		0x0f, 0x1f, 0x84, 0, 0, 0}
	other := append([]byte{0x55}, code...)
	none := ^uint64(0)
	for _, c := range []struct {
		what string
		code []byte
		arch *core.Arch
		word uint64
		want core.Addr // 0 if it is not known
	}{
		{"glibc 2.36", code, core.AMD64, none - 0x7f, tp - 0x80},
		{"with ENDBR64", append([]byte{0xf3, 0x0f, 0x1e, 0xfa}, code...), core.AMD64, none - 0x7f, tp - 0x80},
		{"beyond memory", code, core.AMD64, 1 << 40, 0},
		{"other code", other, core.AMD64, none - 0x7f, 0},
		{"cut code", code[:12], core.AMD64, none - 0x7f, 0},
		{"another machine", code, core.ARM64, none - 0x7f, 0},
	} {
		at := core.Addr(bias + 0x100)
		word := at + 7 + 0x1ab779
		if bytes.HasPrefix(c.code, []byte{0xf3}) {
			word += 4
		}
		p := coretest.New(c.arch).Map(at, c.code).Map(tp-0x100, make([]byte, 0x200)).Words(word,
			c.word).Thread(1, nil).Process()
		p.OS, p.Threads[0].TLS = "linux", tp
		if got, ok := ErrnoBy(p, p.Threads[0], at); ok != (c.want != 0) || ok && got != c.want {
			t.Errorf("%s: %v, %t; want %v", c.what, got, ok, c.want)
		}
	}
}
