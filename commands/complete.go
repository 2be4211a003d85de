package commands

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coredbg/commands/lang"
	"coredbg/core/sym"
)

// maxCandidates bounds what a completion offers: more is no help.
const maxCandidates = 500

// Complete returns the words that can stand at byte offset pos of a line,
// sorted, with the parts of the line before and behind the word.
func (s *Session) Complete(line string, pos int) (head string, words []string, tail string) {
	pos = max(0, min(pos, len(line)))
	c := lang.Complete(line, pos)
	words = s.candidates(c)
	slices.Sort(words)
	words = slices.Compact(words)
	return line[:c.Start], words, line[pos:]
}

func (s *Session) candidates(c lang.Completion) []string {
	switch c.Want {
	case lang.WantCommand:
		return s.names(c.Prefix, false)
	case lang.WantDollar:
		return s.names(c.Prefix, true)
	case lang.WantTopic:
		return slices.Concat(s.names(c.Prefix, false), s.walkers(c.Prefix))
	case lang.WantWalker:
		return s.walkers(c.Prefix)
	case lang.WantOption:
		return s.options(c)
	case lang.WantVariable:
		return s.variables(c.Prefix)
	case lang.WantFile:
		return files(c.Prefix)
	case lang.WantSymbol, lang.WantArgument:
		return s.symbols(c.Prefix)
	}
	return nil
}

// names returns the commands that begin with prefix: dcmds, or those of "$"
// without it.
func (s *Session) names(prefix string, dollar bool) []string {
	var all []string
	for _, c := range s.Commands.Commands() {
		for _, name := range []string{c.Name, c.Alias} {
			short, is := strings.CutPrefix(name, "$")
			if name != "" && is == dollar && strings.HasPrefix(short, prefix) {
				all = append(all, short)
			}
		}
	}
	return all
}

func (s *Session) walkers(prefix string) []string {
	var all []string
	for _, w := range s.Commands.Walkers() {
		if strings.HasPrefix(w.Name, prefix) {
			all = append(all, w.Name)
		}
	}
	return all
}

// options returns the letters that can follow those typed already.
func (s *Session) options(c lang.Completion) []string {
	cmd, ok := s.Commands.Command(c.Command)
	if !ok {
		return nil
	}
	var all []string
	for _, o := range cmd.Options {
		if strings.IndexByte(c.Prefix, o.Letter) < 0 {
			all = append(all, c.Prefix+string(rune(o.Letter)))
		}
	}
	return all
}

func (s *Session) variables(prefix string) []string {
	names := s.Lang.Vars.Names()
	if a := s.Process.Arch; a != nil && s.Thread != nil {
		names = slices.Concat(names, a.RegNames, []string{"thread", "pc", "sp", "fp"})
	}
	return slices.DeleteFunc(names, func(n string) bool { return n == "" || !strings.HasPrefix(n, prefix) })
}

// files returns the paths that begin with prefix; folders end in a slash.
func files(prefix string) []string {
	dir, base := filepath.Split(prefix)
	in := dir
	if in == "" {
		in = "."
	}
	entries, err := os.ReadDir(in)
	if err != nil {
		return nil
	}
	var all []string
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, base) || base == "" && strings.HasPrefix(name, ".") {
			continue
		}
		if e.IsDir() {
			name += "/"
		}
		if all = append(all, dir+name); len(all) >= maxCandidates {
			break
		}
	}
	return all
}

// symbols returns the names of symbols that begin with prefix, which may name
// an object: "libc`pri".
func (s *Session) symbols(prefix string) []string {
	if s.Symbols == nil || prefix == "" {
		return nil
	}
	object, start := "", prefix
	if i := strings.LastIndexByte(prefix, '`'); i >= 0 {
		object, start = prefix[:i], prefix[i+1:]
	}
	var all []string
	for _, m := range s.Process.Modules {
		short, _, _ := strings.Cut(m.Name(), ".")
		if object != "" && object != m.Path && object != m.Name() && object != short && !(object == "a.out" && m.Exe) {
			continue
		}
		s.Symbols.Prefix(m, start, func(y sym.Symbol) bool {
			name := y.Name
			if object != "" {
				name = object + "`" + name
			}
			all = append(all, name)
			return len(all) < maxCandidates
		})
	}
	return all
}
