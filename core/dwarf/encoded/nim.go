package encoded

import "strings"

// Nim returns the name of a procedure of Nim as its source has it: ship__shop_34 is shop.ship, as is ship__shop_u34
// of Nim 2 (compiler/ccgtypes.nim, mangleName). It returns "" for other names, as "NimMain".
func Nim(name string) string {
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
