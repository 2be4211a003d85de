package minidump

import (
	"bytes"
	"sort"
	"strconv"
	"strings"

	"coredbg/core"
)

// linuxMaps reads /proc/PID/maps: address range, permissions, offset, device, inode and
// path each line.
func (l *memoryLoader) linuxMaps() {
	s, ok := l.in.find(maps)
	if !ok {
		return
	}
	listed, bad := l.mapped, 0
	l.mapped = nil
	for line := range bytes.Lines(l.in.data(s)) {
		m, ok := parseMap(string(bytes.TrimRight(line, "\n\x00")))
		if ok {
			l.mapped = append(l.mapped, m)
		} else if len(bytes.Trim(line, "\n\x00")) > 0 {
			bad++
		}
	}
	if bad > 0 {
		l.in.warn(s.name(), uint64(s.loc.rva), "%d lines make no sense,", bad)
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

// maxWork bounds the mappings that are looked at for the parts of all modules.
const maxWork = 1 << 22

// parts returns the mappings of the file of a module that begins at start, by the name in LinuxMaps.
func (l *memoryLoader) parts(start core.Addr) (out []core.ModulePart) {
	i := sort.Search(len(l.mapped), func(i int) bool { return l.mapped[i].End > start })
	if i == len(l.mapped) || l.mapped[i].Start > start || !isFile(l.mapped[i].Path) || l.mapped[i].Off != 0 {
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
func (l *memoryLoader) byPath(name string) []int {
	if l.paths == nil {
		l.paths = map[string][]int{}
		for i := range l.mapped {
			l.paths[l.mapped[i].Path] = append(l.paths[l.mapped[i].Path], i)
		}
	}
	return l.paths[name]
}
