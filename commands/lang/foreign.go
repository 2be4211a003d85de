package lang

import "errors"

// translate returns the statement to run for a statement that may be in the words of another debugger: "bt",
// "info threads", "x/8i $pc". A statement of this language keeps its meaning: an expression, a symbol, a
// command. Two things give way, and only if they are a statement of their own: words that mean the same in all
// debuggers and are of no use as symbols ("quit"), and letters that would be a number ("f"), as a number can be
// written with a digit in front.
func (in *Interp) translate(text string, s *Stmt, err error, script bool) (*Stmt, error) {
	word, bare := bareWord(s)
	lost := false // the statement is a command that does not exist
	switch {
	case text == "":
		return s, err
	case err != nil:
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			return s, err
		}
	case bare:
	case shellOnly(s): // "!analyze"
	case text == "?" && in.dot == 0: // no object file has anything there
	case s.Addr == nil && len(s.Stages) == 1 && len(s.Stages[0].Name) == 2 && s.Stages[0].Name[0] == ':': // ":q"
	case s.Addr == nil && err == nil && len(s.Stages) == 1 && len(s.Stages[0].Name) > 1 && s.Stages[0].Name[0] == '$' && s.Stages[0].Name == text: // "$0"
		_, unknown := in.host.Command(text)
		if lost = unknown != nil; !lost {
			return s, nil
		}
	case s.Addr == nil:
		return s, nil
	case in.known(s.Addr) && err == nil && len(s.Stages) > 0 && s.Stages[0].Name != "" && s.Stages[0].Name[0] == '$': // "print $_siginfo"
		_, unknown := in.host.Command(s.Stages[0].Name)
		if lost = unknown != nil; !lost {
			return s, nil
		}
	case in.known(s.Addr):
		return s, nil
	}
	f, ok := in.host.Foreign(text)
	if !ok {
		return s, err
	}
	if f.Weak && err == nil && !lost && (s.Addr == nil || in.known(s.Addr)) {
		return s, nil
	}
	if bare && !f.Always {
		if _, symbol, _ := in.host.Symbol(word); symbol {
			if !script && f.Hint != "" {
				in.host.Note(word + " is a symbol here. " + f.Hint)
			}
			return s, nil
		}
	}
	if f.Run == "" {
		if bare && in.known(s.Addr) {
			f.Hint += "; the number is 0" + word
		}
		return nil, errors.New(f.Hint)
	}
	if f.Note != "" {
		in.host.Note(f.Note)
	}
	p := NewParser(f.Run)
	p.names = in
	return p.Next()
}

// known reports whether an expression has a value.
func (in *Interp) known(e Expr) bool {
	_, err := in.Value(e)
	return err == nil
}

func shellOnly(s *Stmt) bool {
	return s.HasShell && s.Addr == nil && s.Count == nil && len(s.Stages) == 0
}

// bareWord returns the only word of a statement.
func bareWord(s *Stmt) (string, bool) {
	if s == nil || s.Count != nil || len(s.Stages) > 0 || s.HasShell {
		return "", false
	}
	id, ok := s.Addr.(Ident)
	return id.Text, ok
}
