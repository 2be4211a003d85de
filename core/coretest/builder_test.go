package coretest

import (
	"testing"

	"coredbg/core"
)

func TestBuilder(t *testing.T) {
	p := New(core.S390X).
		Words(0x1000, 0x1122334455667788).
		MapProt(0x2000, []byte{1, 2}, core.Read|core.Exec).
		Gap(0x3000, 0x1000, core.Read, core.NotDumped).
		Thread(7, map[string]uint64{"pswa": 0x2000, "r15": 0x1000}).
		Module("prog", 0x2000, 0x2002, core.ModuleFacts{BuildID: []byte{9}}).
		Process()
	if v := p.Cursor().U8(0x1000); v != 0x11 {
		t.Errorf("words are not in the byte order of the architecture: %#x", v)
	}
	if !p.Executable(0x2001) || p.Executable(0x1000) {
		t.Error("protections are lost")
	}
	if _, err := p.Space.Window(0x3800); core.Fault(err) == nil || core.Fault(err).Gap != core.NotDumped {
		t.Errorf("the gap reads %v", err)
	}
	if pc, ok := p.Threads[0].Regs.Get(core.S390X.PC); !ok || pc != 0x2000 || !p.Threads[0].Crashed {
		t.Errorf("thread %+v", p.Threads[0])
	}
	if m := p.Module(0x2001); m == nil || m.Facts().BuildID[0] != 9 {
		t.Errorf("module %v", m)
	}
	if m, ok := p.Mapping(0x3fff); !ok || m.Start != 0x3000 {
		t.Errorf("mapping %v", m)
	}
}
