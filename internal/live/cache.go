package main

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"io/fs"
	"os"

	"coredbg/core/file"
)

// measured is what was measured of a folder of live cores, kept in a file next to it.
type measured struct {
	Build  string // of the program and the commands; with another one nothing holds
	Blocks numbering
	Cores  map[string]measuredCore
}

// A measuredCore says which blocks a core reaches.
type measuredCore struct {
	Stamp   string // of the core's truth.json, which is written last
	Size    int64
	Reached blocks
}

// readMeasured reads what an earlier run has kept for the same program; nothing if there is none.
func readMeasured(path, build string) (*measured, error) {
	m := &measured{}
	text, err := os.ReadFile(path)
	if err == nil {
		err = gob.NewDecoder(bytes.NewReader(text)).Decode(m)
	}
	if errors.Is(err, fs.ErrNotExist) || err == nil && m.Build != build {
		return &measured{Build: build, Blocks: numbering{}, Cores: map[string]measuredCore{}}, nil
	}
	return m, err
}

// write keeps what was measured.
func (m *measured) write(ctx context.Context, path string) error {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(m); err != nil {
		return err
	}
	return file.WriteFile(ctx, path, b.Bytes(), true)
}
