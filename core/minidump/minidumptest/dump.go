// Package minidumptest writes minidumps for the tests of their readers: from scratch, or from a process
// of another format's core.
package minidumptest

import (
	"encoding/binary"
	"slices"
	"unicode/utf16"

	"coredbg/core"
)

// Processors and platforms, as in SystemInfo.
const (
	CPUX86, CPUARM, CPUAMD64, CPUARM64 = 0, 5, 9, 12
	Windows, Mac, Linux                = 2, 0x8101, 0x8201
)

// Types of streams.
const (
	ThreadList, ModuleList, MemoryList, Exception = 3, 4, 5, 6
	SystemInfo, Memory64List, MiscInfo            = 7, 9, 15
	MemoryInfoList, ThreadNames, Crashpad         = 16, 24, 0x43500001
	ProcStatus, CmdLine, Auxv, Maps               = 0x47670004, 0x47670006, 0x47670008, 0x47670009
	CommentA, Environ, UnloadedModuleList         = 10, 0x47670007, 14
)

var le = binary.LittleEndian

// A Dump is a minidump to be. Its directory comes last in the file.
type Dump struct {
	b       []byte
	streams [][3]uint32 // type, size, rva
	threads []byte
	modules []byte
	memory  []byte
	full    [][2]uint64 // of Memory64List, whose bytes come last of all
	bytes   []byte
}

// New returns a dump of a processor and a platform.
func New(cpu uint16, platform uint32) *Dump {
	d := &Dump{b: make([]byte, 32)}
	info := make([]byte, 56)
	le.PutUint16(info, cpu)
	le.PutUint32(info[20:], platform)
	return d.Stream(SystemInfo, info)
}

// Put appends data and returns its offset.
func (d *Dump) Put(data []byte) uint32 {
	for len(d.b)%8 != 0 {
		d.b = append(d.b, 0)
	}
	at := uint32(len(d.b))
	d.b = append(d.b, data...)
	return at
}

// Stream adds a stream.
func (d *Dump) Stream(typ uint32, data []byte) *Dump {
	at := d.Put(data)
	d.streams = append(d.streams, [3]uint32{typ, uint32(len(data)), at})
	return d
}

// UTF16 puts a string and returns its offset.
func (d *Dump) UTF16(s string) uint32 {
	units := utf16.Encode([]rune(s))
	b := le.AppendUint32(nil, uint32(2*len(units)))
	for _, u := range units {
		b = le.AppendUint16(b, u)
	}
	return d.Put(append(b, 0, 0))
}

// UTF8 puts a string as Crashpad's records have them, and returns its offset.
func (d *Dump) UTF8(s string) uint32 {
	return d.Put(append(le.AppendUint32(nil, uint32(len(s))), s+"\x00"...))
}

// Words returns words of 32 bits.
func Words(w ...uint32) (b []byte) {
	for _, v := range w {
		b = le.AppendUint32(b, v)
	}
	return b
}

// Thread adds a thread with a context, the thread pointer, and memory of its stack.
func (d *Dump) Thread(tid uint32, context []byte, teb uint64, stack core.Addr, data []byte) *Dump {
	e := le.AppendUint64(Words(tid, 0, 0, 0), teb)
	e = le.AppendUint64(e, uint64(stack))
	at := uint32(0)
	if len(data) > 0 {
		at = d.Put(data)
	}
	e = append(e, Words(uint32(len(data)), at, uint32(len(context)), d.Put(context))...)
	d.threads = append(d.threads, e...)
	return d
}

// Module adds a module with its CodeView record.
func (d *Dump) Module(path string, base core.Addr, size uint32, codeView []byte) *Dump {
	e := make([]byte, 108)
	le.PutUint64(e, uint64(base))
	le.PutUint32(e[8:], size)
	le.PutUint32(e[20:], d.UTF16(path))
	le.PutUint32(e[76:], uint32(len(codeView)))
	le.PutUint32(e[80:], d.Put(codeView))
	d.modules = append(d.modules, e...)
	return d
}

// ELF returns a CodeView record with a build-id.
func ELF(buildID []byte) []byte { return append([]byte("LEpB"), buildID...) }

// RSDS returns a CodeView record of a PDB, or of an image that has only a UUID.
func RSDS(guid []byte, age uint32, pdb string) []byte {
	b := append([]byte("RSDS"), guid...)
	return append(le.AppendUint32(b, age), pdb+"\x00"...)
}

// Memory adds a range to MemoryList.
func (d *Dump) Memory(a core.Addr, data []byte) *Dump {
	e := le.AppendUint64(nil, uint64(a))
	d.memory = append(d.memory, append(e, Words(uint32(len(data)), d.Put(data))...)...)
	return d
}

// Full adds a range to Memory64List.
func (d *Dump) Full(a core.Addr, data []byte) *Dump {
	d.full = append(d.full, [2]uint64{uint64(a), uint64(len(data))})
	d.bytes = append(d.bytes, data...)
	return d
}

// Died adds the exception of a thread.
func (d *Dump) Died(tid, code, flags uint32, a core.Addr, context []byte, info ...uint64) *Dump {
	e := make([]byte, 168)
	le.PutUint32(e, tid)
	le.PutUint32(e[8:], code)
	le.PutUint32(e[12:], flags)
	le.PutUint64(e[24:], uint64(a))
	le.PutUint32(e[32:], uint32(len(info)))
	for i, v := range info {
		le.PutUint64(e[40+8*i:], v)
	}
	le.PutUint32(e[160:], uint32(len(context)))
	le.PutUint32(e[164:], d.Put(context))
	return d.Stream(Exception, e)
}

// Crashpad adds CrashpadInfo with annotations of the process, and with annotation objects
// of the module of an index.
func (d *Dump) Crashpad(simple [][2]string, module uint32, objects [][2]string) *Dump {
	pairs := Words(uint32(len(simple)))
	for _, s := range simple {
		pairs = append(pairs, Words(d.UTF8(s[0]), d.UTF8(s[1]))...)
	}
	list := Words(uint32(len(objects)))
	for _, o := range objects {
		const text = 1
		list = append(list, Words(d.UTF8(o[0]), text, d.UTF8(o[1]))...)
	}
	info := Words(1, 0, 0, 0, 0, uint32(len(list)), d.Put(list))
	modules := Words(1, module, uint32(len(info)), d.Put(info))
	b := Words(1, 1, 2, 3, 4, 0, 0, 0, 0, uint32(len(pairs)), d.Put(pairs), uint32(len(modules)),
		d.Put(modules), 0, 0, 0)
	return d.Stream(Crashpad, b)
}

// Lie overwrites a word of a stream that was added, at an offset in it.
func (d *Dump) Lie(typ uint32, off int, word uint32) *Dump {
	for _, s := range d.streams {
		if s[0] == typ {
			le.PutUint32(d.b[int(s[2])+off:], word)
		}
	}
	return d
}

// Drop takes the streams of a type out of the directory.
func (d *Dump) Drop(typ uint32) *Dump {
	d.streams = slices.DeleteFunc(d.streams, func(s [3]uint32) bool { return s[0] == typ })
	return d
}

// Bytes returns the file.
func (d *Dump) Bytes() []byte {
	list := func(typ uint32, entries []byte, size int) {
		if len(entries) > 0 {
			d.Stream(typ, append(Words(uint32(len(entries)/size)), entries...))
		}
	}
	list(ThreadList, d.threads, 48)
	list(ModuleList, d.modules, 108)
	list(MemoryList, d.memory, 16)
	d.threads, d.modules, d.memory = nil, nil, nil
	if n := len(d.full); n > 0 {
		d.streams = append(d.streams, [3]uint32{Memory64List, uint32(16 + 16*n), d.Put(nil)})
		table := d.Put(make([]byte, 16+16*n))
		directory := 12 * len(d.streams)
		base := uint64(len(d.b)+7)&^7 + uint64(directory)
		le.PutUint64(d.b[table:], uint64(n))
		le.PutUint64(d.b[table+8:], base)
		for i, r := range d.full {
			le.PutUint64(d.b[int(table)+16+16*i:], r[0])
			le.PutUint64(d.b[int(table)+24+16*i:], r[1])
		}
		d.full = nil
	}
	var directory []byte
	for _, s := range d.streams {
		directory = append(directory, Words(s[:]...)...)
	}
	at := d.Put(directory)
	copy(d.b, "MDMP")
	le.PutUint32(d.b[4:], 0xa793)
	le.PutUint32(d.b[8:], uint32(len(d.streams)))
	le.PutUint32(d.b[12:], at)
	return append(d.b, d.bytes...)
}
