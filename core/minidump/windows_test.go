package minidump

import (
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/minidump/minidumptest"
)

// TestExtendedAddresses: some writers extend addresses of 32-bit processes to 64 bits, with
// the sign (Windows) or with other bits (Breakpad's minidump_32bit_crash_addr.dmp, whose
// stackwalker says 0x45).
func TestExtendedAddresses(t *testing.T) {
	const high = core.Addr(0xffffffff_00000000)
	var regs core.Regs
	regs.Set(core.I386.PC, 0x80401000)
	regs.Set(core.I386.SP, 0x90001000)
	context := minidumptest.Context(core.I386, regs)
	d := minidumptest.New(minidumptest.CPUX86, minidumptest.Windows)
	d.Thread(7, context, 0xffffffff_7ffdd000, high|0x90001000, []byte("the stack"))
	d.Module(`c:\a.exe`, high|0x80400000, 0x2000, minidumptest.RSDS([]byte("0123456789abcdef"), 1, "a.pdb"))
	d.Memory(high|0x80401000, []byte("code"))
	d.Died(7, 0xc0000005, 0, high|0x80401000, context, 1, uint64(high|0x45))
	p := open(t, d.Bytes())
	if g := p.Signal; !g.HasAddr || g.Addr != 0x45 || g.CodeName != "write" {
		t.Errorf("signal %+v", g)
	}
	if m := p.Modules[0]; m.Start != 0x80400000 || m.End != 0x80402000 {
		t.Errorf("module %+v", m)
	}
	if p.Threads[0].TLS != 0x7ffdd000 {
		t.Errorf("TEB at %v", p.Threads[0].TLS)
	}
	for at, want := range map[core.Addr]string{0x90001000: "the stack", 0x80401000: "code"} {
		if b, err := p.Space.Slice(at, len(want)); string(b) != want {
			t.Errorf("%v: %q, %v", at, b, err)
		}
	}
	if len(p.Warnings) > 0 {
		t.Errorf("%v", p.Warnings)
	}
}

// unloadedStream is an UnloadedModuleListStream (minidumpapiset.h).
func unloadedStream(d *minidumptest.Dump, base uint64, size uint32, name string) []byte {
	b := minidumptest.Words(12, 24, 1)
	b = le.AppendUint64(b, base)
	return append(b, minidumptest.Words(size, 0, 0, d.UTF16(name))...)
}

func TestUnloaded(t *testing.T) {
	d := minidumptest.New(minidumptest.CPUAMD64, minidumptest.Windows)
	d.Stream(minidumptest.UnloadedModuleList, unloadedStream(d, 0x7ff90f450000, 0xea000, "shcore.dll"))
	p := open(t, d.Bytes())
	if want := []core.Unloaded{{Path: "shcore.dll", Start: 0x7ff90f450000,
		End: 0x7ff90f53a000}}; !slices.Equal(p.Unloaded, want) {
		t.Errorf("%+v", p.Unloaded)
	}
	if _, ok := p.UnloadedAt(0x7ff90f53a000); ok {
		t.Error("past its end")
	}
	// Headers that lie, and an image that wraps around.
	for off, word := range map[int]uint32{0: 0xffffff, 4: 1, 8: 0xffffffff} {
		d := minidumptest.New(minidumptest.CPUAMD64, minidumptest.Windows)
		d.Stream(minidumptest.UnloadedModuleList,
			unloadedStream(d, 0x1000, 0x1000, "a.dll")).Lie(minidumptest.UnloadedModuleList, off, word)
		if p := open(t, d.Bytes()); len(p.Unloaded) > 1 || len(p.Warnings) == 0 {
			t.Errorf("%d: %+v, %v", off, p.Unloaded, p.Warnings)
		}
	}
	d = minidumptest.New(minidumptest.CPUAMD64, minidumptest.Windows)
	d.Stream(minidumptest.UnloadedModuleList, unloadedStream(d, ^uint64(0)-0xfff, 0x2000, "a.dll"))
	if p := open(t, d.Bytes()); len(p.Unloaded) != 0 {
		t.Errorf("%+v", p.Unloaded)
	}
}

// TestShadowStack: the registers of the shadow stack are where Windows' CONTEXT_EX says, as
// in Crashpad's tiny-exe-with-cet-xsave.dmp.
func TestShadowStack(t *testing.T) {
	const avx, cet, ssp = 2, 11, 0xcbc83fefc8
	for _, c := range []struct {
		name      string
		mask      uint64
		compacted bool
		at        int // of the feature in the area, whose legacy region is elsewhere
		lie       func(context []byte)
		want      uint64
	}{
		{"as configured", 1 << cet, false, 64 + 256, nil, ssp},
		{"compacted, alone", 1 << cet, true, 64, nil, ssp},
		{"compacted, after AVX", 1<<cet | 1<<avx, true, 64 + 256, nil, ssp},
		{"not there", 1 << avx, false, 64 + 256, nil, 0},
		{"an offset beyond the context", 1 << cet, false, 64 + 256, func(b []byte) { le.PutUint32(b[1232+16:], 1<<20) },
			0},
		{"a negative offset", 1 << cet, false, 64 + 256, func(b []byte) { le.PutUint32(b[1232+16:], 1<<31) }, 0},
		{"a size beyond the context", 1 << cet, false, 64 + 256, func(b []byte) { le.PutUint32(b[1232+20:], 1<<31) },
			0},
		{"too small for the feature", 1 << cet, false, 64 + 256, func(b []byte) { le.PutUint32(b[1232+20:], 64) }, 0},
	} {
		context := make([]byte, 1312+64+256+16)
		copy(context, minidumptest.Context(core.AMD64, core.Regs{}))
		le.PutUint32(context[48:], 0x10004b) // with CONTEXT_XSTATE
		le.PutUint32(context[1232+16:], 80)
		le.PutUint32(context[1232+20:], uint32(len(context)-1312))
		le.PutUint64(context[1312:], c.mask)
		if c.compacted {
			le.PutUint64(context[1320:], c.mask|1<<63)
		}
		le.PutUint64(context[1312+c.at+8:], ssp)
		if c.lie != nil {
			c.lie(context)
		}
		misc := make([]byte, 1364)
		le.PutUint32(misc, 1364)
		config := misc[832:]
		le.PutUint32(config, 528)
		le.PutUint64(config[8:], 1<<cet|1<<avx)
		copy(config[16+8*avx:], minidumptest.Words(576, 256))
		copy(config[16+8*cet:], minidumptest.Words(832, 16))
		d := minidumptest.New(minidumptest.CPUAMD64, minidumptest.Windows).Stream(minidumptest.MiscInfo, misc)
		p := open(t, d.Thread(7, context, 0, 0x1000, nil).Bytes())
		got := uint64(0)
		for _, r := range p.Threads[0].Registers() {
			if r.Name == "ssp" {
				got = r.Value
			}
		}
		if got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
		}
	}
}
