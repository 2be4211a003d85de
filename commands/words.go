package commands

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"coredbg/commands/foreign"
	"coredbg/commands/lang"
)

// A reply is what is done for a phrase in place of an answer.
type reply struct {
	words  string
	run    string
	always bool // where a symbol has the name, too
}

// replies are the phrases that mean the same in all debuggers.
var replies = []reply{
	{"quit, exit", "::quit", true},
	{"q, .exit, qd, bye, logout, :q, :q!, :wq, :x, !quit, !exit", "::quit", false},
	{"help", "::help", true},
	{"h, man, ?, .help, !help, ?help, :h, :help", "::help", false},
}

// printers are the words that show a value, in whatever language it is.
var printers = []string{"p", "print", "po", "expr", "expression", "inspect", "call", "output", "display", "watch",
	"explore", "copy", "pp", "whatis", "ptype"}

// surely are words that are done even where a symbol has their name, as backtrace is one
// of glibc's.
var surely = []string{"bt", "backtrace", "where", "up", "down", "list", "locals", "threads", "types", "args",
	"regs", "goroutines"}

// translate returns what a text in the words of another debugger is here.
func (r *Registry) translate(text string) (lang.Foreign, bool) {
	fields := strings.Fields(strings.ToLower(text))
	if len(fields) == 0 {
		return lang.Foreign{}, false
	}
	if line, phrase, _, _ := foreign.Done(fields[:1]); line != "" && phrase == "clear()" { // of a console
		return lang.Foreign{Run: line, Always: true}, true
	}
	if word, ok := strings.CutSuffix(fields[0], "()"); ok && word != "" {
		fields[0] = word
		text = word + text[strings.Index(text, "()")+2:]
	}
	if fields[0] == "i" && len(fields) > 1 { // gdb's for info
		return r.translate("info " + strings.Join(strings.Fields(text)[1:], " "))
	}
	if f, ok := r.answer(fields); ok {
		return f, true
	}
	if line, phrase, left, weak := foreign.Done(strings.Fields(text)); line != "" {
		f := lang.Foreign{Run: line, Note: phrase + ": " + line, Once: phrase, Hint: phrase + ": here that is " + line,
			Always: slices.Contains(surely, phrase), Weak: weak}
		if line == foreign.RunningLine && foreign.IsRunning(phrase) {
			f.Note, f.Always = phrase+": "+foreign.NothingRuns+line, true
		}
		if hint := r.unknownFilter(left); hint != "" {
			return lang.Foreign{Hint: hint, Always: f.Always}, true
		}
		if len(left) > 0 {
			f.Note, f.Once = f.Note+foreign.LeftOut+strings.Join(left, " "), ""
		}
		return f, true
	}
	if spelled, p, ok := foreign.Meaning(fields); ok {
		return p.Line(spelled, strings.Fields(text)), true
	}
	word, _, _ := strings.Cut(fields[0], "/")
	if full := foreign.Unabbreviated(word); full != "" {
		f, ok := r.translate(full + text[len(word):])
		f.Weak = true
		return f, ok
	}
	if inner, ok := consoleArguments(text); ok {
		return r.translate("p " + inner)
	}
	if _, ok := r.Command(fields[0]); ok && !strings.HasPrefix(fields[0], "$") {
		line := "::" + strings.TrimSpace(text)
		return lang.Foreign{Run: line, Note: fields[0] + ": a command starts with two colons: " + title(fields[0]),
			Once: fields[0], Weak: true}, true
	}
	return r.misspelt(fields[0])
}

// misspelt names the command, of gdb or of this debugger, that an unknown word is nearly.
func (r *Registry) misspelt(word string) (lang.Foreign, bool) {
	if len(word) < 4 || word[0] < 'a' || word[0] > 'z' {
		return lang.Foreign{}, false
	}
	near := foreign.NearCommand(word, r.names())
	if near == "" {
		return lang.Foreign{}, false
	}
	if _, own := r.Command(near); own {
		near = title(near)
	}
	return lang.Foreign{Hint: fmt.Sprintf("unknown symbol %q; did you mean %s?", word, near), Weak: true}, true
}

// consoleArguments returns what "console.log(x)" shows. The text may have any method of console that shows values.
func consoleArguments(text string) (inner string, ok bool) {
	name, rest, called := strings.Cut(text, "(")
	inner, closed := strings.CutSuffix(strings.TrimSuffix(strings.TrimSpace(rest), ";"), ")")
	if inner = strings.TrimSpace(inner); !called || !closed || inner == "" {
		return "", false
	}
	method, of := strings.CutPrefix(name, "console.")
	return inner, of && slices.Contains([]string{"log", "info", "warn", "error", "debug", "dir", "table"}, method)
}

// answer returns the statement to run for one of the replies. Requests for help are passed on.
func (r *Registry) answer(fields []string) (lang.Foreign, bool) {
	for _, p := range replies {
		for _, w := range foreign.Split(p.words) {
			if w != fields[0] {
				continue
			}
			if p.run != "::help" {
				return lang.Foreign{Run: p.run, Always: p.always}, true
			}
			topic := strings.Join(fields[1:], " ")
			if topic == "" {
				return lang.Foreign{Run: p.run, Always: p.always}, true
			}
			_, own := r.Command(strings.TrimPrefix(topic, "::"))
			if line, _, _, _ := foreign.Done(fields[1:]); line != "" && !own {
				name, _, _ := strings.Cut(strings.TrimPrefix(line, "::"), " ")
				if _, is := r.Command(name); is && strings.HasPrefix(line, "::") {
					return lang.Foreign{Run: p.run + " " + name, Note: topic + ": " + line}, true
				}
			}
			if _, m, ok := foreign.Meaning(fields[1:]); ok && !own {
				return lang.Foreign{Hint: topic + ": " + m.Here}, true
			}
			if strings.ContainsAny(topic, " ;|!'\"$[]\\") {
				return lang.Foreign{Run: p.run}, true
			}
			return lang.Foreign{Run: p.run + " '" + topic + "'"}, true
		}
	}
	return lang.Foreign{}, false
}

// Foreign implements lang.Translator. In a pipeline it is the last stage that
// counts; after "!" comes a program, if there is one of the name.
func (h langHost) Foreign(text string) (lang.Foreign, bool) {
	if shell, ok := strings.CutPrefix(text, "!"); ok {
		if f := strings.Fields(shell); len(f) == 0 {
			return lang.Foreign{}, false
		} else if _, err := exec.LookPath(f[0]); err == nil {
			return lang.Foreign{}, false
		}
		text = "!" + strings.TrimSpace(shell)
	}
	if run, ok := h.Aliases.statement(text); ok {
		return lang.Foreign{Run: run, Always: true}, true
	}
	if rest, ok := strings.CutPrefix(text, "alias "); ok { // what is behind "|" is the line's
		return lang.Foreign{Run: "::alias " + operandOf(strings.TrimSpace(rest)), Always: true}, true
	}
	f, ok := h.Commands.translate(text)
	if ok {
		h.suit(&f, text)
	}
	f, ok = h.guessed(text, f, ok)
	if words, rest := foreign.Stages(text); rest != "" {
		if cut, is := h.Commands.translate(words); is && cut.Run != "" {
			f, ok = cut, true
			f.Run += rest
		}
	}
	if !ok {
		return h.piped(text)
	}
	if f.Once != "" && !h.Session.first(f.Once) {
		f.Note = ""
	}
	return f, true
}

// suit adapts the line that runs for a text to the current frame, and to the runtimes of the process.
func (h langHost) suit(f *lang.Foreign, text string) {
	if _, framed := h.FrameOf(h.Session.Thread); framed {
		if line := foreign.InFrame(f.Run); line != "" {
			f.Note, f.Run = strings.Replace(f.Note, f.Run, line, 1), line
		}
	}
	if instead, lacks := foreign.Suited(f.Run, h.found); instead != "" {
		word, _, _ := strings.Cut(text, " ")
		if phrase, _, is := strings.Cut(f.Note, ": "); is {
			word = phrase
		}
		f.Run, f.Note, f.Once = instead, word+": the process has no "+lacks+"; "+instead, word
	}
}

// found returns the languages and the runtimes of the process.
func (h langHost) found() (names []string) {
	for _, l := range h.Session.Languages() {
		names = append(names, string(l))
	}
	return append(names, h.Session.RuntimeNames()...)
}

// Condition returns the line that shows the value of a condition in a block of gdb's language.
func (h langHost) Condition(expression string) string { return "::print -- " + lang.Quote(expression) }

// Program returns the line to run instead of a whole line that is a program in the language of the process.
func (h langHost) Program(line string) string {
	if h.Session.Program == nil {
		return ""
	}
	return h.Session.Program(line)
}

// Note implements lang.Translator.
func (h langHost) Note(text string) { h.Session.note(text) }

// first reports whether a word of another debugger has not been explained in this session,
// and takes it as explained.
func (s *Shell) first(word string) bool {
	if s.translated[word] {
		return false
	}
	if s.translated == nil {
		s.translated = map[string]bool{}
	}
	if len(s.translated) < maxTranslated {
		s.translated[word] = true
	}
	return true
}

// maxTranslated bounds the words that are remembered.
const maxTranslated = 1024

// piped is Foreign for the last stage of a pipeline.
func (h langHost) piped(text string) (lang.Foreign, bool) {
	i := strings.LastIndexByte(text, '|')
	if i < 0 {
		return lang.Foreign{}, false
	}
	left, right := strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:])
	if f := strings.Fields(right); len(f) > 0 && strings.Trim(f[0], "abcdefghijklmnopqrstuvwxyz0123456789-_") == "" {
		if _, err := exec.LookPath(f[0]); err == nil && left != "" {
			return lang.Foreign{Hint: "\"!\" comes before a command of the shell: " + left + " ! " + right}, true
		}
	}
	f, ok := h.Commands.translate(text[i+1:])
	return lang.Foreign{Hint: f.Hint}, ok && f.Run == ""
}
