package foreign

import (
	"os/exec"
	"strings"
)

// Stages splits a text in another debugger's words from the rest: a command of this language after "|", or a
// program after "|" or "!", which comes after "!" here. rest is "" if nothing follows.
func Stages(text string) (words, rest string) {
	if words, rest = pipeOf(text); rest != "" {
		return words, rest
	}
	for i := 1; i < len(text)-1; i++ {
		if text[i-1] != ' ' || text[i] != '|' && text[i] != '!' || text[i+1] != ' ' {
			continue
		}
		words, rest = strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:])
		if text[i] == '|' && strings.HasPrefix(rest, "::") {
			return words, " | " + rest
		}
		if program := strings.Fields(rest); len(program) > 0 {
			if _, err := exec.LookPath(program[0]); err == nil {
				return words, " ! " + rest
			}
		}
	}
	return text, ""
}

// pipeOf splits gdb's "pipe COMMAND | PROGRAM", which may begin with "|" as well, and may name another delimiter. rest
// is "" for other texts.
func pipeOf(text string) (words, rest string) {
	head, tail, _ := strings.Cut(text, " ")
	if head != "pipe" && head != "|" {
		return text, ""
	}
	delimiter := "|"
	if option, after, _ := strings.Cut(strings.TrimSpace(tail), " "); option == "-d" {
		delimiter, tail, _ = strings.Cut(strings.TrimSpace(after), " ")
	}
	words, program, ok := strings.Cut(tail, delimiter)
	if words, program = strings.TrimSpace(words), strings.TrimSpace(program); !ok || words == "" || program == "" {
		return text, ""
	}
	return words, " ! " + program
}
