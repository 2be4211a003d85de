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
