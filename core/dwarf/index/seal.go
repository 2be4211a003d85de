package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// magic begins a sealed file. Version is the version of the bytes after it, and of the rules of
// core/dwarf that make them. A change of either needs a new Version.
const (
	magic   = "coredbg index\n\x00\x00"
	Version = 4
)

// sealSize is the size of the fields before the bytes: magic, version, length of the source,
// length and sum of the bytes. It leaves out the source itself.
const sealSize = len(magic) + 4 + 4 + 8 + 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Seal returns the header of a file with data that was made from source.
func Seal(source, data []byte) []byte {
	out := append(make([]byte, 0, sealSize+len(source)+8), magic...)
	out = binary.LittleEndian.AppendUint32(out, Version)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(source)))
	out = binary.LittleEndian.AppendUint64(out, uint64(len(data)))
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(data, castagnoli))
	return append(out, source...)
}

// Why a file is not taken.
var (
	ErrFormat  = errors.New("not an index of this version")
	ErrOther   = errors.New("the index of another file")
	ErrDamaged = errors.New("the index is damaged")
)

// Open returns the data of a sealed file if it is intact and was made from source. The data is a part of
// file.
func Open(source, file []byte) ([]byte, error) {
	if len(file) < sealSize || string(file[:len(magic)]) != magic {
		return nil, ErrFormat
	}
	b := file[len(magic):]
	version, names, size, sum := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]),
		binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint32(b[16:])
	if version != Version {
		return nil, ErrFormat
	}
	file = file[sealSize:]
	if uint64(names) > uint64(len(file)) || !bytes.Equal(file[:names], source) {
		return nil, ErrOther
	}
	data := file[names:]
	if uint64(len(data)) != size || crc32.Checksum(data, castagnoli) != sum {
		return nil, ErrDamaged
	}
	return data, nil
}
