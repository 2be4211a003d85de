package coredbg

import (
	"encoding/binary"
	"fmt"

	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/core/file"
)

// A shape is what a file is by its first bytes.
type shape uint8

const (
	otherShape shape = iota // or one that cannot be read
	coreShape
	imageShape // an executable or a library
)

// Operands returns the paths of an executable and a core in their order: people
// give them the other way round, and other debuggers want them so. It fails if
// both are cores.
func Operands(executable, corePath string) (exe, c string, swapped bool, err error) {
	if shapeOf(executable) != coreShape {
		return executable, corePath, false, nil
	}
	switch shapeOf(corePath) {
	case imageShape:
		return corePath, executable, true, nil
	case coreShape:
		return "", "", false, fmt.Errorf("%s is a core file, where the executable belongs; one core is opened at a time", executable)
	}
	return executable, corePath, false, nil
}

// The file types of ELF (gABI 4.1, "ELF Header") and Mach-O
// (EXTERNAL_HEADERS/mach-o/loader.h of xnu).
const (
	elfExec, elfDyn, elfCore        = 2, 3, 4
	machoExecute, machoCore         = 2, 4
	machoMagic64, machoMagic32      = 0xfeedfacf, 0xfeedface
	elfTypeOffset, machoTypeOffset  = 16, 12
	elfDataOffset, elfDataBigEndian = 5, 2
)

// IsCore reports whether the file at path begins as a core or a bundle does and is not
// compressed.
func IsCore(path string) bool { return shapeOf(path) == coreShape }

// IsImage reports whether the file at path begins as a program or a library does.
func IsImage(path string) bool { return shapeOf(path) == imageShape }

func shapeOf(path string) shape {
	src, err := file.Map(path)
	if err != nil {
		return otherShape
	}
	defer src.Close()
	if bundle.Is(src) {
		return coreShape
	}
	head, err := core.SourceSlice(src, 0, 20)
	if err != nil {
		return otherShape
	}
	if string(head[:4]) == "\x7fELF" {
		var order binary.ByteOrder = binary.LittleEndian
		if head[elfDataOffset] == elfDataBigEndian {
			order = binary.BigEndian
		}
		return shapeOfType(uint32(order.Uint16(head[elfTypeOffset:])), elfCore, elfExec, elfDyn)
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if m := order.Uint32(head); m == machoMagic64 || m == machoMagic32 {
			return shapeOfType(order.Uint32(head[machoTypeOffset:]), machoCore, machoExecute)
		}
	}
	return otherShape
}

func shapeOfType(t, core uint32, images ...uint32) shape {
	if t == core {
		return coreShape
	}
	for _, image := range images {
		if t == image {
			return imageShape
		}
	}
	return otherShape
}
