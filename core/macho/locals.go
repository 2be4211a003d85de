package macho

import (
	"bytes"
	"io"

	"coredbg/core"
	"coredbg/core/macho/format"
)

// Locals are the local symbols of an image that the builder of the shared cache took out of it.
type Locals struct {
	Table   []byte      // of nlist_64
	Strings core.Source // their names
	Err     error       // why there are none
}

// name returns the name at an offset of the strings.
func (l *Locals) name(at uint32) []byte {
	w, err := l.Strings.Window(int64(at))
	if err != nil && err != io.EOF {
		return nil
	}
	w = w[:min(len(w), format.MaxSymbolName)]
	if i := bytes.IndexByte(w, 0); i >= 0 {
		return w[:i:i]
	}
	return w
}

// SetLocals gives the image its local symbols. Call it before reading its symbols.
func (f *File) SetLocals(locals func() Locals) { f.locals = locals }
