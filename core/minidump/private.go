package minidump

import "coredbg/core"

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
	out := &Private{}
	if !Is(src) {
		return out
	}
	in, err := newReader(src, &core.Process{})
	if err != nil {
		return out
	}
	for _, s := range in.streams {
		switch r := in.within(s.loc); s.typ {
		case cmdLine, environ, commentA, commentW:
			out.Strings = append(out.Strings, r)
		case procStatus, maps, cpuInfo, lsbRelease, procStat, procFD, linuxLimits:
			out.Lines = append(out.Lines, r)
		case threadList:
			for _, e := range in.list(s, threadSize) {
				out.addContext(in, locationAt(e[40:]))
			}
		case exceptionInfo:
			if d := in.data(s); len(d) >= exceptionSize {
				out.addContext(in, locationAt(d[160:]))
			}
		}
	}
	notes := &annotator{in: in, p: in.p}
	notes.crashpad()
	notes.moduleAnnotations(nil)
	out.Strings = append(out.Strings, notes.switches...)
	return out
}

// addContext adds a context.
func (p *Private) addContext(in *reader, loc location) {
	loc.size = min(loc.size, maxContext)
	r := in.within(loc)
	if y := layoutOf(in.cpu, int(r.Size)); y.arch != nil && r.Size > 0 {
		p.Contexts = append(p.Contexts, y.private(r))
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

// Switches returns the annotations of a process that are parts of its command line.
func Switches(p *core.Process) (out []string) {
	for _, a := range p.Annotations {
		if isSwitch(a.Value) {
			out = append(out, a.Value)
		}
	}
	return out
}
