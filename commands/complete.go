package commands

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"coredbg/commands/lang"
	"coredbg/core"
	"coredbg/core/sym"
)

// maxCandidates bounds what a completion offers: more would not help.
const maxCandidates = 500

// Complete returns the words that can be at byte offset pos of a line,
// sorted, with the parts of the line before and after the word.
func (s *Session) Complete(line string, pos int) (head string, words []string, tail string) {
	return completer{s}.complete(line, pos)
}

// A completer finds the words that can go on in a line.
type completer struct{ *Session }

func (s completer) complete(line string, pos int) (head string, words []string, tail string) {
	pos = max(0, min(pos, len(line)))
	c := lang.Complete(line, pos)
	other, foreign := s.inOtherWords(line[:pos])
	if foreign {
		c = other
	}
	_ = core.Guard(func() {
		if printers := s.printers(); foreign && slices.Contains(printers, c.Command) {
			words = s.values(printers, c.Prefix)
			return
		}
		words = s.candidates(c)
	})
	if len(words) == 0 && c.Want == lang.WantCommand {
		// "::" is within a name of C++, which has to be quoted.
		if start := scopedName(line[:pos]); start < c.Start-len("::") {
			c.Start, c.Prefix = start, line[start:pos]
			_ = core.Guard(func() { words = s.symbols(c) })
		}
	}
	slices.Sort(words)
	words = slices.Compact(words)
	return line[:c.Start], words, line[pos:]
}

// scopedName returns where the name that a text ends in starts, with its scopes.
func scopedName(text string) int {
	i := len(text)
	for i > 0 && (text[i-1] == '_' || text[i-1] == '`' || text[i-1] == ':' || text[i-1] == '~' ||
		'0' <= text[i-1] && text[i-1] <= '9' || 'a' <= text[i-1] && text[i-1] <= 'z' ||
		'A' <= text[i-1] && text[i-1] <= 'Z') {
		i--
	}
	return i
}

func (s completer) candidates(c lang.Completion) []string {
	switch c.Want {
	case lang.WantCommand:
		return s.names(c.Prefix, false)
	case lang.WantDollar:
		return s.names(c.Prefix, true)
	case lang.WantTopic:
		if name, ok := strings.CutPrefix(c.Prefix, "::"); ok {
			return titles(s.names(name, false))
		}
		return slices.Concat(s.names(c.Prefix, false), s.walkers(c.Prefix))
	case lang.WantWalker:
		return s.walkers(c.Prefix)
	case lang.WantOption:
		return s.options(c)
	case lang.WantVariable:
		return s.variables(c.Prefix)
	case lang.WantFile:
		return files(c.Prefix)
	case lang.WantSymbol:
		return s.symbols(c)
	case lang.WantArgument:
		return s.arguments(c)
	}
	return nil
}

// arguments returns the words for an operand, or for the argument of the option
// before it.
func (s completer) arguments(c lang.Completion) []string {
	cmd, ok := s.Commands.Command(c.Command)
	if !ok {
		return s.symbols(c)
	}
	words := cmd.Words
	before := strings.Fields(c.Before)
	if n := len(before); n > 0 {
		if o := cmd.pending(before[n-1]); o != nil {
			if words = o.Words; words == nil {
				return nil
			}
		}
	}
	if words == nil {
		return slices.Concat(s.symbols(c), s.places(c.Prefix))
	}
	return quoteWords(begin(words(s.Session, c.Prefix), c.Prefix), c.Quote)
}

// pending returns the option whose argument a cluster such as "-vn" or "+o"
// leaves to the next word, or nil.
func (c *Command) pending(cluster string) *Option {
	if len(cluster) < 2 || cluster[0] != '-' && cluster[0] != '+' || c.RawArgs ||
		c.long(strings.TrimLeft(cluster, "-")) != nil {
		return nil
	}
	for i := 1; i < len(cluster); i++ {
		o := c.option(cluster[i])
		if o == nil {
			return nil
		}
		if o.Arg != "" {
			if i+1 < len(cluster) {
				return nil
			}
			return o
		}
	}
	return nil
}

func begin(words []string, prefix string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return w == "" || !strings.HasPrefix(w, prefix) })
}

// quoteWords puts words with characters of the language in quotes: the open quotes, which are closed then, or
// double ones.
func quoteWords(words []string, open byte) []string {
	for i, w := range words {
		switch {
		case open != 0:
			words[i] = w + string(rune(open))
		case strings.ContainsAny(w, " \t;|!'$") || strings.Contains(w, "//"):
			words[i] = `"` + w + `"`
		}
	}
	return words
}

// names returns the commands that begin with prefix: dcmds, or the commands of "$" without it.
func (s completer) names(prefix string, dollar bool) []string {
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

// titles puts "::" before the names of commands.
func titles(names []string) []string {
	for i, n := range names {
		names[i] = "::" + n
	}
	return names
}

func (s completer) walkers(prefix string) []string {
	var all []string
	for _, w := range s.Commands.Walkers() {
		if strings.HasPrefix(w.Name, prefix) {
			all = append(all, w.Name)
		}
	}
	return all
}

// options returns the letters that can follow those typed already or, after a
// second dash, the long spellings.
func (s completer) options(c lang.Completion) []string {
	cmd, ok := s.Commands.Command(c.Command)
	if !ok {
		return nil
	}
	var all []string
	for _, o := range cmd.Options {
		if long, ok := strings.CutPrefix(c.Prefix, "-"); ok {
			if o.Long != "" && strings.HasPrefix(o.Long, long) {
				all = append(all, "-"+o.Long)
			}
		} else if strings.IndexByte(c.Prefix, o.Letter) < 0 {
			all = append(all, c.Prefix+string(rune(o.Letter)))
		}
	}
	return all
}

func (s completer) variables(prefix string) []string {
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

// symbols returns the names of symbols that begin with the word, which may name
// an object: "libc`pri". Names of C++ and Rust are offered as people read them,
// scope by scope where there are many, and in the quotes that they need.
func (s completer) symbols(c lang.Completion) []string {
	if s.Symbols == nil || c.Prefix == "" {
		return nil
	}
	object, start := "", c.Prefix
	if i := strings.LastIndexByte(start, '`'); i >= 0 {
		object, start = start[:i+1], start[i+1:]
	}
	var plain, scoped []string
	for _, m := range s.Process.Modules {
		if object != "" && !names(m, strings.TrimSuffix(object, "`")) {
			continue
		}
		s.Symbols.Prefix(m, start, func(y sym.Symbol) bool {
			plain = append(plain, object+y.Name)
			return len(plain) < maxCandidates
		})
		s.Symbols.Readable(m, start, func(name string) bool {
			scoped = append(scoped, name)
			return len(scoped) < maxReadable
		})
	}
	slices.Sort(scoped)
	scoped = byScope(slices.Compact(scoped), len(start))
	return slices.Concat(quoteWords(plain, c.Quote), quoteScoped(scoped, object, c.Quote))
}

// names reports whether m is the object that the name object stands for.
func names(m *core.Module, object string) bool {
	short, _, _ := strings.Cut(m.Name(), ".")
	return object == m.Path || object == m.Name() || object == short || object == "a.out" && m.Exe
}

const (
	maxReadable = 5000 // names that make scopes
	maxScoped   = 60   // more are offered by scope
)

// byScope cuts names after the scope that follows the first n bytes, if they
// are many.
func byScope(names []string, n int) []string {
	if len(names) <= maxScoped {
		return names
	}
	for i, name := range names {
		if j := strings.Index(name[n:], "::"); j >= 0 && !strings.ContainsAny(name[:n+j], "(<") {
			names[i] = name[:n+j+2]
		}
	}
	names = slices.Compact(names)
	return names[:min(len(names), maxCandidates)]
}

// quoteScoped puts readable names in quotes, which stay open after a scope.
func quoteScoped(names []string, object string, open byte) []string {
	for i, name := range names {
		quote := `"`
		if open != 0 {
			quote = string(rune(open))
		} else {
			names[i] = quote + object + name
		}
		if open != 0 {
			names[i] = object + name
		}
		if !strings.HasSuffix(name, "::") {
			names[i] += quote
		}
	}
	return names
}

// inOtherWords returns the completion of a line in another debugger's words, such as "list srv.cc:1": the one
// of the command that the words run here. ok is false for other lines.
func (s completer) inOtherWords(text string) (c lang.Completion, ok bool) {
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

// printers returns the commands that show a value: of native code, and of each language of the process.
func (s completer) printers() []string {
	names := []string{"print"}
	for _, line := range s.Views(Values) {
		names = append(names, strings.TrimPrefix(line, "::"))
	}
	return names
}

// values returns the words for a value of any language that begin with prefix.
func (s completer) values(printers []string, prefix string) (words []string) {
	for _, name := range printers {
		if cmd, ok := s.Commands.Command(name); ok && cmd.Words != nil {
			words = append(words, begin(cmd.Words(s.Session, prefix), prefix)...)
		}
	}
	return words
}

// places returns the lines of source that begin with prefix: the files' names with a colon, or the lines of a
// file that have code.
func (s completer) places(prefix string) (words []string) {
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
func (s completer) sourceFiles(prefix string) (words []string) {
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
