package cxx

// closing returns the index of the bracket that closes the one at open, or the last
// index.
func closing(t []Token, open int) int {
	depth := 0
	for i := open; i < len(t); i++ {
		switch t[i].Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(t) - 1
}

// Closing returns the index of the bracket that closes the one at open.
func Closing(t []Token, open int) int { return closing(t, open) }

// SplitCommas splits tokens at the commas that are in no brackets.
func SplitCommas(t []Token) [][]Token { return splitCommas(t) }

// angleEnd returns the index of the ">" that closes the "<" at open, or open if the statement ends first.
func angleEnd(t []Token, open int) int {
	depth := 0
	for i := open; i < len(t); i++ {
		switch t[i].Text {
		case "(", "[", "{":
			i = closing(t, i)
		case "<":
			depth++
		case ">":
			if depth--; depth == 0 {
				return i
			}
		case ";", ")", "]", "}":
			return open
		}
	}
	return open
}

// splitCommas splits at the commas that are in no brackets; "<" counts as one after a
// name.
func splitCommas(t []Token) [][]Token {
	var out [][]Token
	start := 0
	for i := 0; i < len(t); i++ {
		switch t[i].Text {
		case "(", "[", "{":
			i = closing(t, i)
		case "<":
			if i > 0 && t[i-1].Kind == Ident {
				i = max(i, angleEnd(t, i))
			}
		case ",":
			out = append(out, t[start:i])
			start = i + 1
		}
	}
	if start < len(t) {
		out = append(out, t[start:])
	}
	return out
}

// topLevel returns the index of the first token s that is in no brackets, or -1.
func topLevel(t []Token, s string) int {
	for i := 0; i < len(t); i++ {
		if t[i].Text == s {
			return i
		}
		switch t[i].Text {
		case "(", "[", "{":
			i = closing(t, i)
		case "<":
			if i > 0 && t[i-1].Kind == Ident {
				i = max(i, angleEnd(t, i))
			}
		}
	}
	return -1
}
