package core

import (
	"fmt"
	"strings"
)

// A RegPart is a part of a register that has a name of its own.
type RegPart struct {
	Slot        int  // of the register
	Shift, Bits uint // where the part begins, from the least significant bit, and how long it is
}

// Part returns the part of a register that a name means, such as eax and al on x86-64 and w0 on aarch64.
func (a *Arch) Part(name string) (p RegPart, ok bool) {
	of := ""
	switch digits := strings.TrimLeft(name, "rw"); {
	case a.SlotOf(name) >= 0:
		return p, false
	case a.SlotOf("x0") >= 0 && strings.HasPrefix(name, "w") && digits == name[1:]:
		of, p.Bits = "x"+digits, 32
	case a.SlotOf("rax") >= 0 && strings.HasPrefix(name, "r") && strings.HasSuffix(name, "d"):
		of, p.Bits = strings.TrimSuffix(name, "d"), 32
	case a.SlotOf("rax") >= 0 && strings.HasPrefix(name, "r") && strings.HasSuffix(name, "w"):
		of, p.Bits = strings.TrimSuffix(name, "w"), 16
	case a.SlotOf("rax") >= 0 && strings.HasPrefix(name, "r"): // gdb's r8l, and r8b in Intel's words
		of, p.Bits = strings.TrimRight(name, "lb"), 8
	case a.SlotOf("rax") >= 0 && strings.HasPrefix(name, "e"):
		of, p.Bits = "r"+name[1:], 32
	case a.SlotOf("rax") >= 0:
		of, p = partOfX86(name, "r")
	case a.SlotOf("eax") >= 0:
		of, p = partOfX86(name, "e")
	}
	p.Slot = a.SlotOf(of)
	return p, p.Slot >= 0 && p.Bits > 0
}

// partOfX86 returns the register, with the letter before its name, whose lower half a name means, and which part of
// it.
func partOfX86(name, letter string) (of string, p RegPart) {
	switch {
	case len(name) == 2 && strings.HasSuffix(name, "l"): // al
		return letter + name[:1] + "x", RegPart{Bits: 8}
	case len(name) == 2 && strings.HasSuffix(name, "h"):
		return letter + name[:1] + "x", RegPart{Shift: 8, Bits: 8}
	case len(name) == 3 && strings.HasSuffix(name, "l") && letter == "r": // sil
		return letter + name[:2], RegPart{Bits: 8}
	case len(name) == 2: // ax, si
		return letter + name, RegPart{Bits: 16}
	}
	return "", p
}

// x86Flags are the names of the bits of eflags (Intel SDM, volume 1, 3.4.3).
var x86Flags = []string{0: "CF", 2: "PF", 4: "AF", 6: "ZF", 7: "SF", 8: "TF", 9: "IF", 10: "DF", 11: "OF", 14: "NT",
	16: "RF", 17: "VM", 18: "AC", 19: "VIF", 20: "VIP", 21: "ID"}

// Flags names the bits that are set in a register of flags, as gdb does. ok is false for other registers.
func (a *Arch) Flags(register string, v uint64) (text string, ok bool) {
	if register != "eflags" {
		return "", false
	}
	var set []string
	for bit, name := range x86Flags {
		if name != "" && v>>bit&1 == 1 {
			set = append(set, name)
		}
	}
	return fmt.Sprintf("[ %s ]", strings.Join(set, " ")), true
}
