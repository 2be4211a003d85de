package main

import (
	"encoding/binary"

	"coredbg/core"
	"coredbg/core/elf/elfcore"
	"coredbg/core/find"
	"coredbg/core/minidump/minidumptest"
)

// tinyMinidumps returns the process of the tiny core as minidumps: tiny.dmp as Breakpad would write it, with
// stacks and the list of mappings; crashpad.dmp with annotations and without that list.
func tinyMinidumps() map[string][]byte {
	p, err := elfcore.Open(core.Bytes(tinyCore("/opt/example/bin/tiny")), "core", elfcore.Options{Files: find.Chain{}})
	if err != nil {
		panic(err)
	}
	out := map[string][]byte{}
	for name, of := range map[string]minidumptest.Of{"tiny.dmp": {Maps: true}, "crashpad.dmp": {}} {
		d, err := minidumptest.Begin(p, of)
		if err != nil {
			panic(err)
		}
		if !of.Maps {
			d.Crashpad([][2]string{{"ver", "1.2.3"}, {"prod", "Tiny"}}, 0,
				[][2]string{{"v8_isolate_address", "0x402000"}, {"bad\x1b[31m", "\x07"}})
		}
		out[name] = d.Bytes()
	}
	out["unloaded.dmp"], out["windows32.dmp"] = unloadedMinidump(), windows32Minidump()
	out["division.dmp"] = divisionMinidump()
	return out
}

// unloadedMinidump returns the dump of a process of 64-bit Windows that called a function of
// plugin.dll, which it had unloaded. Its shadow stack's pointer is 0xcbc83fefc8.
func unloadedMinidump() []byte {
	var regs core.Regs
	regs.Set(core.AMD64.PC, 0x7ff90f451230)
	regs.Set(core.AMD64.SP, 0x80800)
	le := binary.LittleEndian
	const cet, area = 11, 1312 // the feature of the shadow stack, and where XSAVE's header is
	context := append(minidumptest.Context(core.AMD64, regs), make([]byte, area+64+16-1232)...)
	le.PutUint32(context[48:], 0x10004b) // with CONTEXT_XSTATE
	le.PutUint32(context[1232+16:], area-1232)
	le.PutUint32(context[1232+20:], 64+16)
	le.PutUint64(context[area:], 1<<cet)
	le.PutUint64(context[area+64+8:], 0xcbc83fefc8)
	misc := make([]byte, 1364)
	copy(misc, minidumptest.Words(1364, 1, 42))
	copy(misc[832:], minidumptest.Words(528, 0, 1<<cet, 0))
	copy(misc[832+16+8*cet:], minidumptest.Words(576, 16))
	d := minidumptest.New(minidumptest.CPUAMD64, minidumptest.Windows).Stream(minidumptest.MiscInfo, misc)
	d.Thread(7, context, 0, 0x80800, make([]byte, 64))
	d.Module(`C:\app\app.exe`, 0x7ff778bd0000, 0x10000, minidumptest.RSDS([]byte("0123456789abcdef"), 1, "app.pdb"))
	d.Died(7, 0xc0000005, 0, 0x7ff90f451230, context, 8, 0x7ff90f451230)
	gone := le.AppendUint64(minidumptest.Words(12, 24, 1), 0x7ff90f450000)
	return d.Stream(minidumptest.UnloadedModuleList,
		append(gone, minidumptest.Words(0x10000, 0, 0, d.UTF16("plugin.dll"))...)).Bytes()
}

// windows32Minidump returns the dump of a process of 32-bit Windows that wrote to a null
// pointer plus 0x45, with addresses extended to 64 bits. The record that its frame pointer
// leads to is the last one; a word beyond it leads into the program's code as well.
func windows32Minidump() []byte {
	const high = core.Addr(0xffffffff_00000000)
	var regs core.Regs
	regs.Set(core.I386.PC, 0x80401000)
	regs.Set(core.I386.SP, 0x90001000)
	regs.Set(core.I386.FP, 0x90001000)
	context := minidumptest.Context(core.I386, regs)
	d := minidumptest.New(minidumptest.CPUX86, minidumptest.Windows)
	d.Thread(7, context, 0, high|0x90001000, minidumptest.Words(0x90001010, 0x80401100, 0, 0, 0, 0, 0x80401200, 0))
	d.Module(`c:\app.exe`, high|0x80400000, 0x2000, minidumptest.RSDS([]byte("0123456789abcdef"), 1, "app.pdb"))
	return d.Died(7, 0xc0000005, 0, high|0x80401000, context, 1, uint64(high|0x45)).Bytes()
}

// divisionMinidump returns the dump of a process of Linux that divided by zero, by a writer that leaves the si_code
// out, as older versions of Breakpad do: the divisor is at -4(%rbp).
func divisionMinidump() []byte {
	const code, sp = 0x401000, 0x7ffd00001000
	var regs core.Regs
	regs.Set(core.AMD64.PC, code)
	regs.Set(core.AMD64.SP, sp)
	regs.Set(core.AMD64.FP, sp+0x10)
	context := minidumptest.Context(core.AMD64, regs)
	d := minidumptest.New(minidumptest.CPUAMD64, minidumptest.Linux)
	d.Thread(7, context, 0, sp, make([]byte, 64))
	d.Memory(code, append([]byte{0xf7, 0x7d, 0xfc}, make([]byte, 29)...)) // idivl -0x4(%rbp)
	d.Module("/opt/example/bin/ratio", 0x400000, 0x2000, minidumptest.ELF([]byte("0123456789abcdefghij")))
	return d.Died(7, 8, 0, code, context).Bytes()
}
