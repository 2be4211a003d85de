// Package foreign knows the words of other debuggers, such as gdb, lldb, WinDbg, delve, llnode and jdb, and the lines
// of this one that do the same. Done translates a line with its operands (done.go and the files of lines);
// Meaning finds the words that have a counterpart, but no translation (table.go).
package foreign

import (
	"iter"
	"strings"

	"coredbg/commands/lang"
)

// Meaning finds the longest phrase that a line starts with, and returns it as typed with its row.
func Meaning(fields []string) (spelled string, p Phrase, ok bool) {
	for n := min(len(fields), 4); n > 0; n-- {
		spelled = strings.Join(fields[:n], " ")
		if p, ok = lookup(fields[:n]); ok {
			return spelled, p, true
		}
		if n == 2 && len(fields[1]) > 2 {
			if p, ok = misspelt(fields[0], fields[1]); ok {
				return spelled, p, true
			}
		}
	}
	// The format of gdb's "x/8i" and "p/x" and the number of WinDbg's "~0s"
	// follow the word directly.
	word := fields[0]
	if i := strings.IndexByte(word, '/'); i > 0 {
		p, ok = lookup([]string{word[:i]})
	} else if strings.HasPrefix(word, "~") {
		p, ok = lookup([]string{"~" + strings.TrimLeft(word[1:], "0123456789*#.")})
	}
	return word, p, ok
}

// lookup finds a phrase by its words; of several each but the first may be cut
// short.
func lookup(fields []string) (found Phrase, ok bool) {
	text := strings.Join(fields, " ")
	for _, p := range phrases {
		for _, w := range Split(p.words) {
			if w == text {
				return p, true
			}
		}
	}
	if len(fields) < 2 {
		return Phrase{}, false
	}
	for _, p := range phrases {
		for _, w := range Split(p.words) {
			if begins(strings.Fields(w), fields) {
				return p, true
			}
		}
	}
	return Phrase{}, false
}

// misspelt finds a phrase of two words or more whose first is right and whose second is
// nearly so: "info regs".
func misspelt(first, second string) (found Phrase, ok bool) {
	var seconds []string
	rows := map[string]Phrase{}
	for _, p := range phrases {
		for _, w := range Split(p.words) {
			if f := strings.Fields(w); len(f) == 2 && f[0] == first && rows[f[1]].Here == "" {
				seconds = append(seconds, f[1])
				rows[f[1]] = p
			}
		}
	}
	near := Nearest(second, seconds)
	return rows[near], near != ""
}

// Line returns the line that runs here for a line that begins with the phrase. typed are the line's words. It is the
// last resort: a variable of the program with that name comes first, but not a number that looks like the word.
func (p Phrase) Line(spelled string, typed []string) lang.Foreign {
	if spelled == "info" && len(typed) > 1 {
		hint := "there is no info " + typed[1]
		if near := nearInfo(typed[1]); near != "" {
			hint += "; did you mean info " + near + "?"
		}
		return lang.Foreign{Hint: hint, Weak: true}
	}
	f := lang.Foreign{Hint: spelled + ": " + p.Here}
	if p.run == "" {
		return f
	}
	f.Run, f.Last, f.Weak = p.run, true, strings.Trim(typed[0], "0123456789abcdef") != ""
	f.Note, f.Once = spelled+": "+p.run, spelled
	if left := typed[min(len(strings.Fields(spelled)), len(typed)):]; len(left) > 0 {
		f.Note, f.Once = f.Note+LeftOut+strings.Join(left, " "), ""
	}
	return f
}

// LeftOut comes before the operands that have no counterpart here.
const LeftOut = "; left out: "

// Words yields the phrases of other debuggers, separated by commas, with their counterparts here.
func Words() iter.Seq2[string, string] {
	return func(yield func(words, here string) bool) {
		for _, p := range phrases {
			if !yield(p.words, p.Here) {
				return
			}
		}
	}
}

// nearInfo returns the word after gdb's "info" that is closest to an unknown one; "" if all differ too much.
func nearInfo(word string) string {
	var names []string
	for _, d := range doings {
		for _, w := range Split(d.words) {
			if f := strings.Fields(w); len(f) == 2 && f[0] == "info" {
				names = append(names, f[1])
			}
		}
	}
	return Nearest(word, names)
}
