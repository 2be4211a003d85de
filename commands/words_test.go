package commands

import (
	"strings"
	"testing"

	"coredbg/commands/foreign"
)

// TestInfoAbbreviated: gdb's "i" is its "info".
func TestInfoAbbreviated(t *testing.T) {
	r := NewRegistry(nil)
	for line, want := range map[string]string{"i lo": "::locals", "i f 2": "::frame -v 2", "i th": "::threads"} {
		if f, ok := r.translate(line); !ok || f.Run != want {
			t.Errorf("%s: %+v, not %s", line, f, want)
		}
	}
}

// TestAbbreviated: gdb takes each unique beginning of a command. Truth: GDB manual, "Command Syntax"; "p" and
// "li" have rows or are unique among its commands, "dis" is another word here, and "sh" is ambiguous.
func TestAbbreviated(t *testing.T) {
	r := NewRegistry(nil)
	for line, want := range map[string]string{
		"inf locals": "::locals", "inf lo": "::locals", "inf thr": "::threads", "info thr": "::threads",
		"i r": "::regs -g", "inf reg rip": "::regs -g rip", "inf fr": "::frame -v",
		"inf sh": "::objects", "thr 2": "::thread -n 2", "backt": "::stack", "backt 3": "::stack 3",
		"disp x": "::print x", "disp/i $pc": "::print -- '$pc' | ::examine i", "wher": "::stack", "fini": "::frame -u 1",
		"fram 2": "::frame 2", "lis main": "::source -i main", "contin": "::status", "thr apply all bt": "::stacks -a",
		"x/i $pc": "::print -- '$pc' | ::examine i",
	} {
		if f, ok := r.translate(line); !ok || f.Run != want {
			t.Errorf("%s: %+v, not %s", line, f, want)
		}
	}
	for _, line := range []string{"s", "z", "infos", "refr", "se 3"} {
		if full := foreign.Unabbreviated(strings.Fields(line)[0]); full == "info" || full == "set" {
			t.Errorf("%s begins %s alone", line, full)
		}
	}
}

// TestConsoleWords: methods of console that show values print them in every process. Truth: the Console
// Standard, "Logging".
func TestConsoleWords(t *testing.T) {
	r := NewRegistry(nil)
	for line, want := range map[string]string{
		"console.log(x)": "::print x", "console.error(a.b);": "::print a.b", "console.trace()": "::jsstack",
		"console.dir( list->next )": "::print 'list->next'", "console.log()": "", "console.time('a')": "",
		"consol.log(x)": "",
	} {
		if f, _ := r.translate(line); f.Run != want {
			t.Errorf("%s: %+v, not %q", line, f, want)
		}
	}
}

// TestVariableOf: a variable that a console knows comes before words of other debuggers, but not before those
// that mean one thing everywhere, nor before commands of this one.
func TestVariableOf(t *testing.T) {
	h := langHost{&Session{Shell: Shell{Commands: NewRegistry([]Command{{Name: "status"}})}}}
	h.Guess = func(text string, sure bool) (line, left string) {
		if text == "bt" || text == "quit" {
			t.Errorf("the heap is looked at for %s", text)
		}
		if sure && (text == "dir" || text == "e" || text == "status") {
			line = "::jsprint " + text
		}
		return line, ""
	}
	for text, want := range map[string]string{
		"dir": "::jsprint dir", "e": "::jsprint e", "bt": "::stack", "quit": "::quit", "lm": "::objects",
	} {
		f, _ := h.Commands.translate(text)
		if f, ok := h.guessed(text, f, f.Run != ""); !ok || !strings.HasPrefix(f.Run, want) || f.Weak && text == "e" {
			t.Errorf("%s: %+v, want %s", text, f, want)
		}
	}
	if line := h.variableOf("status"); line != "" {
		t.Errorf("status: %s", line)
	}
}

// TestEveryWordRuns: each word of the table runs a line, also without operands. The exceptions need a text, a file or a
// program, and say so.
func TestEveryWordRuns(t *testing.T) {
	r := NewRegistry(nil)
	needs := map[string]bool{}
	for _, w := range strings.Fields("echo eval find search memory_find searchmem findtext strings searchtext hprof heap_dump gc.heap_dump log .logopen .logclose " +
		"logging set_logging_on logopen tee script transcript shell clear make cd .shell platform_shell sh pipe system cmd commandfile command " +
		"!help_sos history show_commands !history show_history hist") {
		needs[strings.ReplaceAll(w, "_", " ")] = true
		needs[w] = true
	}
	for words := range foreign.Words() {
		for _, w := range foreign.Split(words) {
			if f, ok := r.translate(w); !ok || f.Run == "" && !needs[w] {
				t.Errorf("%s: %q", w, f.Hint)
			}
		}
	}
}
