package dwarf

import "strings"

// nim reports whether Nim's compiler wrote the source of a unit of C: it is called "@mshop.nim.c".
func (u *Unit) nim() bool {
	if !u.Lang().C() && !u.Lang().CPlusPlus() {
		return false
	}
	u.load()
	return strings.HasSuffix(u.name, ".nim.c") || strings.HasSuffix(u.name, ".nim.cpp")
}

// nimName returns the name of a procedure of Nim as its source has it: ship__shop_34 is shop.ship, as is ship__shop_u34
// of Nim 2 (compiler/ccgtypes.nim, mangleName). It returns "" for other names, as "NimMain".
func nimName(name string) string {
	name, _, _ = strings.Cut(name, ".") // parts that GCC made of a function
	proc, module, ok := strings.Cut(name, "__")
	i := strings.LastIndexByte(module, '_')
	if !ok || proc == "" || i <= 0 {
		return ""
	}
	if digits := strings.TrimPrefix(module[i+1:], "u"); digits == "" || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return module[:i] + "." + proc
}
