package lang

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"coredbg/core"
)

// script runs "$<file", which takes the place of the source that it is in,
// and "$<<file", which returns to it.
func (in *Interp) script(ctx context.Context, s *stage, inv *Invocation) error {
	if len(s.args) != 1 || s.args[0].IsNum || s.args[0].Text == "" {
		return usage("%s needs the name of one file", s.name)
	}
	src, err := in.open(s.args[0].Text)
	if err != nil {
		return err
	}
	if s.name == "$<" && !inv.Piped && inv.First {
		in.replaced = src
		return nil
	}
	before := in.failures
	if err := in.source(ctx, src, inv.Emit); err != nil {
		return err
	}
	if in.failures > before {
		return &FailedError{Count: in.failures - before}
	}
	return nil
}

// open reads a script: by its path if that has a slash, else from the current folder and then from the folders
// of Include.
func (in *Interp) open(name string) (*Source, error) {
	paths := []string{name}
	if !strings.ContainsRune(name, '/') && !filepath.IsAbs(name) {
		for _, dir := range in.Include {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	for _, p := range paths {
		text, err := in.readScript(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("failed to read script: %w", err)
		}
		return &Source{Name: p, Text: text, Script: true, Line: 1}, nil
	}
	return nil, fmt.Errorf("there is no script %q: tried %s", name, strings.Join(paths, ", "))
}

func (in *Interp) readScript(path string) (string, error) {
	open := in.Open
	if open == nil {
		open = os.Open
	}
	f, err := open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxText+1))
	return string(b), err
}

// assign runs ">name" and ">/c/name": it gives dot to a variable.
func (in *Interp) assign(s *stage, inv *Invocation) error {
	if len(s.args) != 1 || s.args[0].IsNum || !validName(s.args[0].Text) {
		return usage("\">\" needs the name of one variable")
	}
	v := uint64(inv.Dot)
	switch s.size {
	case 0, 'l', '8':
	case 'c', '1':
		v &= 1<<8 - 1
	case 's', '2':
		v &= 1<<16 - 1
	case 'i', '4':
		v &= 1<<32 - 1
	default:
		return usage("the size in \">/%c/\" is c, s, i or l", s.size)
	}
	name := s.args[0].Text
	if _, ok := in.host.Register(name); ok {
		return fmt.Errorf("register %q is read-only in a core", name)
	}
	in.expr.at.inc = 0
	in.Vars.Set(name, v)
	return nil
}

func validName(s string) bool {
	for i := range len(s) {
		if !isName(s[i]) {
			return false
		}
	}
	return s != ""
}

// A Value is a record that is a number: an element of a walk, the result of
// $[expr].
type Value struct {
	V     uint64
	radix int
}

// NewValue returns a record of v that prints in the default radix.
func (in *Interp) NewValue(v uint64) Value { return Value{V: v, radix: in.expr.radix} }

// Addr returns the number.
func (v Value) Addr() (core.Addr, bool) { return core.Addr(v.V), true }

// String returns the number in the radix with its prefix.
func (v Value) String() string { return formatRadix(v.V, v.radix, true) }

// MarshalJSON implements json.Marshaler.
func (v Value) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Type string    `json:"type" record:"value"`
		Addr core.Addr `json:"addr"` // the number
	}{"value", core.Addr(v.V)})
}

// A conditioner is a Host that says what shows the value of a condition in a block.
type conditioner interface {
	Condition(expression string) string
}

// A loop is left, or goes on with its next round.
var (
	errBreak    = errors.New("loop_break is not in a loop")
	errContinue = errors.New("loop_continue is not in a loop")
)

// block runs the block or the command of the user's own that comes next, and moves past it. done is false if there is
// none.
func (in *Interp) block(ctx context.Context, p *Parser, src *Source, emit func(Record) error) (done bool, err error) {
	host, ok := in.host.(conditioner)
	if !ok || src.Quiet {
		return false, nil
	}
	text := strings.TrimLeft(p.lex.text[p.lex.off:], " \t\r\n;")
	start := len(p.lex.text) - len(text)
	line, _, _ := strings.Cut(text, "\n")
	switch word := strings.TrimSpace(line); word {
	case "while", "if":
		p.lex.off = start + len(line)
		return true, fmt.Errorf("%s needs a condition, its lines, and \"end\"", word)
	case "loop_break":
		p.lex.off = start + len(line)
		return true, errBreak
	case "loop_continue":
		p.lex.off = start + len(line)
		return true, errContinue
	}
	if fields := strings.Fields(line); len(fields) > 0 && in.defined[fields[0]] != "" {
		p.lex.off = start + len(line)
		text, err := withArguments(in.defined[fields[0]], fields[1:])
		if err != nil {
			return true, fmt.Errorf("%s: %w", fields[0], err)
		}
		return true, in.lines(ctx, text, emit)
	}
	b, n, depth := blockAt(text)
	if b == nil {
		return false, nil
	}
	p.lex.off = start + n
	if depth > 0 {
		return true, fmt.Errorf("%s %s: its end is missing", b.word, b.rest)
	}
	return true, in.runBlock(ctx, host, b, emit)
}

func (in *Interp) runBlock(ctx context.Context, host conditioner, b *block, emit func(Record) error) error {
	switch b.word {
	case "document":
		return nil
	case "define":
		if in.defined == nil {
			in.defined = map[string]string{}
		}
		if len(in.defined) >= maxDefined {
			return fmt.Errorf("there are %d commands already", len(in.defined))
		}
		in.defined[b.rest] = b.body
		if b.body == "" {
			delete(in.defined, b.rest)
		}
		return nil
	}
	for {
		holds, err := in.truth(ctx, host.Condition(b.rest))
		switch {
		case err != nil:
			return err
		case b.word == "if" && !holds:
			return in.lines(ctx, b.other, emit)
		case b.word == "if":
			return in.lines(ctx, b.body, emit)
		case !holds:
			return nil
		}
		switch err := in.lines(ctx, b.body, emit); {
		case errors.Is(err, errBreak):
			return nil
		case err != nil && !errors.Is(err, errContinue):
			return err
		}
	}
}

// maxDefined bounds the commands of the user's own.
const maxDefined = 1024

// lines runs the lines of a block. The first that fails ends it.
func (in *Interp) lines(ctx context.Context, text string, emit func(Record) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if in.depth >= maxNesting {
		return Abort(fmt.Errorf("evaluation is nested more than %d deep", maxNesting))
	}
	in.depth++
	defer func() { in.depth-- }()
	return in.statements(ctx, &Source{Text: text, Script: true, fatal: true}, emit)
}

// truth runs a line that shows one value, and reports whether that is not 0.
func (in *Interp) truth(ctx context.Context, line string) (holds bool, err error) {
	shown := false
	err = in.statements(ctx, &Source{Text: line, Quiet: true, fatal: true}, func(r Record) error {
		if v, ok := r.(interface{ Addr() (core.Addr, bool) }); ok {
			if a, ok := v.Addr(); ok {
				holds, shown = a != 0, true
			}
		}
		return nil
	})
	if err == nil && !shown {
		err = errors.New("the condition has no value")
	}
	return holds, err
}
