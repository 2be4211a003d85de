package minidump

import (
	"testing"

	"coredbg/core"
	"coredbg/core/minidump/minidumptest"
)

// ask asks a process everything that opening it has not answered.
func ask(p *core.Process) {
	for _, t := range p.Threads[:min(len(p.Threads), 50)] {
		t.Registers()
	}
	for _, m := range p.Modules[:min(len(p.Modules), 50)] {
		f := m.Facts()
		m.LinkAddr(m.Start)
		p.Module(m.End)
		if f.Image != nil {
			f.Image.Section(".debug_frame")
		}
	}
	var b [16]byte
	for _, m := range p.Mappings[:min(len(p.Mappings), 50)] {
		p.Space.ReadAt(b[:], m.Start)
		p.Space.ReadAt(b[:], m.End-1)
		p.Executable(m.Start)
	}
	core.Argv(p)
}

// seeds are dumps of each system, with all streams that are read.
func seeds() [][]byte {
	var regs core.Regs
	for i := range regs.Val {
		regs.Set(i, 0x1000)
	}
	make1 := func(cpu uint16, platform uint32, arch *core.Arch) *minidumptest.Dump {
		d := minidumptest.New(cpu, platform)
		context := minidumptest.Context(arch, regs)
		d.Thread(7, context, 0, 0x1000, []byte("the stack of thread 7"))
		d.Module("/bin/a", 0x400000, 0x2000, minidumptest.RSDS([]byte("0123456789abcdef"), 1, "a.pdb"))
		d.Died(7, 11, 1, 0x10, context, 1, 0x10)
		d.Stream(minidumptest.MiscInfo, minidumptest.Words(24, 1, 42, 0, 0, 0))
		return d
	}
	linux := make1(minidumptest.CPUAMD64, minidumptest.Linux, core.AMD64)
	linux.Module("/lib/b.so", 0x600000, 0x1000, minidumptest.ELF([]byte("build-id")))
	linux.Crashpad([][2]string{{"a", "b"}}, 0, [][2]string{{"c", "d"}})
	linux.Stream(minidumptest.ProcStatus, []byte("Name:\ta\nTgid:\t42\nUid:\t1\t1\t1\t1\n"))
	linux.Stream(minidumptest.Maps, []byte("400000-401000 r-xp 00000000 08:01 1    /bin/a\n401000-402000 rw-p 00001000 08:01 1    /bin/a\n"))
	linux.Stream(minidumptest.CmdLine, []byte("/bin/a\x00-x\x00"))
	linux.Memory(0x401000, []byte("data"))
	mac := make1(minidumptest.CPUARM64, minidumptest.Mac, core.ARM64)
	win := make1(minidumptest.CPUAMD64, minidumptest.Windows, core.AMD64).Full(0x5000, []byte("memory")).Full(0x6000,
		[]byte("more"))
	info := append(minidumptest.Words(16, 48, 1, 0), make([]byte, 48)...)
	le.PutUint64(info[16:], 0x5000)
	le.PutUint64(info[40:], 0x1000)
	le.PutUint32(info[48:], 0x1000)
	le.PutUint32(info[52:], 0x20)
	win.Stream(minidumptest.MemoryInfoList, info)
	win.Stream(minidumptest.UnloadedModuleList, unloadedStream(win, 0x9000, 0x1000, "gone.dll"))
	name := minidumptest.Words(1, 7, win.UTF16("main"), 0)
	win.Stream(minidumptest.ThreadNames, name)
	x86 := make1(minidumptest.CPUX86, minidumptest.Windows, core.I386)
	arm := make1(minidumptest.CPUARM, minidumptest.Linux, core.ARM)
	return [][]byte{linux.Bytes(), mac.Bytes(), win.Bytes(), x86.Bytes(), arm.Bytes(), []byte("MDMP\x93\xa7\x00\x00")}
}

func FuzzOpen(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if OS(core.Bytes(data)) == "" && len(data) > 1<<16 {
			return
		}
		p, err := Open(core.Bytes(data), "fuzz", Options{Files: none{}})
		if err != nil {
			return
		}
		ask(p)
		p.Close()
	})
}
