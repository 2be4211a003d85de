package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// magic begins a sealed file, and Version is that of what follows it: of the bytes of indexes, and of the
// rules by which core/dwarf makes them. A change of either needs another one.
const (
	magic   = "coredbg index\n\x00\x00"
	Version = 4
)

// sealSize is what precedes the bytes: magic, version, length of of, length and sum of the bytes.
const sealSize = len(magic) + 4 + 4 + 8 + 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Seal returns what precedes bytes in a file, which say by of what they are made of.
func Seal(of, data []byte) []byte {
	out := append(make([]byte, 0, sealSize+len(of)+8), magic...)
	out = binary.LittleEndian.AppendUint32(out, Version)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(of)))
	out = binary.LittleEndian.AppendUint64(out, uint64(len(data)))
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(data, castagnoli))
	return append(out, of...)
}

// Why a file is not taken.
var (
	ErrFormat  = errors.New("not an index of this version")
	ErrOther   = errors.New("the index of another file")
	ErrDamaged = errors.New("the index is damaged")
)

// Open returns the bytes that were sealed, lent by file, if they are whole and were made of of.
func Open(of, file []byte) ([]byte, error) {
	if len(file) < sealSize || string(file[:len(magic)]) != magic {
		return nil, ErrFormat
	}
	b := file[len(magic):]
	version, names, size, sum := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint32(b[16:])
	if version != Version {
		return nil, ErrFormat
	}
	file = file[sealSize:]
	if uint64(names) > uint64(len(file)) || !bytes.Equal(file[:names], of) {
		return nil, ErrOther
	}
	data := file[names:]
	if uint64(len(data)) != size || crc32.Checksum(data, castagnoli) != sum {
		return nil, ErrDamaged
	}
	return data, nil
}
