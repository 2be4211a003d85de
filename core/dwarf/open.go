package dwarf

import (
	"encoding/binary"
	"encoding/hex"
	"sync"

	"coredbg/core"
	"coredbg/core/dwarf/index"
	"coredbg/core/dwarf/nametable"
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
	d.tables = sync.OnceValue(func() []nametable.Table {
		return nametable.Read(own.GDBIndex, own.Names, own.Str, own.order)
	})
	d.code = sync.OnceValue(d.makeCode)
	d.described = sync.OnceValue(d.readDescribed)
	d.constants = sync.OnceValue(d.readConstants)
	d.imports = sync.OnceValue(d.readImports)
	d.whole = sync.OnceValues(d.openPackage)
	return d, nil
}

// Keep makes d keep its indexes by the build-id of the file: which unit has an address, and which
// entries have a name. Call it before any query. It keeps no index of a file without a build-id, of an
// incomplete file, or if .debug_info has less than min bytes.
func (d *Data) Keep(in Keeper, id []byte, min int) {
	p := d.own
	if in == nil || len(id) < 2 || len(id) > 64 || len(p.Info.Data) < min || p.broken != nil ||
		len(p.Info.Gaps)+len(p.TypeInfo.Gaps) > 0 || p.Lost != nil {
		return
	}
	d.kept = &kept{in: in, name: hex.EncodeToString(id), of: sync.OnceValue(func() []byte { return p.fingerprint(id) })}
}

// fingerprint tells files with one build-id apart: it covers all bytes of the sections, and where all units are.
func (d *part) fingerprint(id []byte) []byte {
	sum := index.NewFingerprint(d.order.String())
	for _, s := range [][]byte{d.Info.Data, d.TypeInfo.Data, d.Abbrev, d.Str, d.LineStr, d.StrOffsets, d.Addr, d.Ranges,
		d.Rnglists, d.Aranges} {
		sum.Bytes(s)
	}
	for _, list := range [][]*Unit{d.units, d.kinUnits()} {
		sum.Number(uint64(len(list)))
		for _, u := range list {
			sum.Number(uint64(u.Off))
			sum.Number(u.abbrev)
		}
	}
	return sum.Sum(append([]byte(nil), id...))
}
