package elf

import "testing"

// TestNoteOwners: notes are known by their types, whoever's name stands with them.
func TestNoteOwners(t *testing.T) {
	b := amd64Builder()
	psinfo := make([]byte, 136)
	b.order.PutUint32(psinfo[24:], 77)
	copy(psinfo[40:], "name")
	for _, c := range []struct {
		name    string
		owner   string
		add     func(b *builder)
		threads int
	}{
		{"LINUX", "LINUX", func(*builder) {}, 2},
		{"both", "CORE", func(b *builder) { b.note("LINUX", ntPRStatus, b.prstatus(1, 11, 0x9000), -1) }, 2},
		{"unknown", "KERNEL", func(*builder) {}, 2},
		{"another system's", "FreeBSD", func(*builder) {}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := amd64Builder().note(c.owner, ntPRStatus, b.prstatus(1, 11, 0x1000), -1)
			c.add(b)
			b.note(c.owner, ntPRPSInfo, psinfo, -1).note("CORE", ntX86XState, make([]byte, 576), -1)
			b.note(c.owner, ntPRStatus, b.prstatus(2, 0, 0x2000), -1)
			p := open(t, b.core(), nil)
			if len(p.Threads) != c.threads {
				t.Fatalf("%d threads; %s", len(p.Threads), warnings(p))
			}
			if c.threads == 0 {
				return
			}
			if pc, _ := p.Threads[1].Regs.Get(p.Arch.PC); pc != 0x2010 || p.PID != 77 || p.Name != "name" {
				t.Errorf("the second thread is at %#x, the process is %d, %q", pc, p.PID, p.Name)
			}
			if p.Notes[0].Name != "NT_PRSTATUS" || p.Notes[0].TID != 1 {
				t.Errorf("the first note is %q of thread %d", p.Notes[0].Name, p.Notes[0].TID)
			}
			vectors := 0
			for _, r := range p.Threads[0].Registers() {
				if r.Set == "vector" {
					vectors++
				}
			}
			if vectors == 0 {
				t.Error("no vector registers of the note that the other owner has")
			}
		})
	}
	if got := noteName("FreeBSD", ntPRStatus); got != "" {
		t.Errorf("FreeBSD's first note is %q", got)
	}
}
