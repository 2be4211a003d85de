package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"coredbg/core/file"
)

// A target is the folder that a run writes to. On this machine files are written beside,
// and moved there once all are whole; other file systems have their own way.
type target struct {
	folder string
	beside string // "" elsewhere
	names  []string
}

func newTarget(folder string) (*target, error) {
	t := &target{folder: folder}
	if strings.Contains(folder, "://") {
		return t, nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("writing to %s: %w", folder, err)
	}
	abs, err := filepath.Abs(folder)
	if err == nil {
		t.beside, err = os.MkdirTemp(abs, ".run-")
	}
	if err != nil {
		return nil, fmt.Errorf("writing to %s: %w", folder, err)
	}
	return t, nil
}

// file returns where a worker writes a file.
func (t *target) file(name string) string {
	t.names = append(t.names, name)
	if t.beside == "" {
		return strings.TrimSuffix(t.folder, "/") + "/" + path.Base(name)
	}
	return filepath.Join(t.beside, name)
}

// commit puts the files into their places.
func (t *target) commit(ctx context.Context) error {
	if t.beside == "" {
		return nil
	}
	for _, name := range t.names {
		if err := t.place(ctx, name); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
	}
	return nil
}

// place writes a file anew where it belongs: who may read it is not what Beam made of it.
func (t *target) place(ctx context.Context, name string) error {
	from, err := os.Open(filepath.Join(t.beside, name))
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := file.Create(ctx, filepath.Join(t.folder, name), true)
	if err != nil {
		return err
	}
	defer to.Close()
	if _, err := io.Copy(to, from); err != nil {
		return err
	}
	return to.Commit()
}

// remove removes what was not committed.
func (t *target) remove() {
	if t.beside != "" {
		os.RemoveAll(t.beside)
	}
}
