package elf

import (
	stdelf "debug/elf"
	"encoding/binary"
	"testing"

	"coredbg/core/elf/elftest"
)

func FuzzFile(f *testing.F) {
	f.Add(elftest.AMD64().Library([]byte("build-id"), 1024, 0))
	f.Add(elftest.New(stdelf.EM_S390, binary.BigEndian, true).Library([]byte("build-id"), 1024, 0))
	f.Add(withSections(elftest.AMD64(), []string{".text", "*.debug_info", ".zdebug_line"},
		[][]byte{{1}, {1, 0, 0, 0}, []byte("ZLIB")}))
	f.Fuzz(func(t *testing.T, data []byte) { exercise(data) })
}
