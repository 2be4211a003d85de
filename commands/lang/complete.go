package lang

import "strings"

// A Want is a kind of word that can be completed.
type Want uint8

// The kinds of words.
const (
	WantNothing  Want = iota
	WantCommand       // after "::"
	WantDollar        // after "$"
	WantOption        // after "-", of Completion.Command
	WantWalker        // the first word of ::walk
	WantTopic         // the word of ::help
	WantArgument      // another word of Completion.Command
	WantSymbol        // in an expression
	WantVariable      // after "<"
	WantFile          // after "$<", "$>", "!"
)

// A Completion says what is at a place in a line.
type Completion struct {
	Want    Want
	Start   int    // byte offset where the word starts
	Prefix  string // the word up to the place
	Command string // the command that the word belongs to, without "::"
	Index   int    // of the word among the command's
	Before  string // the command's words before it, as typed
	Quote   byte   // the quote that the word is within, or 0
}

// Complete looks at the word that ends at byte offset pos of a line, as far as
// it is typed. It never fails: where nothing can be said it wants nothing.
func Complete(line string, pos int) Completion {
	text := line[:max(0, min(pos, len(line)))]
	start, shell, open := stageStart(text)
	stage := text[start:]
	word := func(want Want, name string) Completion {
		n := strings.LastIndexAny(stage, " \t'\"") + 1
		return Completion{Want: want, Start: start + n, Prefix: stage[n:], Command: name}
	}
	if shell {
		return word(WantFile, "")
	}
	verb := verbIndex(stage)
	if verb < 0 {
		if open != 0 {
			n := strings.LastIndexByte(text, open) + 1
			return Completion{Want: WantSymbol, Start: n, Prefix: text[n:], Quote: open}
		}
		return expression(text, start)
	}
	rest := stage[verb:]
	for _, v := range []string{"$<<", "$<", "$>"} {
		if strings.HasPrefix(rest, v) {
			trimmed := strings.TrimLeft(rest[len(v):], " \t")
			return Completion{Want: WantFile, Start: len(text) - len(trimmed), Prefix: trimmed, Command: v}
		}
	}
	if i := strings.LastIndex(rest, "$["); i >= 0 && !strings.Contains(rest[i:], "]") {
		return expression(text, start+verb+i+2)
	}
	if rest[0] == '$' && len(rest) <= 2 {
		return Completion{Want: WantDollar, Start: start + verb + 1, Prefix: rest[1:]}
	}
	if !strings.HasPrefix(rest, "::") {
		return Completion{Start: len(text)}
	}
	name, args, hasArgs := strings.Cut(strings.TrimLeft(rest[2:], " \t"), " ")
	if !hasArgs {
		return Completion{Want: WantCommand, Start: len(text) - len(name), Prefix: name}
	}
	c := word(argumentWant(name), name)
	c.Quote = open
	c.Before = strings.TrimRight(args[:max(len(args)-len(c.Prefix), 0)], " \t'\"")
	c.Index = len(strings.Fields(c.Before))
	switch {
	case strings.HasPrefix(c.Prefix, "-") || strings.HasPrefix(c.Prefix, "+"):
		c.Want = WantOption
		c.Start++
		c.Prefix = c.Prefix[1:]
	case c.Want == WantWalker && c.Index > 0:
		c.Want = WantNothing
	}
	return c
}

func argumentWant(name string) Want {
	switch name {
	case "walk":
		return WantWalker
	case "help":
		return WantTopic
	case "cat", "log":
		return WantFile
	}
	return WantArgument
}

// stageStart returns where the last stage of a text starts, whether that is a
// shell command, and the quote that is open, or 0.
func stageStart(text string) (start int, shell bool, open byte) {
	quote := byte(0)
	for i := range len(text) {
		c := text[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == ';' || c == '\n':
			start, shell = i+1, false
		case shell:
		case c == '\'' || c == '"':
			quote = c
		case c == '|':
			start = i + 1
		case c == '!' && !strings.HasPrefix(text[i:], "!="):
			start, shell = i+1, true
		}
	}
	return start, shell, quote
}

// verbIndex returns where the command of a stage starts, or -1.
func verbIndex(stage string) int {
	quote := byte(0)
	for i := range len(stage) {
		c := stage[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '$', c == ':', c == '?', c == '@', c == '\\':
			return i
		case c == '/' && !sized(stage[:i]):
			return i
		case c == '=' && !strings.HasPrefix(stage[i:], "==") && (i == 0 || stage[i-1] != '!' && stage[i-1] != '='):
			return i
		}
	}
	return -1
}

// sized reports whether a "/" after text is one of the two of a sized read,
// "*/4/".
func sized(text string) bool {
	text = strings.TrimRight(text, " \t")
	n := len(text)
	return n > 0 && (text[n-1] == '*' || text[n-1] == '%') ||
		n > 2 && text[n-2] == '/' && (text[n-3] == '*' || text[n-3] == '%')
}

// expression completes the symbol or variable at the end of an expression.
func expression(text string, from int) Completion {
	i := len(text)
	for i > from && isName(text[i-1]) {
		i--
	}
	c := Completion{Want: WantSymbol, Start: i, Prefix: text[i:]}
	switch {
	case i > from && text[i-1] == '<' && (i-1 == from || text[i-2] != '<'):
		c.Want = WantVariable
	case c.Prefix == "" || isDigit(c.Prefix[0]):
		c.Want = WantNothing
	}
	return c
}
