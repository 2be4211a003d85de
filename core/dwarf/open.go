package dwarf

import (
	"encoding/binary"
	"sync"

	"coredbg/core"
)

// Open reads the units' headers of an image. It fails with ErrNone if the image has no DWARF, and keeps
// the units before an unreadable one. Other files are opened on demand; files may be nil.
func Open(img core.Image, order binary.ByteOrder, files Files) (*Data, error) {
	own, err := open(img, order, "")
	if err != nil {
		return nil, err
	}
	d := &Data{own: own, files: files, byName: map[string]*indexed{}}
	own.belong(d)
	own.link = readLink(img, order)
	d.index = sync.OnceValue(d.makeIndex)
	d.tables = sync.OnceValue(d.readTables)
	d.code = sync.OnceValue(d.makeCode)
	d.described = sync.OnceValue(d.readDescribed)
	d.constants = sync.OnceValue(d.readConstants)
	d.imports = sync.OnceValue(d.readImports)
	d.whole = sync.OnceValues(d.openPackage)
	return d, nil
}

// Partly says why what is found by name may be there all the same: units that cannot be read,
// as where the file that has the rest of one is missing. It is nil if all can be read, and reads
// all of them.
func (d *Data) Partly() error { return d.index().partly }
