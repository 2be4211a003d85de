package foreign

import (
	"slices"
	"strconv"
	"strings"
)

// findLine is gdb's "find START, +LENGTH, VALUE" and "find START, END, VALUE": the values that are the same, wherever
// they begin. A name's or a register's value is a word that points there.
func findLine(o operands) (string, []string) {
	size, count, args := findForm(o)
	parts := strings.Split(strings.Join(args, " "), ",")
	if len(parts) < 3 {
		return "", nil
	}
	var left []string
	bounds := findRange(strings.TrimSpace(parts[0]), strings.TrimSpace(parts[1]), o.base)
	if bounds == "" {
		left = []string{strings.TrimSpace(strings.Join(parts[:2], ","))}
	}
	if len(parts) > 3 { // values that follow one another
		left = append(left, strings.TrimSpace(strings.Join(parts[2:len(parts)-1], ",")))
	}
	value := strings.TrimSpace(parts[len(parts)-1])
	if text, ok := strings.CutPrefix(value, `"`); ok {
		return "::findstr" + count + bounds + " " + quoted(strings.TrimSuffix(text, `"`)), left
	}
	number, wide := findValue(value)
	if number != "" {
		if size == "" {
			size = wide
		}
		return number + "::ugrep -s " + size + count + bounds, left
	}
	at := operand(value, o.base)
	if at == "" {
		return "", nil
	}
	return at + "::ugrep" + count + bounds, left
}

// findForm returns the size that is given after a slash, and the option for the most hits.
func findForm(o operands) (size, count string, args []string) {
	args = slices.Clone(o.args)
	form := o.format
	for len(args) > 0 && strings.HasPrefix(args[0], "/") {
		form, args = form+args[0][1:], args[1:]
	}
	digits := strings.Trim(form, "bhwg/")
	if n, err := strconv.Atoi(digits); err == nil && n > 0 {
		count = " -l " + strconv.Itoa(n)
	}
	for letter, bytes := range map[string]string{"b": "1", "h": "2", "w": "4", "g": "8"} {
		if strings.Contains(form, letter) {
			size = bytes
		}
	}
	return size, count, args
}

// findRange returns the options for the range of a search; "" for one that is no address and no number.
func findRange(from, to string, base int) string {
	start := operand(from, base)
	length, relative := strings.CutPrefix(to, "+")
	end := operand(to, base)
	if relative {
		if end = number(strings.TrimSpace(length), base); end != "" {
			end = start + "+" + end
		}
	}
	if start == "" || end == "" {
		return ""
	}
	return " -f " + start + " -t " + end
}

// findValue returns a number or a character and its size in bytes, which a cast may give; "" for another value.
func findValue(text string) (value, size string) {
	for cast, bytes := range map[string]string{"char": "1", "unsigned char": "1", "short": "2", "int": "4", "long": "8",
		"unsigned long": "8", "uint8_t": "1", "uint16_t": "2", "uint32_t": "4", "uint64_t": "8"} {
		if rest, ok := strings.CutPrefix(text, "("+cast+")"); ok {
			value, _ = findValue(strings.TrimSpace(rest))
			return value, bytes
		}
	}
	if len(text) == 3 && text[0] == '\'' && text[2] == '\'' {
		return "0x" + strconv.FormatUint(uint64(text[1]), 16), "1"
	}
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		return "", ""
	}
	size = "4"
	if n >= 1<<32 {
		size = "8"
	}
	return "0x" + strconv.FormatUint(n, 16), size
}
