package oat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"coredbg/core"
	"coredbg/runtimes/art/dex"
)

// A DexFile is a dex file that an oat file was compiled from.
type DexFile struct {
	Location string
	// Checksum is the location checksum, from the dex file or from the entry of a jar.
	Checksum uint32
	// Offset is where the dex file is in the vdex file; 0 if it is not there.
	Offset uint32
	// ClassOffsets is the offset of a table with the offset of each class; 0
	// if nothing was compiled.
	ClassOffsets uint32
}

const (
	maxLocation = 4096
	// The number of words in a dex file's record after ClassOffsets: lookup table, dex layout sections, and
	// .bss mappings, whose number has grown.
	minRest, maxRest = 1, 12
)

// restOf is the number of words after ClassOffsets, from the nearest version
// that is known.
func restOf(version int) int {
	switch {
	case version < 131:
		return 2 // lookup table, methods' .bss
	case version < 189:
		return 5 // with dex layout, types and strings
	case version < 240:
		return 7 // with public and package types
	}
	return 8 // with method types
}

// DexFiles reads the list of dex files. On an error it returns the part read so far.
func (f *File) DexFiles() ([]DexFile, error) {
	at, end := f.Begin+core.Addr(f.dexFiles), f.Begin+core.Addr(f.Size)
	rest := restOf(f.Version)
	var list []DexFile
	for i := range f.DexFileCount {
		if at < f.Begin || at >= end {
			return list, fmt.Errorf("oat: OatDexFile %d at %v is outside the file", i, at)
		}
		d, next, err := f.dexFile(at)
		if err != nil {
			return list, fmt.Errorf("oat: OatDexFile %d at %v: %w", i, at, err)
		}
		list = append(list, d)
		if i+1 == f.DexFileCount {
			break
		}
		// The next record must begin with a location where it should; if it
		// does not, it is looked for.
		if rest = f.wordsTo(next, rest); rest < 0 {
			return list, fmt.Errorf("oat: OatDexFile %d does not follow that at %v", i+1, at)
		}
		at = next + core.Addr(rest)*4
	}
	return list, nil
}

// wordsTo returns the number of words from next to the record that follows,
// which most likely is n; -1 if none follows.
func (f *File) wordsTo(next core.Addr, n int) int {
	if _, _, err := f.dexFile(next + core.Addr(n)*4); err == nil {
		return n
	}
	for n := minRest; n <= maxRest; n++ {
		if _, _, err := f.dexFile(next + core.Addr(n)*4); err == nil {
			return n
		}
	}
	return -1
}

var errLocation = errors.New("no location")

// dexFile reads a record up to ClassOffsets: the location with its length, from
// some version after 225 on the dex file's magic, the checksum, with the magic
// also the SHA-1, and two offsets.
func (f *File) dexFile(at core.Addr) (d DexFile, next core.Addr, err error) {
	c := core.NewCursor(f.mem, binary.LittleEndian, 4)
	n := c.U32(at)
	if err := c.Err(); err != nil {
		return d, 0, err
	}
	if n == 0 || n > maxLocation {
		return d, 0, fmt.Errorf("%w: it has %d bytes", errLocation, n)
	}
	b, err := core.ReadBytes(f.mem, at+4, uint64(n))
	if err != nil {
		return d, 0, err
	}
	for _, ch := range b {
		if ch < ' ' || ch == 0x7f {
			return d, 0, errLocation
		}
	}
	d.Location = string(b)
	next = at + 4 + core.Addr(n)
	var magic [8]byte
	c.Bytes(magic[:], next)
	sha1 := core.Addr(0)
	if dex.Magic(magic[:]) {
		next += 8
		sha1 = 20
	}
	d.Checksum = c.U32(next)
	next += 4 + sha1
	d.Offset, d.ClassOffsets = c.U32(next), c.U32(next+4)
	if err := c.Err(); err != nil {
		return d, 0, err
	}
	if uint64(d.ClassOffsets) >= f.Size {
		return d, 0, fmt.Errorf("class offsets at %#x are outside the file, which has %#x bytes",
			d.ClassOffsets, f.Size)
	}
	return d, next + 8, nil
}

// A ClassType says which methods of a class have code (OatClassType).
type ClassType uint16

// The types of classes.
const (
	AllCompiled ClassType = iota
	SomeCompiled
	NoneCompiled
)

// String returns the type as upstream names it.
func (t ClassType) String() string {
	if t > NoneCompiled {
		return fmt.Sprintf("type %d", uint16(t))
	}
	return [...]string{"AllCompiled", "SomeCompiled", "NoneCompiled"}[t]
}

// A Class is an OatClass.
type Class struct {
	Status uint16 // ClassStatus, whose numbers depend on the version
	Type   ClassType
	// Methods is the number of methods, direct ones first; 0 if the file does
	// not say.
	Methods uint32

	file    *File
	bitmap  core.Addr // 0 if all methods have code
	offsets core.Addr
}

// maxMethods bounds the methods of a class, which dex numbers with 16 bits.
const maxMethods = 1 << 16

// Class returns the OatClass of a row of class_defs.
func (f *File) Class(d DexFile, classDef uint32) (Class, error) {
	if d.ClassOffsets == 0 {
		return Class{Type: NoneCompiled, file: f}, nil
	}
	fail := func(err error) (Class, error) {
		return Class{}, fmt.Errorf("oat: class %d of %q: %w", classDef, d.Location, err)
	}
	c := core.NewCursor(f.mem, binary.LittleEndian, 4)
	if uint64(d.ClassOffsets)+uint64(classDef)*4+4 > f.Size {
		return fail(fmt.Errorf("it is outside the file, which has %#x bytes", f.Size))
	}
	off := c.U32(f.Begin + core.Addr(d.ClassOffsets) + core.Addr(classDef)*4)
	if uint64(off) >= f.Size {
		return fail(fmt.Errorf("offset %#x is outside the file, which has %#x bytes", off, f.Size))
	}
	at := f.Begin + core.Addr(off)
	k := Class{Status: c.U16(at), Type: ClassType(c.U16(at + 2)), file: f}
	at += 4
	switch k.Type {
	case NoneCompiled:
	case AllCompiled, SomeCompiled:
		k.readMethods(c, at)
	default:
		return fail(fmt.Errorf("type %d is not known", k.Type))
	}
	if err := c.Err(); err != nil {
		return fail(err)
	}
	if k.Methods > maxMethods {
		return fail(fmt.Errorf("%d methods are more than a class has", k.Methods))
	}
	return k, nil
}

// readMethods reads what follows an OatClass: since Android 12 the number of
// methods; before, of classes with a bitmap, the bitmap's size in bytes.
func (k *Class) readMethods(c *core.Cursor, at core.Addr) {
	counted := k.file.Version >= 189
	some := k.Type == SomeCompiled
	if counted {
		k.Methods = c.U32(at)
		at += 4
	}
	if some {
		size := (k.Methods + 31) / 32 * 4
		if !counted {
			size = c.U32(at)
			at += 4
			k.Methods = min(size, maxMethods) * 8
		}
		k.bitmap = at
		at += core.Addr(size)
	}
	k.offsets = at
}

// Code returns the offset from oatdata of a method's code: its entry point, with the Thumb bit on arm. The
// method is given by its place in the class data, direct methods first. It returns 0 if the method is not
// compiled.
func (k *Class) Code(method uint32) (uint32, error) {
	if k.Type == NoneCompiled || k.Methods != 0 && method >= k.Methods {
		return 0, nil
	}
	c := core.NewCursor(k.file.mem, binary.LittleEndian, 4)
	row := method
	if k.bitmap != 0 {
		row = 0
		for w := uint32(0); w <= method/32; w++ {
			word := c.U32(k.bitmap + core.Addr(w)*4)
			if w == method/32 {
				if word>>(method%32)&1 == 0 {
					return 0, c.Err()
				}
				word &= 1<<(method%32) - 1
			}
			row += uint32(bits.OnesCount32(word))
		}
	}
	off := c.U32(k.offsets + core.Addr(row)*4)
	return off, c.Err()
}
