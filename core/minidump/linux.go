package minidump

import (
	"bytes"
	"sort"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/core/elf/note"
)

// linuxStreams reads the streams that are copies of files in /proc/PID.
func (l *loader) linuxStreams() {
	p := l.p
	if s, ok := l.find(cmdLine); ok {
		p.Args = zeroSplit(l.data(s))
		p.PSArgs = strings.Join(p.Args, " ")
	}
	if s, ok := l.find(environ); ok {
		p.Environ = zeroSplit(l.data(s))
	}
	if s, ok := l.find(auxv); ok && p.Arch != nil {
		p.Auxv = note.Auxv(p.Arch, l.data(s))
	}
	if s, ok := l.find(procStatus); ok {
		l.status(string(l.data(s)))
	}
	if s, ok := l.find(assertion); ok {
		l.assertion(s)
	}
}

// zeroSplit splits strings that zeros end. If b has only zeros, a bundle left the strings out.
func zeroSplit(b []byte) []string {
	if len(bytes.Trim(b, "\x00")) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")
}

// status reads /proc/PID/status (proc(5)): a name, a tab and a value each line.
func (l *loader) status(text string) {
	p := l.p
	number := func(value string) int {
		first, _, _ := strings.Cut(value, "\t")
		n, err := strconv.Atoi(first)
		if err != nil {
			return -1
		}
		return n
	}
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\n\x00"), ":")
		switch value = strings.TrimSpace(value); key {
		case "Name":
			p.Name = value
		case "Tgid":
			if n := number(value); n > 0 && p.PID == 0 {
				p.PID = n
			}
		case "PPid":
			p.PPID = max(number(value), 0)
		case "Uid":
			p.UID = number(value)
		case "Gid":
			p.GID = number(value)
		}
	}
}

// linuxMaps reads /proc/PID/maps: address range, permissions, offset, device, inode and
// path each line.
func (l *loader) linuxMaps() {
	s, ok := l.find(maps)
	if !ok {
		return
	}
	listed, bad := l.mapped, 0
	l.mapped = nil
	for line := range bytes.Lines(l.data(s)) {
		m, ok := parseMap(string(bytes.TrimRight(line, "\n\x00")))
		if ok {
			l.mapped = append(l.mapped, m)
		} else if len(bytes.Trim(line, "\n\x00")) > 0 {
			bad++
		}
	}
	if bad > 0 {
		l.warn(s.name(), uint64(s.loc.rva), "%d lines make no sense,", bad)
	}
	if len(l.mapped) == 0 {
		l.mapped = listed
		return
	}
	l.sortMapped(s)
}

func parseMap(line string) (m core.Mapping, ok bool) {
	addrs, rest, _ := strings.Cut(line, " ")
	perms, rest, _ := strings.Cut(rest, " ")
	offset, rest, ok := strings.Cut(rest, " ")
	from, to, dash := strings.Cut(addrs, "-")
	start, err1 := strconv.ParseUint(from, 16, 64)
	end, err2 := strconv.ParseUint(to, 16, 64)
	off, err3 := strconv.ParseUint(offset, 16, 64)
	if !ok || !dash || err1 != nil || err2 != nil || err3 != nil || start >= end || len(perms) < 3 {
		return m, false
	}
	m = core.Mapping{Start: core.Addr(start), End: core.Addr(end), Off: off}
	for i, bit := range [3]core.Prot{core.Read, core.Write, core.Exec} {
		if perms[i] != '-' {
			m.Prot |= bit
		}
	}
	_, rest, _ = strings.Cut(rest, " ") // device
	_, name, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	m.Path = strings.TrimLeft(name, " ")
	return m, true
}

// assertion reads AssertionInfo: the expression that failed, its function, file and line.
func (l *loader) assertion(s stream) {
	d := l.data(s)
	const text = 128 * 2 // bytes of each of the three
	if len(d) < 3*text+4 {
		return
	}
	note := func(name string, b []byte) {
		units := make([]rune, 0, len(b)/2)
		for ; len(b) >= 2 && le.Uint16(b) != 0; b = b[2:] {
			units = append(units, rune(le.Uint16(b)))
		}
		if len(units) > 0 {
			l.annotate(name, string(units), "", s.name())
		}
	}
	note("expression", d[:text])
	note("function", d[text:2*text])
	note("file", d[2*text:3*text])
	if line := le.Uint32(d[3*text:]); line > 0 {
		l.annotate("line", strconv.Itoa(int(line)), "", s.name())
	}
}

// maxWork bounds the mappings that are looked at for the parts of all modules.
const maxWork = 1 << 22

// parts returns the mappings of a module's file, by the name in LinuxMaps.
func (l *loader) parts(m *module) (out []core.ModulePart) {
	i := sort.Search(len(l.mapped), func(i int) bool { return l.mapped[i].End > m.start })
	if i == len(l.mapped) || l.mapped[i].Start > m.start || !isFile(l.mapped[i].Path) || l.mapped[i].Off != 0 {
		return nil
	}
	name := l.mapped[i].Path
	for _, j := range l.byPath(name) {
		if l.work++; l.work > maxWork {
			break
		}
		// A file that is mapped once more from its start is another module, or data.
		if at := &l.mapped[j]; j >= i && (at.Off != 0 || at.Start == l.mapped[i].Start) {
			out = append(out, core.ModulePart{Start: at.Start, End: at.End, Off: at.Off})
		}
	}
	return out
}

// byPath returns the mappings of a file, as indices.
func (l *loader) byPath(name string) []int {
	if l.paths == nil {
		l.paths = map[string][]int{}
		for i := range l.mapped {
			l.paths[l.mapped[i].Path] = append(l.paths[l.mapped[i].Path], i)
		}
	}
	return l.paths[name]
}
