package commands

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"coredbg/commands/lang"
)

// inOtherWords returns the completion of a line in another debugger's words, such as "list srv.cc:1": the one of the command that
// the words run here. ok is false for other lines.
func (s *Session) inOtherWords(text string) (c lang.Completion, ok bool) {
	start := strings.LastIndexByte(text, ' ') + 1
	fields := strings.Fields(text[:start])
	if len(fields) == 0 || len(fields) > 3 || strings.ContainsAny(text, "|!;\"'") || strings.Contains(fields[0], "::") {
		return c, false
	}
	f, ok := s.Commands.translate(strings.Join(fields, " ") + " x")
	if !ok || !strings.HasPrefix(f.Run, "::") || f.Last {
		return c, false
	}
	name, _, _ := strings.Cut(f.Run[2:], " ")
	return lang.Completion{Want: lang.WantArgument, Command: name, Start: start, Prefix: text[start:]}, true
}

// printing are the commands that show a value, each in its language.
var printing = []string{"print", "jsprint", "javaprint"}

// values returns the words for a value of any language.
func (s *Session) values(c lang.Completion) (words []string) {
	for _, name := range printing {
		if cmd, ok := s.Commands.Command(name); ok && cmd.Words != nil {
			words = append(words, begin(cmd.Words(s, c.Prefix), c.Prefix)...)
		}
	}
	return words
}

// places returns the lines of source that begin with prefix: the files' names with a colon, or the lines of a file that have
// code.
func (s *Session) places(prefix string) (words []string) {
	if s.Symbols == nil || prefix == "" {
		return nil
	}
	file, _, ok := strings.Cut(prefix, ":")
	if !ok {
		return s.sourceFiles(prefix)
	}
	for _, n := range s.Symbols.Coded(file) {
		if word := file + ":" + strconv.Itoa(n); strings.HasPrefix(word, prefix) && len(words) < maxCandidates {
			words = append(words, word)
		}
	}
	return words
}

// sourceFiles returns the names of source files that begin with prefix, with a colon.
func (s *Session) sourceFiles(prefix string) (words []string) {
	for _, m := range s.Process.Modules {
		s.Symbols.Files(m, func(name string) bool {
			if base := path.Base(name); strings.HasPrefix(base, prefix) && !slices.Contains(words, base+":") {
				words = append(words, base+":")
			}
			return len(words) < maxCandidates
		})
	}
	return words
}
