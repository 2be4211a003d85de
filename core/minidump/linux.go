package minidump

import (
	"bytes"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/core/elf/note"
)

// linuxStreams reads the streams that are copies of files in /proc/PID.
func linuxStreams(in *reader, notes *annotator) {
	p := in.p
	if s, ok := in.find(cmdLine); ok {
		p.Args = zeroSplit(in.data(s))
		p.PSArgs = strings.Join(p.Args, " ")
	}
	if s, ok := in.find(environ); ok {
		p.Environ = zeroSplit(in.data(s))
	}
	if s, ok := in.find(auxv); ok && p.Arch != nil {
		p.Auxv = note.Auxv(p.Arch, in.data(s))
	}
	if s, ok := in.find(procStatus); ok {
		readStatus(p, string(in.data(s)))
	}
	if s, ok := in.find(assertion); ok {
		notes.assertion(s)
	}
}

// zeroSplit splits strings that zeros end. If b has only zeros, a bundle left the strings out.
func zeroSplit(b []byte) []string {
	if len(bytes.Trim(b, "\x00")) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")
}

// readStatus reads /proc/PID/status (proc(5)): a name, a tab and a value each line.
func readStatus(p *core.Process, text string) {
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
