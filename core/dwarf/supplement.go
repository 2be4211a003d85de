package dwarf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"coredbg/core"
	"coredbg/core/dwarf/format"
)

// A supLink leads to the file that an image shares entries and strings with others by: made by
// dwz -m, named in .gnu_debugaltlink (the GDB manual, "Separate Debug Files") or in .debug_sup
// (DWARF 5, section 7.3.6).
type supLink struct {
	name string
	id   []byte

	once sync.Once
	d    *part
	err  error
}

// readLink reads an image's link; it returns nil if there is no link.
func readLink(img core.Image, order binary.ByteOrder) *supLink {
	if s, err := img.Section(".gnu_debugaltlink"); err == nil && len(s.Data) > 0 {
		b := core.BufAt(s.Data, 0, order)
		name := b.CString()
		return &supLink{name: string(name), id: b.Data[b.Off:]}
	}
	is, name, id := readSup(img, order)
	if is || name == "" {
		return nil
	}
	return &supLink{name: name, id: id}
}

// readSup reads .debug_sup: whether the image is what others share, and if not, the name of that
// file; with its checksum.
func readSup(img core.Image, order binary.ByteOrder) (is bool, name string, id []byte) {
	s, err := img.Section(".debug_sup")
	if err != nil {
		return false, "", nil
	}
	b := core.BufAt(s.Data, 0, order)
	if b.U16() != 5 {
		return false, "", nil
	}
	is, name = b.U8() != 0, string(b.CString())
	id = b.Bytes(b.ULEB())
	if b.Bad {
		return false, "", nil
	}
	return is, name, id
}

// Checksum returns the checksum that a file which others share has in its .debug_sup; nil if it is
// none.
func Checksum(img core.Image, order binary.ByteOrder) []byte {
	if is, _, id := readSup(img, order); is {
		return id
	}
	return nil
}

// supplement returns what d shares with others; nil if it shares nothing, or why it cannot be had.
func (d *part) supplement() (*part, error) {
	l := d.main.link
	if l == nil {
		return nil, nil
	}
	l.once.Do(func() {
		if l.d, l.err = d.openSupplement(l); l.err != nil {
			l.d, l.err = nil, fmt.Errorf("the file that it shares types and names with, %s: %w", l.name, l.err)
		}
	})
	return l.d, l.err
}

func (d *part) openSupplement(l *supLink) (*part, error) {
	if d.root.files == nil {
		return nil, errors.New("it is not looked for")
	}
	img, err := d.root.files.Supplement(l.name, l.id)
	if err != nil {
		return nil, err
	}
	if readLink(img, d.order) != nil {
		return nil, errors.New("it leads to another one itself")
	}
	s, err := open(img, d.order, "")
	if err != nil {
		return nil, err
	}
	s.sup = true
	s.belong(d.root)
	return s, nil
}

// readImports returns, for each partial unit of the image and of its supplement, a unit that imports it
// (DWARF 5, section 3.2.5).
func (d *Data) readImports() map[*Unit]*Unit {
	out := map[*Unit]*Unit{}
	var follow func(u, by *Unit)
	follow = func(u, by *Unit) {
		r := u.reader(u.first)
		if e, ok := r.next(); !ok || !e.Children {
			return
		}
		for {
			e, ok := r.next()
			if !ok || e.Tag != format.TagImportedUnit {
				return // dwz has them before all others
			}
			at, ok := e.attr(format.AtImport).ref()
			if !ok {
				continue
			}
			if x := at.d.unitOf(at.off); out[x] == nil {
				out[x] = by
				follow(x, by)
			}
			r.skipChildren(e)
		}
	}
	for _, u := range d.own.units {
		if u.load(); !u.partial && u.lost == nil {
			follow(u, u)
		}
	}
	return out
}
