package x86

import "coredbg/walk/isa"

// AMD64 returns the instruction set of x86-64.
func AMD64() *isa.Set {
	s := common()
	s.Prologue, s.CallSlot = prologueAMD64, callSlotAMD64
	s.Exits = [][]byte{
		{0x48, 0x89, 0xc7, 0xb8, 60, 0, 0, 0, 0x0f, 0x05}, // mov %rax,%rdi; mov $60,%eax; syscall
		{0x89, 0xc7, 0x31, 0xc0, 0xb0, 60, 0x0f, 0x05},    // mov %eax,%edi; xor %eax,%eax; mov $60,%al; syscall
		{0x89, 0xc7, 0xb8, 60, 0, 0, 0, 0x0f, 0x05},       // mov %eax,%edi; mov $60,%eax; syscall
	}
	return s
}

// X32 returns the set of x32: x86-64 with addresses of 4 bytes.
func X32() *isa.Set {
	s := common()
	s.Prologue, s.CallSlot = prologueX32, callSlotAMD64
	s.Exits = [][]byte{{0x89, 0xc7, 0xb8, 60, 0, 0, 0x40, 0x0f, 0x05}} // mov %eax,%edi; mov $0x4000003c,%eax; syscall
	return s
}

// I386 returns the set of i386.
func I386() *isa.Set {
	s := common()
	s.Prologue = prologueI386
	s.Exits = [][]byte{
		// mov %eax,%ebx; xor %eax,%eax; inc %eax; int $0x80
		{0x89, 0xc3, 0x31, 0xc0, 0x40, 0xcd, 0x80},
		{0x89, 0xc3, 0xb8, 1, 0, 0, 0, 0x65, 0xff, 0x15, 0x10, 0, 0, 0}, // mov %eax,%ebx; mov $1,%eax; call *%gs:0x10
		{0x89, 0xc3, 0xb8, 1, 0, 0, 0, 0xcd, 0x80},                      // mov %eax,%ebx; mov $1,%eax; int $0x80
	}
	return s
}

// common returns what both have in common.
func common() *isa.Set {
	return &isa.Set{Call: call, Entered: entered, Returns: returns, Control: control, Apply: apply, Decide: decide,
		Begins: begins, Slot: stubSlot}
}
