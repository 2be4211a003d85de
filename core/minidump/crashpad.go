package minidump

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"coredbg/core"
)

// Bounds for annotations. Crashpad keeps at most 200 of 20 KiB.
const (
	maxAnnotations = 1 << 14
	maxValue       = 1 << 20
)

// An annotator adds the annotations of a dump to the process.
type annotator struct {
	in *reader
	p  *core.Process
	// switches are where annotations are that are parts of the command line.
	switches []Range
}

// annotate adds an annotation.
func (l *annotator) annotate(name, value, module, from string) {
	if len(l.p.Annotations) < maxAnnotations {
		l.p.Annotations = append(l.p.Annotations, core.Annotation{Name: name, Value: value, Module: module, From: from})
	}
}

// crashpad reads CrashpadInfo: ids and the annotations of the process. It returns the mask of addresses, 0 if there is
// none. The annotations of modules follow once these are known.
func (l *annotator) crashpad() (mask uint64) {
	s, ok := l.in.find(crashpadInfo)
	if !ok {
		return 0
	}
	d := l.in.data(s)
	if len(d) < 52 {
		l.in.warn(s.name(), uint64(s.loc.rva), "%d bytes, too few,", len(d))
		return 0
	}
	for i, name := range []string{"report_id", "client_id"} {
		if id := d[4+16*i : 20+16*i]; hex.EncodeToString(id) != "00000000000000000000000000000000" {
			l.annotate(name, guidString(id), "", s.name())
		}
	}
	l.dictionary(locationAt(d[36:]), "", "simple_annotations")
	if len(d) >= 64 {
		mask = le.Uint64(d[56:])
	}
	return mask
}

// moduleAnnotations reads the annotations of modules in CrashpadInfo.
func (l *annotator) moduleAnnotations(modules []module) {
	s, ok := l.in.find(crashpadInfo)
	d := l.in.data(s)
	if !ok || len(d) < 52 {
		return
	}
	const what = "the annotations of modules"
	list := locationAt(d[44:])
	b := l.in.at(list, what)
	for _, e := range l.table(b, list, 12, what) {
		index, loc := le.Uint32(e), locationAt(e[4:])
		info := l.in.at(loc, what)
		if len(info) < 20 {
			continue
		}
		module := fmt.Sprintf("module %d", index)
		if int(index) < len(modules) {
			module = modules[index].path
		}
		l.lines(locationAt(info[4:]), module)
		l.dictionary(locationAt(info[12:]), module, "simple_annotations")
		if len(info) >= 28 {
			l.objects(locationAt(info[20:]), module)
		}
	}
}

// table splits a list that begins with its count.
func (l *annotator) table(b []byte, loc location, size int, what string) (out [][]byte) {
	if len(b) < 4 {
		return nil
	}
	count, body := uint64(le.Uint32(b)), b[4:]
	if have := uint64(len(body) / size); count > have {
		l.in.warn(what, uint64(loc.rva), "they claim %d entries and have room for %d,", count, have)
		count = have
	}
	for i := range min(int(count), maxAnnotations-len(l.p.Annotations)) {
		out = append(out, body[i*size:(i+1)*size])
	}
	return out
}

// dictionary reads a MinidumpSimpleStringDictionary: pairs of offsets of strings.
func (l *annotator) dictionary(loc location, module, from string) {
	const what = "annotations"
	if loc.size == 0 {
		return
	}
	for _, e := range l.table(l.in.at(loc, what), loc, 8, what) {
		value := l.in.utf8At(uint64(le.Uint32(e[4:])), what)
		l.annotate(l.in.utf8At(uint64(le.Uint32(e)), what), value, module, from)
		l.privateValue(value, le.Uint32(e[4:]))
	}
}

// lines reads a MinidumpRVAList of strings, as the abort messages of macOS are.
func (l *annotator) lines(loc location, module string) {
	const what = "annotations"
	if loc.size == 0 {
		return
	}
	for _, e := range l.table(l.in.at(loc, what), loc, 4, what) {
		value := l.in.utf8At(uint64(le.Uint32(e)), what)
		l.annotate("message", value, module, "list_annotations")
		l.privateValue(value, le.Uint32(e))
	}
}

// objects reads a MinidumpAnnotationList: name, type and value each. Type 1 is text;
// others have a meaning that only the program knows.
func (l *annotator) objects(loc location, module string) {
	const what, text, from = "annotations", 1, "annotation_objects"
	if loc.size == 0 {
		return
	}
	for _, e := range l.table(l.in.at(loc, what), loc, 12, what) {
		name := l.in.utf8At(uint64(le.Uint32(e)), what)
		value := l.in.counted(uint64(le.Uint32(e[8:])), what)
		switch typ := le.Uint16(e[4:]); {
		case typ == text:
			l.annotate(name, string(value), module, from)
			l.privateValue(string(value), le.Uint32(e[8:]))
		case len(value) <= maxValue/2:
			l.annotate(cmp.Or(name, fmt.Sprintf("type %#x", typ)), hex.EncodeToString(value), module, from)
		}
	}
}

// guidString writes a GUID, whose first three fields are numbers.
func guidString(b []byte) string {
	return fmt.Sprintf("%08x-%04x-%04x-%x-%x", le.Uint32(b), le.Uint16(b[4:]), le.Uint16(b[6:]), b[8:10], b[10:16])
}

// assertion reads AssertionInfo: the expression that failed, its function, file and line.
func (l *annotator) assertion(s stream) {
	d := l.in.data(s)
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

// privateValue notes where an annotation is that is part of a command line.
func (l *annotator) privateValue(value string, rva uint32) {
	if isSwitch(value) {
		const count = 4
		l.switches = append(l.switches, l.in.within(location{uint32(len(value)), rva + count}))
	}
}

// isSwitch reports whether an annotation is a part of a command line, as Chromium's switch-1
// and so on are.
func isSwitch(value string) bool { return strings.HasPrefix(value, "-") }
