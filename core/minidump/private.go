package minidump

import (
	"strings"

	"coredbg/core"
)

// A Range is a part of a dump's file, in bytes.
type Range struct{ Off, Size int64 }

// Private is where a dump has what is not for everybody's eyes, outside of the memory of the
// process.
type Private struct {
	// Strings are copies of arguments and environment, and comments: streams of Breakpad and
	// of Windows, and command line switches among annotations.
	Strings []Range
	// Lines are copies of text files, such as the ones in /proc.
	Lines []Range
	// Contexts are the registers of threads.
	Contexts []Context
}

// A Context is where a dump has the registers of a thread.
type Context struct {
	General Range   // with all that is not in Vectors before it
	Vectors []Range // floating point, vectors, state of XSAVE
	Flag    int64   // the offset of the byte that says which registers there are; -1 if there is no such byte
	Bits    byte    // its bits for Vectors
}

// PrivateOf returns the private data of the dump in src; nothing if src is not a dump.
func PrivateOf(src core.Source) *Private {
	l := &loader{src: src, cut: map[string]int{}, p: &core.Process{}, private: &Private{}}
	if !Is(src) || l.directory() != nil {
		return l.private
	}
	l.system()
	for _, s := range l.streams {
		switch r := l.within(s.loc); s.typ {
		case cmdLine, environ, commentA, commentW:
			l.private.Strings = append(l.private.Strings, r)
		case procStatus, maps, cpuInfo, lsbRelease, procStat, procFD, linuxLimits:
			l.private.Lines = append(l.private.Lines, r)
		case threadList:
			for _, e := range l.list(s, threadSize) {
				l.privateContext(locationAt(e[40:]))
			}
		case exceptionInfo:
			if d := l.data(s); len(d) >= exceptionSize {
				l.privateContext(locationAt(d[160:]))
			}
		}
	}
	l.crashpad()
	l.moduleAnnotations()
	return l.private
}

// within returns the range of a location, as far as the file has it.
func (l *loader) within(loc location) Range {
	off := min(int64(loc.rva), l.src.Size())
	return Range{off, min(int64(loc.size), l.src.Size()-off)}
}

// privateContext adds a context.
func (l *loader) privateContext(loc location) {
	loc.size = min(loc.size, maxContext)
	r := l.within(loc)
	if y := layoutOf(l.cpu, int(r.Size)); y.arch != nil && r.Size > 0 {
		l.private.Contexts = append(l.private.Contexts, y.private(r))
	}
}

// private says where a context in a range has what.
func (y *layout) private(r Range) Context {
	c := Context{General: Range{r.Off, min(r.Size, int64(y.rest[0][0]))}, Flag: -1, Bits: y.restFlags}
	for _, v := range y.rest {
		if lo, hi := int64(v[0]), min(r.Size, int64(v[1])); lo < hi {
			c.Vectors = append(c.Vectors, Range{r.Off + lo, hi - lo})
		}
	}
	if y.restFlags != 0 && int64(y.flags) < r.Size {
		c.Flag = r.Off + int64(y.flags)
	}
	return c
}

// isSwitch reports whether an annotation is a part of a command line, as Chromium's switch-1
// and so on are.
func isSwitch(value string) bool { return strings.HasPrefix(value, "-") }

// Switches returns the annotations of a process that are parts of its command line.
func Switches(p *core.Process) (out []string) {
	for _, a := range p.Annotations {
		if isSwitch(a.Value) {
			out = append(out, a.Value)
		}
	}
	return out
}

// privateValue notes where an annotation is that is part of a command line.
func (l *loader) privateValue(value string, rva uint32) {
	if l.private != nil && isSwitch(value) {
		const count = 4
		l.private.Strings = append(l.private.Strings, l.within(location{uint32(len(value)), rva + count}))
	}
}
