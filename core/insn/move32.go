package insn

import (
	"golang.org/x/arch/x86/x86asm"

	"coredbg/core"
)

// widen gives the registers of an instruction of 32 bits the names that they have in 64 bits. Its operands
// are moved as whole registers are there.
func (inst *instX86) widen() {
	if inst.Mode != 32 {
		return
	}
	for i, arg := range inst.Args {
		switch a := arg.(type) {
		case x86asm.Reg:
			inst.Args[i] = wholeX86(a)
		case x86asm.Mem:
			a.Base, a.Index = wholeX86(a.Base), wholeX86(a.Index)
			inst.Args[i] = a
		}
	}
}

// wholeX86 returns the 64-bit register that contains a 32-bit one. It returns other registers as they are.
func wholeX86(r x86asm.Reg) x86asm.Reg {
	if r >= x86asm.EAX && r <= x86asm.EDI {
		return r + x86asm.RAX - x86asm.EAX
	}
	return r
}

// slotsI386 are the slots of i386 of the first registers of x86-64: DWARF numbers them differently.
var slotsI386 = func() (list [8]int) {
	for i, name := range []string{"eax", "edx", "ecx", "ebx", "esi", "edi", "ebp", "esp"} {
		list[i] = core.I386.SlotOf(name)
	}
	return list
}()

// slotI386 returns the slot of i386 for a slot of x86-64, -1 if there is none.
func slotI386(slot int) int {
	if slot < 0 || slot >= len(slotsI386) {
		return -1
	}
	return slotsI386[slot]
}

// narrow gives a move the slots of i386.
func (m *Move) narrow() {
	m.Reg, m.Sum = slotI386(m.Reg), slotI386(m.Sum)
	m.At.narrow()
	for i, slot := range m.Changes {
		m.Changes[i] = slotI386(slot)
	}
}

// narrow gives a place the slots of i386. An address without registers has 32 bits.
func (p *Place) narrow() {
	p.Base, p.Index = slotI386(p.Base), slotI386(p.Index)
	if p.Base < 0 && p.Index < 0 {
		p.Disp = int64(uint32(p.Disp))
	}
}
