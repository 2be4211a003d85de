package macho

import "coredbg/core"

// A ThreadState is where a core has one flavor of a thread's registers.
type ThreadState struct {
	Flavor    int64 // file offset of its 4 bytes
	Off, Size int64 // of the registers, in bytes of the file
	Vectors   bool  // floating-point and vector registers
	General   bool  // general registers, in words of 8 bytes
}

// ThreadStates returns where the LC_THREADs of a core have their states; none if
// src is not a Mach-O core. Those after a count that leads out of its command
// are left out, as when the core is opened.
func ThreadStates(src core.Source) (out []ThreadState) {
	h, ok := parseHeader(slice(src, 0, headerSize))
	if !ok || h.filetype != mhCore {
		return nil
	}
	cmds, _ := commands(slice(src, headerSize, uint64(h.sizeofcmds)), h.ncmds)
	for _, c := range cmds {
		if c.cmd != lcThread && c.cmd != lcUnixThread {
			continue
		}
		b, off := c.data[8:], c.off+8
		for len(b) >= 8 {
			flavor, size := le.Uint32(b), int64(le.Uint32(b[4:]))*4
			if size > int64(len(b)-8) {
				break
			}
			s := ThreadState{Flavor: off, Off: off + 8, Size: size}
			s.Vectors, s.General = kindOf(h.cputype, flavor)
			out = append(out, s)
			b, off = b[8+size:], off+8+size
		}
	}
	return out
}

func kindOf(cputype, flavor uint32) (vectors, general bool) {
	if cputype == cpuARM64 {
		// The thread and exception states of 32 and 64 bits; all else is NEON.
		general = flavor == armThreadState || flavor == armThreadState64
		return !general && flavor != armExceptionState64 && flavor != armExceptionStateV2, general
	}
	general = flavor == x86ThreadState64 || flavor == x86ThreadState || flavor == x86FullState64
	return !general && flavor != x86ExceptionState64 && flavor != x86ExceptionState, general
}
