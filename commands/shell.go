package commands

import (
	"reflect"

	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
)

// A Shell runs lines: it has the commands, the language with its aliases, and the state that stays from line to line,
// such as the log.
type Shell struct {
	Commands *Registry
	Lang     *lang.Interp
	// Prompt is what the debugger asks for a line with.
	Prompt string
	// Aliases are words that stand for lines.
	Aliases Aliases
	// Questions are the questions that ::help answers.
	Questions []Question
	// Guess returns the line that shows what a text means in the language of the process, such as
	// "sessions[0].user"; "" if it means nothing there. left is the part of the text that the line does not answer.
	// It may be nil.
	Guess func(text string, sure bool) (line, left string)
	// Program returns the line to run instead of a whole line that is a program in the language of the process; ""
	// for other lines. It may be nil.
	Program func(text string) string
	// Examined is the memory that ::examine showed last.
	Examined Examined

	log     *out.Log
	logName string
	// kept is what packages of commands keep in the session: see Keep.
	kept map[reflect.Type]any
	// translated are the words of other debuggers whose meaning was said.
	translated      map[string]bool
	warnedTruncated bool   // WarnCut has spoken
	head            string // the heading last written
	shellHead       string // the heading last written to a shell command
}

// An Examined is how memory was last shown, and where: gdb's letters and count, the last unit, and the next address.
// The zero value means that no memory was shown.
type Examined struct {
	Letter, Size byte
	Count        int
	Last, Next   core.Addr
}

// Typed copies a line that was typed at the prompt to the log, if there is one.
func (s *Shell) Typed(line string) {
	if s.log != nil {
		s.log.Typed(s.Prompt, line)
	}
}

// LogName returns the name of the log, or "" if there is none.
func (s *Shell) LogName() string { return s.logName }

// Keep keeps state that a package's commands share in a session. T is a type of that package; a session has one T.
func Keep[T any](s *Session, x *T) {
	if s.kept == nil {
		s.kept = map[reflect.Type]any{}
	}
	s.kept[reflect.TypeFor[T]()] = x
}

// Kept returns the session's T, or nil before Keep.
func Kept[T any](s *Session) *T {
	x, _ := s.kept[reflect.TypeFor[T]()].(*T)
	return x
}
