package sym

import (
	"strconv"
	"strings"
)

// ocaml reports whether a name could be one that ocamlopt made: "caml" and the name of a module, which begins with a
// letter in upper case. The functions of the runtime begin with "caml_".
func ocaml(name []byte) bool {
	return len(name) > 4 && string(name[:4]) == "caml" && name[4] >= 'A' && name[4] <= 'Z'
}

// ocamlName returns the name of a function of OCaml as its source has it, with its modules: camlStdlib__List__map_233
// is Stdlib.List.map, camlShop__$2b_12 is Shop.(+). It returns name itself if that has no function.
// (ocamlopt 4 and 5, middle_end/symbol.ml and asmcomp/emitaux.ml: "__" or "." between the parts, "$" and two
// hexadecimal digits for other characters, a number at the end.)
func ocamlName(name string) string {
	text := strings.ReplaceAll(strings.TrimPrefix(name, "caml"), "__", ".")
	i := strings.LastIndexByte(text, '.')
	if i <= 0 || i == len(text)-1 {
		return name
	}
	modules, function := text[:i], text[i+1:]
	if k := strings.LastIndexByte(function, '_'); k > 0 && k < len(function)-1 &&
		strings.Trim(function[k+1:], "0123456789") == "" {
		function = function[:k]
	}
	function, operator := ocamlText(function)
	if operator {
		function = "(" + function + ")"
	}
	return modules + "." + function
}

// ocamlText puts characters in the place of their codes. operator is set if there were any but a quote.
func ocamlText(s string) (text string, operator bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '$' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil && n > ' ' && n < 0x7f {
				b.WriteByte(byte(n))
				operator = operator || n != '\''
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String(), operator
}
