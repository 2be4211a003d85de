package machine_test

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/machine"
)

// shorts are functions of Deno 2.9.6 for aarch64, at the addresses that they had in a core; what
// they give follows from the disassembly of objdump.
var shorts = []struct {
	name   string
	at     core.Addr
	code   []uint32
	calls  bool
	result []uint64 // what is stored at the place for it, or the words that are returned
	stores bool
	fails  bool
}{
	{name: "ContextFuture::context", at: 0x5503d2cda4, result: []uint64{756, 0x1b},
		code: []uint32{0xa9bf7bfd, 0x910003fd, 0xb9400808, 0x79401801, 0x2a0803e0, 0xa8c17bfd, 0xd65f03c0}},
	{name: "Resource::name, with adrp", at: 0x5503f3a904, stores: true, result: []uint64{1 << 63, 0x55014f2504, 9},
		code: []uint32{0xa9bf7bfd, 0x910003fd, 0x52800129, 0x90feadca, 0x9114114a, 0xa900a50a, 0xd2f00009, 0xf9000109,
			0xa8c17bfd, 0xd65f03c0}},
	{name: "Resource::name, with code shared by functions", at: 0x550269a338, calls: true, stores: true,
		result: []uint64{1 << 63, 0x1b000002f4, 22},
		code:   []uint32{0xa9bf7bfd, 0x910003fd, 0xa940a80b, 0x97efd521, 0xa900a90b, 0xa8c17bfd, 0xd65f03c0}},
	{name: "the same, where calls are not wanted", at: 0x550269a338, stores: true, fails: true,
		code: []uint32{0xa9bf7bfd, 0x910003fd, 0xa940a80b, 0x97efd521, 0xa900a90b, 0xa8c17bfd, 0xd65f03c0}},
	{name: "a branch on what is not in the core", at: 0x550439f088, fails: true,
		code: []uint32{0xd10143ff, 0xa9037bfd, 0xf90023f3, 0x9100c3fd, 0x39410008, 0xaa0003f3, 0x34000448}},
	{name: "b .", at: 0x550439f088, code: []uint32{0x14000000}, fails: true},
	{name: "the end of memory", at: 0x550439fffc, code: []uint32{0xd503201f}, fails: true},
}

func TestShort(t *testing.T) {
	words := func(list []uint32) []byte {
		page := make([]byte, 4096)
		for i, w := range list {
			binary.LittleEndian.PutUint32(page[4*i:], w)
		}
		return page
	}
	data := make([]byte, 48)
	for i, w := range []uint64{11, 0x1b<<32 | 756, 22} {
		binary.LittleEndian.PutUint64(data[8*i:], w)
	}
	const shared core.Addr = 0x550228f7c8
	for _, f := range shorts {
		end := (f.at + 4095) &^ 4095
		p := &core.Process{Arch: core.ARM64, Space: core.NewSpace([]core.Segment{
			{Start: shared, End: shared + 12, Kind: core.SegCore,
				Src: core.Bytes(words([]uint32{0xd2f00009, 0xf9000109, 0xd65f03c0}))},
			{Start: f.at, End: end, Kind: core.SegCore, Src: core.Bytes(words(f.code))},
			{Start: dataAt, End: dataAt + 48, Kind: core.SegCore, Src: core.Bytes(data)},
		}, nil)}
		m := machine.For(p, 256, f.calls)
		var got []machine.Value
		var err error
		if f.stores {
			err = m.Into(f.at, machine.Scratch, uint64(dataAt))
			for i := range f.result {
				got = append(got, m.Load(machine.Scratch+core.Addr(8*i), 8))
			}
		} else {
			var first machine.Value
			first, err = m.Call(f.at, uint64(dataAt))
			got = []machine.Value{first, m.Second()}
		}
		if (err != nil) != f.fails {
			t.Errorf("%s: %v, to fail: %t", f.name, err, f.fails)
		}
		for i, want := range f.result {
			if got[i] != (machine.Value{N: want, Known: true}) {
				t.Errorf("%s: word %d is %+v, want %#x", f.name, i, got[i], want)
			}
		}
	}
}

// TestFor has a runner for processors whose code can be run, and for no other.
func TestFor(t *testing.T) {
	for arch, want := range map[*core.Arch]bool{core.AMD64: true, core.ARM64: true, core.PPC64: false,
		core.I386: false} {
		if got := machine.For(&core.Process{Arch: arch, Space: core.NewSpace(nil, nil)}, 1,
			true); (got != nil) != want {
			t.Errorf("%s: %v, want one: %t", arch.Name, got, want)
		}
	}
}
