package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// The tiny program and its core are made here byte by byte, so that each
// address in the scripts is known from this file: it is their truth.
//
//	_start 0x400400  xor %ebp,%ebp; call main; hlt
//	main   0x400410  push %rbp; mov %rsp,%rbp; call middle; pop %rbp; ret
//	middle 0x400420  push %rbp; mov %rsp,%rbp; call crash; pop %rbp; ret
//	crash  0x400430  push %rbp; mov %rsp,%rbp; xor %eax,%eax; movl $7,0x10(%rax); …
//	waiter 0x400450  push %rbp; mov %rsp,%rbp; syscall; pop %rbp; ret
//	greeting 0x402000 "hello, world", an object of 16 bytes
//	pointer  0x402010 the address of greeting
//
// Thread 4711 died in crash at 0x400436 of a write to 0x10; thread 4712 sits
// in waiter after its system call.
const (
	tinyText   = 0x400000
	tinyData   = 0x402000
	tinyStack  = 0x7ffd00000000
	tinyStack2 = 0x7f0000000000
	tinyPage   = 0x1000
)

var le = binary.LittleEndian

// words packs integers and byte strings, little-endian.
func words(parts ...any) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		if err := binary.Write(&b, le, p); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

func padded(b []byte, n int) []byte { return append(b, make([]byte, n-len(b))...) }

func tinyTextPage() []byte {
	page := make([]byte, tinyPage)
	call := func(at, to int) []byte { return append([]byte{0xe8}, words(int32(to-at-5))...) }
	enter := []byte{0x55, 0x48, 0x89, 0xe5}
	leave := []byte{0x5d, 0xc3}
	put := func(at int, code ...[]byte) { copy(page[at:], bytes.Join(code, nil)) }
	put(0x400, []byte{0x31, 0xed}, call(0x402, 0x410), []byte{0xf4})
	put(0x410, enter, call(0x414, 0x420), leave)
	put(0x420, enter, call(0x424, 0x430), leave)
	put(0x430, enter, []byte{0x31, 0xc0, 0xc7, 0x40, 0x10, 7, 0, 0, 0}, leave)
	put(0x450, enter, []byte{0x0f, 0x05}, leave)
	return page
}

func tinyDataPage() []byte {
	return padded(append(padded([]byte("hello, world"), 16), words(uint64(tinyData))...), tinyPage)
}

// elfHeader is an ELF header for x86-64; see the gABI, "ELF Header".
func elfHeader(typ uint16, entry, phoff, shoff uint64, phnum, shnum, shstrndx int) []byte {
	return words([]byte("\x7fELF\x02\x01\x01"), make([]byte, 9), typ, uint16(62), uint32(1), entry, phoff, shoff,
		uint32(0), uint16(64), uint16(56), uint16(phnum), uint16(64), uint16(shnum), uint16(shstrndx))
}

func programHeader(typ, flags uint32, off, addr uint64, filesz, memsz int) []byte {
	return words(typ, flags, off, addr, addr, uint64(filesz), uint64(memsz), uint64(1))
}

func note(owner string, typ uint32, desc []byte) []byte {
	name := padded([]byte(owner), len(owner)+1)
	for len(name)%4 != 0 {
		name = append(name, 0)
	}
	b := words(uint32(len(owner)+1), uint32(len(desc)), typ, name, desc)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

// tinyExecutable returns the program's file: a page of text that begins with
// the ELF header, a page of data, and a symbol table.
func tinyExecutable(buildID byte) []byte {
	text, data := tinyTextPage(), tinyDataPage()
	id := note("GNU", 3, bytes.Repeat([]byte{buildID}, 20)) // NT_GNU_BUILD_ID
	const idAt = 64 + 3*56
	copy(text[idAt:], id)

	strtab := []byte{0}
	symtab := make([]byte, 24)
	for _, s := range []struct {
		name        string
		info        byte
		shndx       uint16
		value, size uint64
	}{
		{"crash", 0x02, 1, 0x400430, 15}, // local ones come first
		{"_start", 0x12, 1, 0x400400, 8}, {"main", 0x12, 1, 0x400410, 11}, {"middle", 0x12, 1, 0x400420, 11},
		{"waiter", 0x12, 1, 0x400450, 8},
		{"greeting", 0x11, 2, tinyData, 16}, {"pointer", 0x11, 2, tinyData + 16, 8},
	} {
		symtab = append(symtab, words(uint32(len(strtab)), s.info, byte(0), s.shndx, s.value, s.size)...)
		strtab = append(append(strtab, s.name...), 0)
	}
	shstrtab := []byte("\x00.text\x00.data\x00.symtab\x00.strtab\x00.shstrtab\x00.note.gnu.build-id\x00")
	nameOf := func(s string) uint32 { return uint32(bytes.Index(shstrtab, []byte("\x00"+s+"\x00")) + 1) }

	file := append(text, data...)
	var sections bytes.Buffer
	sections.Write(make([]byte, 64))
	section := func(name string, typ uint32, flags, addr, off uint64, size int, link, info uint32, entsize uint64) {
		sections.Write(words(nameOf(name), typ, flags, addr, off, uint64(size), link, info, uint64(1), entsize))
	}
	section(".text", 1, 6, 0x400400, 0x400, 0x100, 0, 0, 0)
	section(".data", 1, 3, tinyData, tinyPage, 0x20, 0, 0, 0)
	section(".symtab", 2, 0, 0, uint64(len(file)), len(symtab), 4, 2, 24)
	file = append(file, symtab...)
	section(".strtab", 3, 0, 0, uint64(len(file)), len(strtab), 0, 0, 0)
	file = append(file, strtab...)
	section(".shstrtab", 3, 0, 0, uint64(len(file)), len(shstrtab), 0, 0, 0)
	file = append(file, shstrtab...)
	section(".note.gnu.build-id", 7, 2, tinyText+idAt, idAt, len(id), 0, 0, 0)
	shoff := len(file)
	file = append(file, sections.Bytes()...)

	copy(file, elfHeader(2, 0x400400, 64, uint64(shoff), 3, 7, 5))
	copy(file[64:], bytes.Join([][]byte{
		programHeader(1, 5, 0, tinyText, tinyPage, tinyPage),
		programHeader(1, 6, tinyPage, tinyData, tinyPage, tinyPage),
		programHeader(4, 4, idAt, tinyText+idAt, len(id), len(id)),
	}, nil))
	return file
}

// tinyRegs is user_regs_struct of x86-64 (Linux, asm/user_64.h) in its order:
// r15 … r8, rax, rcx, rdx, rsi, rdi, orig_rax, rip, cs, eflags, rsp, ss, ….
func tinyRegs(rip, rsp, rbp, rbx uint64) []byte {
	regs := make([]uint64, 27)
	regs[4], regs[5] = rbp, rbx
	regs[16], regs[17], regs[18], regs[19], regs[20] = rip, 0x33, 0x10246, rsp, 0x2b
	return words(regs)
}

// prstatus is struct elf_prstatus (Linux, linux/elfcore.h).
func prstatus(tid int, sig uint16, regs []byte) []byte {
	head := padded(words(uint32(sig), uint32(0), uint32(0), sig), 32)
	return append(append(padded(append(head, words(uint32(tid))...), 112), regs...), make([]byte, 8)...)
}

// tinyVectors is the top of the stack as the kernel makes it: argc, argv, the
// environment, the auxiliary vector, strings.
func tinyVectors(at uint64) (block, auxv []byte) {
	const argv = "./tiny\x00two words\x00"
	const env = "HOME=/root\x00SECRET=swordfish\x00"
	const execfn = "./tiny\x00"
	const random = "sixteen random b"
	strings := at + 8*4 + 8*3 + 16*5
	s := strings + uint64(len(random))
	argv0, argv1 := s, s+7
	s += uint64(len(argv))
	env0, env1 := s, s+11
	s += uint64(len(env))
	// AT_PAGESZ, AT_ENTRY, AT_RANDOM, AT_EXECFN
	auxv = words([]uint64{6, tinyPage, 9, 0x400400, 25, strings, 31, s, 0, 0})
	block = words([]uint64{2, argv0, argv1, 0, env0, env1, 0}, auxv, []byte(random+argv+env+execfn))
	return block, auxv
}

// tinyCore returns the core; path is the program's, which the core's NT_FILE
// note and its stack name.
func tinyCore(path string) []byte { return tinyCoreOf(path, nil) }

// tinyMade is where the program of the core "made" has made code, the page of tinyMadePage:
//
//	fail  +0x40  push %rbp; mov %rsp,%rbp; mov (%rdi),%eax; pop %rbp; ret
//	outer +0x60  push %rbp; mov %rsp,%rbp; call fail; pop %rbp; ret
//
// The thread died in fail, which outer has called, and that main.
const tinyMade = 0x7e0000000000

func tinyMadePage() []byte {
	page := make([]byte, tinyPage)
	copy(page[0x40:], []byte{0x55, 0x48, 0x89, 0xe5, 0x8b, 0x07, 0x5d, 0xc3})
	copy(page[0x60:], []byte{0x55, 0x48, 0x89, 0xe5, 0xe8, 0xd7, 0xff, 0xff, 0xff, 0x5d, 0xc3})
	return page
}

// tinyCoreOf returns the core. If made is a page of code, the program of the core has made it at run time.
func tinyCoreOf(path string, made []byte) []byte {
	stack := make([]byte, tinyPage)
	frames := []struct{ at, rbp, ret uint64 }{
		{0xe00, tinyStack + 0xe20, 0x400429}, // crash, called by middle
		{0xe20, tinyStack + 0xe40, 0x400419}, // middle, called by main
		{0xe40, 0, 0x400407},                 // main, called by _start
	}
	pc, fault := uint64(0x400436), uint64(0x10)
	if made != nil {
		pc, fault = tinyMade+0x44, 0
		frames[0].ret = tinyMade + 0x69
	}
	for _, f := range frames {
		copy(stack[f.at:], words(f.rbp, f.ret))
	}
	block, auxv := tinyVectors(tinyStack + 0xe50)
	copy(stack[0xe50:], block)
	stack2 := make([]byte, tinyPage)
	copy(stack2[0x100:], "left by earlier calls") // a stack of only zeros would look cut off

	prpsinfo := padded(words([]byte{0, 'R', 0, 0}, uint32(0), uint64(0), uint32(1000), uint32(1000),
		uint32(4711), uint32(1), uint32(4711), uint32(4711)), 40)
	prpsinfo = padded(append(prpsinfo, "tiny"...), 56)
	prpsinfo = padded(append(prpsinfo, "./tiny two words "...), 136)
	siginfo := padded(words(uint32(11), uint32(0), uint32(1), uint32(0), fault), 128)
	file := words([]uint64{2, tinyPage, tinyText, tinyText + tinyPage, 0, tinyData, tinyData + tinyPage, 1},
		append([]byte(path), 0), append([]byte(path), 0))
	notes := bytes.Join([][]byte{
		note("CORE", 1, prstatus(4711, 11, tinyRegs(pc, tinyStack+0xe00, tinyStack+0xe00, tinyData))),
		note("CORE", 3, prpsinfo),
		note("CORE", 0x53494749, siginfo),
		note("CORE", 6, auxv),
		note("CORE", 0x46494c45, file),
		note("CORE", 1, prstatus(4712, 11, tinyRegs(0x400456, tinyStack2+0xff0, tinyStack2+0xff0, 0))),
		note("LINUX", 0x1234, []byte("an unknown note")),
	}, nil)

	text := tinyExecutable(0xab)[:tinyPage]
	type segment struct {
		flags uint32
		addr  uint64
		data  []byte
		size  int
	}
	segments := []segment{
		{5, tinyText, text, tinyPage}, {6, tinyData, tinyDataPage(), tinyPage},
		{4, 0x500000, nil, tinyPage}, // was not dumped
		{6, tinyStack2, stack2, tinyPage}, {6, tinyStack, stack, tinyPage},
	}
	if made != nil {
		segments[2] = segment{7, tinyMade, made, tinyPage}
	}
	const notesAt = 64 + 6*56
	off := uint64(notesAt+len(notes)+tinyPage-1) / tinyPage * tinyPage
	file2 := elfHeader(4, 0, 64, 0, 1+len(segments), 0, 0)
	file2 = append(file2, programHeader(4, 0, notesAt, 0, len(notes), 0)...)
	var bodies []byte
	for _, s := range segments {
		file2 = append(file2, programHeader(1, s.flags, off+uint64(len(bodies)), s.addr, len(s.data), s.size)...)
		bodies = append(bodies, s.data...)
	}
	return append(padded(append(file2, notes...), int(off)), bodies...)
}

// writeTiny puts the program and its core into dir, with a copy of the program
// that has another build-id in the folder "other".
func writeTiny(dir string) error {
	program := filepath.Join(dir, "tiny")
	for name, data := range tinyMinidumps() {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	for name, data := range map[string][]byte{
		"tiny": tinyExecutable(0xab), "core": tinyCore("/opt/example/bin/tiny"),
		"made/core":                    tinyCoreOf("/opt/example/bin/tiny", tinyMadePage()),
		"sysroot/opt/example/bin/tiny": tinyExecutable(0xab),
		"other/opt/example/bin/tiny":   tinyExecutable(0xcd),
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return err
		}
	}
	return os.Chmod(program, 0o755)
}

// TestTinyCore writes the tiny core where TINYCORE says, to be looked at with
// readelf and gdb.
func TestTinyCore(t *testing.T) {
	dir := os.Getenv("TINYCORE")
	if dir == "" {
		t.Skip("TINYCORE names no folder")
	}
	if err := writeTiny(dir); err != nil {
		t.Fatal(err)
	}
}
