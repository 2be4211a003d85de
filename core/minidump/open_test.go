package minidump

import (
	"context"
	"errors"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/find"
	"coredbg/core/minidump/minidumptest"
)

// none finds no file.
type none struct{}

func (none) Find(context.Context, find.Want) find.Found { return find.Found{} }

func open(t *testing.T, data []byte) *core.Process {
	t.Helper()
	p, err := Open(core.Bytes(data), "test.dmp", Options{Files: none{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// warned reports whether a warning of the process has a text in it.
func warned(p *core.Process, text string) bool {
	for _, w := range p.Warnings {
		if strings.Contains(w.String(), text) {
			return true
		}
	}
	return false
}

// TestSeeds opens dumps of all systems. Truth: seeds writes them.
func TestSeeds(t *testing.T) {
	s := seeds()
	for i, want := range []struct {
		os, signal string
		addr       core.Addr
		arch       *core.Arch
	}{
		{"linux", "SIGSEGV", 0x10, core.AMD64}, {"darwin", "SIGKILL", 0, core.ARM64},
		{"windows", "exception 0xb", 0, core.AMD64}, {"windows", "exception 0xb", 0, core.I386},
		{"linux", "SIGSEGV", 0x10, core.ARM},
	} {
		p := open(t, s[i])
		if p.OS != want.os || p.Arch != want.arch || p.PID != 42 || p.Signal.Name != want.signal ||
			p.Signal.Addr != want.addr {
			t.Errorf("%d: %s %s %d %+v", i, p.OS, p.Machine, p.PID, p.Signal)
		}
		if len(p.Threads) != 1 || !p.Threads[0].Crashed || p.Threads[0].TID != 7 {
			t.Errorf("%d: threads %+v", i, p.Threads)
		}
		pc, _ := p.Threads[0].Regs.Get(p.Arch.PC)
		if m := p.Modules[0]; pc != 0x1000 || m.Path != "/bin/a" || m.Start != 0x400000 || m.End != 0x402000 || !m.Exe {
			t.Errorf("%d: pc %#x, module %+v", i, pc, m)
		}
		if b, err := p.Space.Slice(0x1000, 9); string(b) != "the stack" {
			t.Errorf("%d: the stack is %q, %v", i, b, err)
		}
		if len(p.Warnings) > 0 {
			t.Errorf("%d: %v", i, p.Warnings)
		}
	}
	linux := open(t, s[0])
	if linux.Name != "a" || linux.UID != 1 || linux.PSArgs != "/bin/a -x" || len(linux.Annotations) != 3 ||
		linux.Annotations[1] != (core.Annotation{Name: "a", Value: "b", From: "simple_annotations"}) ||
		linux.Annotations[2] != (core.Annotation{Name: "c", Value: "d", Module: "/bin/a", From: "annotation_objects"}) {
		t.Errorf("%s %d %q %+v", linux.Name, linux.UID, linux.PSArgs, linux.Annotations)
	}
	windows := open(t, s[2])
	if b, err := windows.Space.Slice(0x6000, 4); string(b) != "more" || windows.Threads[0].Name != "main" ||
		!windows.Executable(0x5000) {
		t.Errorf("%q, %v, %q", b, err, windows.Threads[0].Name)
	}
	for _, c := range []struct {
		p    *core.Process
		a    core.Addr
		want core.Gap
	}{{linux, 0x400000, core.FileMissing}, {linux, 0x900000, core.Unmapped}, {windows, 0x400000, core.FileMissing},
		{windows, 0x900000, core.Unmapped},
		{open(t, s[4]), 0x900000, core.NotInDump}} {
		_, err := c.p.Space.Slice(c.a, 1)
		if f := core.Fault(err); f == nil || f.Gap != c.want {
			t.Errorf("%v: %v, want %v", c.a, err, c.want)
		}
	}
}

// TestTimes: when the process began is in MiscInfo, if that says so, and when the dump was
// written in its header; 0 is no time.
func TestTimes(t *testing.T) {
	const began = 1795614101
	for _, c := range []struct {
		misc []byte
		want int64
	}{
		{minidumptest.Words(24, 3, 42, began, 24, 0), began}, {minidumptest.Words(24, 1, 42, began, 24, 0), 0},
		{minidumptest.Words(24, 3, 42, 0, 24, 0), 0}, {minidumptest.Words(24, 3, 42), 0},
	} {
		dump := minidumptest.New(minidumptest.CPUAMD64, minidumptest.Linux).Stream(minidumptest.MiscInfo,
			c.misc).Bytes()
		if p := open(t, dump); !p.Written.IsZero() {
			t.Errorf("%v: written %v", c.misc, p.Written)
		}
		le.PutUint32(dump[20:], began+2)
		p := open(t, dump)
		if p.Written.Unix() != began+2 || p.PID != 42 || c.want != 0 && p.Began.Unix() != c.want ||
			c.want == 0 && !p.Began.IsZero() {
			t.Errorf("%v: process %d began %v, written %v", c.misc, p.PID, p.Began, p.Written)
		}
	}
}

// TestLies opens dumps whose streams lie about themselves.
func TestLies(t *testing.T) {
	linux := func() *minidumptest.Dump { return minidumptest.New(minidumptest.CPUAMD64, minidumptest.Linux) }
	info := func(count uint64, size uint32) []byte {
		b := append(minidumptest.Words(16, size, 0, 0), make([]byte, 96)...)
		le.PutUint64(b[8:], count)
		for i := range 2 { // two regions that overlap
			e := b[16+48*i:]
			le.PutUint64(e, uint64(0x1000+0x800*i))
			le.PutUint64(e[24:], 0x1000)
			le.PutUint32(e[32:], 0x1000)
			le.PutUint32(e[36:], 4)
		}
		return b
	}
	full := func(count, size uint64) []byte {
		b := make([]byte, 32)
		le.PutUint64(b, count)
		le.PutUint64(b[8:], 64)
		le.PutUint64(b[16:], 0x1000)
		le.PutUint64(b[24:], size)
		return b
	}
	// The stream is at 0x58, and its string in it.
	oddName := append(minidumptest.Words(0x68, 0), minidumptest.Words(3, 0x610061)...)
	for _, c := range []struct {
		name string
		dump *minidumptest.Dump
		want string
	}{
		{"4 G of threads", linux().Stream(minidumptest.ThreadList, minidumptest.Words(^uint32(0), 1, 2, 3)),
			"ThreadListStream: it claims 4294967295 entries and has room for 0, at file offset 0x58"},
		{"4 G of regions", linux().Stream(minidumptest.MemoryInfoList, info(1<<32, 48)),
			"MemoryInfoListStream: it claims 4294967296 entries and has room for 2"},
		{"regions that overlap", linux().Stream(minidumptest.MemoryInfoList, info(2, 48)),
			"1 regions overlap the one before them"},
		{"small entries", linux().Stream(minidumptest.MemoryInfoList, info(2, 8)),
			"a header of 16 and entries of 8 bytes"},
		{"4 G of ranges", linux().Stream(minidumptest.Memory64List, full(1<<40, 16)),
			"it claims 1099511627776 entries and has room for 1"},
		{"memory past the end", linux().Stream(minidumptest.Memory64List, full(1, 1<<40)), "the dump is cut short"},
		{"memory that wraps", linux().Stream(minidumptest.Memory64List, full(1, ^uint64(0))),
			"wraps around the address space"},
		{"a stream twice", linux().Stream(minidumptest.MiscInfo, minidumptest.Words(12, 1,
			5)).Stream(minidumptest.MiscInfo, minidumptest.Words(12, 1, 6)), "MiscInfoStream: it is there twice"},
		{"a module twice", linux().Module("a", 0x1000, 1, nil).Module("b", 0x1000, 1, nil),
			"two modules begin at 0x1000"},
		{"a thread twice", linux().Thread(1, make([]byte, 1232), 0, 0, nil).Thread(1, make([]byte, 1232), 0, 0, nil),
			"thread 1 is there twice"},
		{"a short context", linux().Thread(1, make([]byte, 100), 0, 0, nil), "its context has 100 of 256 bytes"},
		{"a lost thread", linux().Died(9, 11, 1, 0, make([]byte, 1232)).Thread(1, make([]byte, 1232), 0, 0, nil),
			"it lacks the thread that died, 9"},
		{"many parameters", linux().Died(9, 11, 1, 0, make([]byte, 1232)).Lie(minidumptest.Exception, 32, 99),
			"99 parameters"},
		{"an odd string", linux().Stream(minidumptest.ThreadNames, append(minidumptest.Words(1, 1), oddName...)),
			"a string of 3 bytes, which is odd, at file offset 0x68"},
		{"a string past the end", linux().Module("a", 0x1000, 1, nil).Stream(minidumptest.ThreadNames,
			minidumptest.Words(1, 1, 0xfffffff0, 0)), "ThreadNamesStream (1)"},
		{"maps that are none", linux().Stream(minidumptest.Maps, []byte("no map\n")),
			"LinuxMaps: 1 lines make no sense"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := open(t, c.dump.Bytes())
			ask(p)
			if !warned(p, c.want) {
				t.Errorf("no %q in %v", c.want, p.Warnings)
			}
		})
	}
}

// TestRefused: files that cannot be read at all.
func TestRefused(t *testing.T) {
	whole := minidumptest.New(minidumptest.CPUAMD64, minidumptest.Linux).Bytes()
	version, directory := []byte(string(whole)), []byte(string(whole))
	version[4] = 0
	le.PutUint32(directory[12:], 1<<31)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"short":     {whole[:20], "a minidump of 20 bytes"},
		"version":   {version, "a version that is not known: 0xa700 at file offset 0x4"},
		"directory": {directory, "its directory is not in the file, at file offset 0x80000000"},
		"system": {minidumptest.New(minidumptest.CPUAMD64, 0xffff).Drop(minidumptest.SystemInfo).Stream(99,
			nil).Bytes(), "does not say which system"},
	} {
		_, err := Open(core.Bytes(c.data), "x.dmp", Options{})
		var format *core.FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := Open(core.Bytes("\x7fELF"), "x", Options{}); !errors.Is(err, core.ErrUnknownFormat) {
		t.Error(err)
	}
}

// TestStrings: many names at one place cost no more than a bounded part of memory.
func TestStrings(t *testing.T) {
	d := minidumptest.New(minidumptest.CPUAMD64, minidumptest.Linux)
	const n, size = 1000, 1 << 20
	long := d.Put(append(minidumptest.Words(size), make([]byte, size)...))
	names := minidumptest.Words(n)
	for i := range uint32(n) {
		names = append(names, minidumptest.Words(i, long, 0)...)
	}
	if p := open(t, d.Stream(minidumptest.ThreadNames, names).Bytes()); !warned(p,
		"its strings have more than 67108864 bytes") {
		t.Errorf("%v", p.Warnings)
	}
}
