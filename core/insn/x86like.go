package insn

import (
	"bytes"
	"slices"
)

// A formX86 is an instruction that the library does not know, and one that it
// knows with the same operands.
type formX86 struct {
	prefix byte // mandatory; 0 for none
	opcode string
	digit  int // in the reg field of the ModRM byte, whose operand is a register; -1 for any
	like   string
	as     byte // the digit of like
	name   string
}

// formsX86 are in the Intel SDM, volume 2.
var formsX86 = []formX86{
	{0x66, "\x0f\x38\xf6", -1, "\x0f\xaf", 0, "adcx"}, // as imul
	{0xf3, "\x0f\x38\xf6", -1, "\x0f\xaf", 0, "adox"},
	{0xf3, "\x0f\xc7", 7, "\xf7", 3, "rdpid"}, // as neg
	{0xf3, "\x0f\x1e", 1, "\xf7", 3, "rdssp"},
	{0xf3, "\x0f\xae", 5, "\xf7", 3, "incssp"},
	{0, "\x0f\xc7", 6, "\xf7", 3, "rdrand"},
	{0, "\x0f\xc7", 7, "\xf7", 3, "rdseed"},
}

// likeX86 returns an instruction with the same operands for one that the library
// does not know, and the name of the unknown one. Other code is returned as it is.
func likeX86(code []byte, mode int) (known []byte, name string) {
	before := prefixesX86(code)
	prefixes, rest := code[:before], code[before:]
	var rex []byte
	if mode == 64 && len(rest) > 0 && rest[0]&0xf0 == 0x40 {
		rex, rest = rest[:1], rest[1:]
	}
	for _, f := range formsX86 {
		after, ok := bytes.CutPrefix(rest, []byte(f.opcode))
		if !ok || len(after) == 0 || f.prefix != 0 && !slices.Contains(prefixes, f.prefix) {
			continue
		}
		modrm := after[0]
		if f.digit >= 0 {
			if modrm < 0xc0 || int(modrm>>3&7) != f.digit {
				continue
			}
			modrm = modrm&^0x38 | f.as<<3
		}
		at := bytes.LastIndexByte(prefixes, f.prefix)
		if at >= 0 {
			prefixes = slices.Delete(slices.Clone(prefixes), at, at+1)
		}
		return slices.Concat(prefixes, rex, []byte(f.like), []byte{modrm}, after[1:]), f.sized(rex)
	}
	if known := aliasX86(rest); known != nil {
		return slices.Concat(prefixes, rex, known), ""
	}
	if known := rotateX86(rest); known != nil && len(rex) == 0 {
		return slices.Concat(prefixes, known), "vprot" + "bwdq"[rest[3]&3:][:1]
	}
	return code, ""
}

// sized returns the name of a form, with the size of its operand where the
// mnemonic has it.
func (f *formX86) sized(rex []byte) string {
	switch {
	case f.name != "rdssp" && f.name != "incssp":
		return f.name
	case len(rex) > 0 && rex[0]&8 != 0:
		return f.name + "q"
	}
	return f.name + "d"
}

// aliasX86 returns the documented form of a shift or a test with an opcode that does
// the same; nil for other code.
func aliasX86(code []byte) []byte {
	if len(code) < 2 {
		return nil
	}
	switch op, digit := code[0], code[1]>>3&7; {
	case digit == 6 && (op&^1 == 0xc0 || op&^3 == 0xd0): // shl
		return append([]byte{op, code[1]&^0x38 | 4<<3}, code[2:]...)
	case digit == 1 && op&^1 == 0xf6: // test
		return append([]byte{op, code[1] &^ 0x38}, code[2:]...)
	}
	return nil
}

// rotateX86 returns vpermilpd for one of AMD's rotations by an immediate, which has
// an XOP prefix (AMD64 Architecture Programmer's Manual, volume 6); nil for other code.
func rotateX86(code []byte) []byte {
	if len(code) < 6 || code[0] != 0x8f || code[1]&0x1f != 8 || code[2] != 0x78 || code[3]&^3 != 0xc0 {
		return nil
	}
	return append([]byte{0xc4, code[1]&0xe0 | 3, 0x79, 0x05}, code[4:]...)
}
