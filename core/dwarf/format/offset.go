package format

import "encoding/binary"

// An Offset is where an entry lies: in bytes from the start of .debug_info.
type Offset uint64

// BigEndian reports whether the first byte of a number is its most significant one.
func BigEndian(o binary.ByteOrder) bool { return o != binary.LittleEndian }
