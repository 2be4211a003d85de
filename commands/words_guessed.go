package commands

import (
	"slices"
	"strings"

	"coredbg/commands/foreign"
	"coredbg/commands/lang"
)

// guessed returns what a console of the process's language would do with a text, if that means more than f does.
func (h langHost) guessed(text string, f lang.Foreign, ok bool) (lang.Foreign, bool) {
	if h.Guess == nil {
		return f, ok
	}
	console := strings.HasPrefix(text, "console.")
	if !f.Always { // a console may look at the whole heap
		if variable := h.variableOf(text); variable != "" {
			return lang.Foreign{Run: variable, Note: text + ": " + variable, Once: variable, Always: true}, true
		}
	}
	// "this" is a word of the table, and "a = b" is one of lldb's and MDB's.
	if !ok || f.Weak || strings.ToLower(text) != text || console || f.Last || f.Run == "" ||
		f.Run == foreign.RunningLine || text == "this" || strings.Contains(text, " = ") {
		if line, left := h.Guess(text, true); line != "" { // as in the console of a browser
			// "T" is no "t"
			f, ok = lang.Foreign{Run: line, Note: text + ": " + line, Once: line, Always: len(text) > 2,
				Weak: len(text) <= 2}, true
			if left != "" {
				f.Note, f.Once = f.Note+foreign.LeftOut+left, ""
			}
		} else if line, _ := h.Guess(text, false); line != "" && (!ok || console || f.Run == "" && f.Weak) {
			f, ok = lang.Foreign{Run: line, Weak: true}, true
		}
	}
	if expression := printedBy(text); expression != "" {
		if line, _ := h.Guess(expression, true); line != "" {
			return lang.Foreign{Run: line, Note: text + ": " + line, Once: line}, true
		}
	}
	return h.named(text, f, ok)
}

// printedBy returns the expression that a word for printing is followed by, in the form that a format of gdb's asks
// for, as JavaScript has it; "" for other texts.
func printedBy(text string) string {
	word, name, is := strings.Cut(text, " ")
	word, format, formed := strings.Cut(word, "/")
	name = strings.TrimSpace(name)
	if !is || name == "" || text == "call stack" || !slices.Contains(printers, word) && !typeWords[word] {
		return ""
	}
	form, known := jsForms[strings.Trim(format, "bhwg")]
	switch {
	case !formed || typeWords[word]:
		return name
	case !known || strings.Trim(name, "0123456789abcdefxABCDEF+-*/() ") == "":
		return ""
	}
	return strings.ReplaceAll(form, "%", "("+name+")")
}

// typeWords are words for the type of a value: a value of JavaScript shows its own.
var typeWords = map[string]bool{"whatis": true, "ptype": true}

// jsForms are expressions of JavaScript for gdb's formats of a value, which is in place of %.
var jsForms = map[string]string{"": "%", "d": "%", "u": "%", "s": "%", "x": "'0x' + %.toString(16)",
	"o": "'0' + %.toString(8)", "t": "%.toString(2)", "c": "String.fromCharCode(%)"}

// named returns the meaning of a name alone in a process whose language has a console: never a symbol of a library,
// nor a short number without digits.
func (h langHost) named(text string, f lang.Foreign, ok bool) (lang.Foreign, bool) {
	name := strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$") == ""
	if !name || f.Always || len(text) > 3 && strings.Trim(text, "abcdefABCDEF") == "" {
		return f, ok
	}
	line, _ := h.Guess(text, false)
	switch {
	case line == "":
	case !ok || f.Run == line:
		return lang.Foreign{Run: line, Always: true}, true
	case f.Run != "":
		f.Always, f.Weak = true, false
	}
	return f, ok
}

// variableOf returns the line that shows a variable, if a text is a name and a console knows a variable with that
// name: it comes before words of other debuggers, and before numbers without a digit.
func (h langHost) variableOf(text string) string {
	name := strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$") == "" && text != "this" &&
		!strings.HasPrefix(text, "$")
	if _, own := h.Commands.Command(text); !name || own {
		return ""
	}
	line, left := h.Guess(text, true)
	if left != "" {
		return "" // it is no variable
	}
	return line
}
