package pack

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"coredbg/core"
	"coredbg/core/bundle/span"
)

// A machState is a thread state of a Mach-O core (mach/i386/thread_status.h,
// mach/arm/thread_status.h of xnu): its flavor and the bytes of its registers.
type machState struct {
	flavor uint32
	size   int
}

// machThread puts the header of a Mach-O core into the scene's first page, with one
// thread of the given states, and returns where the registers of each are.
func (s *scene) machThread(cputype uint32, states ...machState) (at []int) {
	le := binary.LittleEndian
	const header, command = 32, 8
	size := command
	for _, x := range states {
		at = append(at, header+size+8)
		size += 8 + x.size
	}
	clear(s.file[:header+size])
	// MH_CORE, LC_THREAD
	for i, w := range []uint32{0xfeedfacf, cputype, 3, 4, 1, uint32(size), 0, 0, 0x4, uint32(size)} {
		le.PutUint32(s.file[4*i:], w)
	}
	for i, x := range states {
		le.PutUint32(s.file[at[i]-8:], x.flavor)
		le.PutUint32(s.file[at[i]-4:], uint32(x.size/4))
	}
	return at
}

// TestRedactMachO fills every register of the threads of cores of macOS with a piece of a
// secret, and looks for all pieces in every byte that was written.
func TestRedactMachO(t *testing.T) {
	const apple = "\x00executable_path=/opt/prog\x00./prog\x00--key=k-8a7b6c5d4e3f2a1b\x00HOME=/root\x00\x00ptr_munge=\x00main_stack=\x00"
	const secret = "k-8a7b6c5d4e3f2a1b"
	for _, c := range []struct {
		name    string
		arch    *core.Arch
		cputype uint32
		states  []machState
		words   int // registers, except for program counters, stack pointers and flags
		step    int // bytes of a register
	}{
		{name: "x0 to x28", arch: core.ARM64, cputype: 0x0100000c, states: []machState{{6, 68 * 4}},
			words: 29, step: 8},
		{name: "v0 to v31", arch: core.ARM64, cputype: 0x0100000c, states: []machState{{6, 68 * 4}, {17, 528}},
			words: 33, step: 16},
		{name: "rax to r15", arch: core.AMD64, cputype: 0x01000007, states: []machState{{4, 42 * 4}},
			words: 16, step: 8},
		{name: "rax to r15 and gsbase", arch: core.AMD64, cputype: 0x01000007, states: []machState{{23, 50 * 4}},
			words: 25, step: 8},
		{name: "xmm0 to xmm15", arch: core.AMD64, cputype: 0x01000007, states: []machState{{4, 42 * 4}, {5, 524}},
			words: 32, step: 16},
		{name: "ymm0 to ymm15", arch: core.AMD64, cputype: 0x01000007, states: []machState{{4, 42 * 4}, {17, 976}},
			words: 61, step: 16},
		{name: "zmm0 to zmm31", arch: core.AMD64, cputype: 0x01000007, states: []machState{{4, 42 * 4}, {20, 2608}},
			words: 163, step: 16},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range []int{4, 5, 6, 7, 8, 16} { // bytes of the piece
				if n > c.step {
					continue
				}
				s := newScene("darwin")
				s.p.Arch = c.arch
				th := &core.Thread{TID: 1}
				th.Regs.Set(c.arch.SP, 0x7ff010)
				th.Regs.Set(c.arch.PC, 0x400000)
				s.p.Threads = []*core.Thread{th}
				copy(s.file[sceneStack+span.Block-len(apple):], apple)
				at := s.machThread(c.cputype, c.states...)
				for reg := range c.words {
					copy(s.file[at[len(at)-1]+c.step*reg:], secret[reg*3%(len(secret)-n):][:n])
				}
				all := unpacked(t, pack(t, s.p, core.Bytes(s.file), Options{Redact: true}))
				if err := holdsPiece(all, secret); err != nil {
					t.Errorf("pieces of %d bytes: %v", n, err)
				}
			}
		})
	}
}

// holdsPiece finds four bytes of a secret.
func holdsPiece(all []byte, secret string) error {
	for i := range len(secret) - 3 {
		if at := bytes.Index(all, []byte(secret[i:i+4])); at >= 0 {
			return fmt.Errorf("%q is left at offset %#x", secret[i:i+4], at)
		}
	}
	return nil
}
