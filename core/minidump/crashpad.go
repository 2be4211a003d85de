package minidump

import (
	"cmp"
	"encoding/hex"
	"fmt"

	"coredbg/core"
)

// Bounds for annotations. Crashpad keeps at most 200 of 20 KiB.
const (
	maxAnnotations = 1 << 14
	maxValue       = 1 << 20
)

// annotate adds an annotation.
func (l *loader) annotate(name, value, module, from string) {
	if len(l.p.Annotations) < maxAnnotations {
		l.p.Annotations = append(l.p.Annotations, core.Annotation{Name: name, Value: value, Module: module, From: from})
	}
}

// crashpad reads CrashpadInfo: ids, the annotations of the process, and the mask of
// addresses. Those of modules follow once these are known.
func (l *loader) crashpad() {
	s, ok := l.find(crashpadInfo)
	if !ok {
		return
	}
	d := l.data(s)
	if len(d) < 52 {
		l.warn(s.name(), uint64(s.loc.rva), "%d bytes, too few,", len(d))
		return
	}
	for i, name := range []string{"report_id", "client_id"} {
		if id := d[4+16*i : 20+16*i]; hex.EncodeToString(id) != "00000000000000000000000000000000" {
			l.annotate(name, guidString(id), "", s.name())
		}
	}
	l.dictionary(locationAt(d[36:]), "", "simple_annotations")
	if len(d) >= 64 {
		l.mask = le.Uint64(d[56:])
	}
}

// moduleAnnotations reads the annotations of modules in CrashpadInfo.
func (l *loader) moduleAnnotations() {
	s, ok := l.find(crashpadInfo)
	d := l.data(s)
	if !ok || len(d) < 52 {
		return
	}
	const what = "the annotations of modules"
	list := locationAt(d[44:])
	b := l.at(list, what)
	for _, e := range l.table(b, list, 12, what) {
		index, loc := le.Uint32(e), locationAt(e[4:])
		info := l.at(loc, what)
		if len(info) < 20 {
			continue
		}
		module := fmt.Sprintf("module %d", index)
		if int(index) < len(l.modules) {
			module = l.modules[index].path
		}
		l.lines(locationAt(info[4:]), module)
		l.dictionary(locationAt(info[12:]), module, "simple_annotations")
		if len(info) >= 28 {
			l.objects(locationAt(info[20:]), module)
		}
	}
}

// table splits a list that begins with its count.
func (l *loader) table(b []byte, loc location, size int, what string) (out [][]byte) {
	if len(b) < 4 {
		return nil
	}
	count, body := uint64(le.Uint32(b)), b[4:]
	if have := uint64(len(body) / size); count > have {
		l.warn(what, uint64(loc.rva), "they claim %d entries and have room for %d,", count, have)
		count = have
	}
	for i := range min(int(count), maxAnnotations-len(l.p.Annotations)) {
		out = append(out, body[i*size:(i+1)*size])
	}
	return out
}

// dictionary reads a MinidumpSimpleStringDictionary: pairs of offsets of strings.
func (l *loader) dictionary(loc location, module, from string) {
	const what = "annotations"
	if loc.size == 0 {
		return
	}
	for _, e := range l.table(l.at(loc, what), loc, 8, what) {
		value := l.utf8At(uint64(le.Uint32(e[4:])), what)
		l.annotate(l.utf8At(uint64(le.Uint32(e)), what), value, module, from)
		l.privateValue(value, le.Uint32(e[4:]))
	}
}

// lines reads a MinidumpRVAList of strings, as the abort messages of macOS are.
func (l *loader) lines(loc location, module string) {
	const what = "annotations"
	if loc.size == 0 {
		return
	}
	for _, e := range l.table(l.at(loc, what), loc, 4, what) {
		value := l.utf8At(uint64(le.Uint32(e)), what)
		l.annotate("message", value, module, "list_annotations")
		l.privateValue(value, le.Uint32(e))
	}
}

// objects reads a MinidumpAnnotationList: name, type and value each. Type 1 is text;
// others have a meaning that only the program knows.
func (l *loader) objects(loc location, module string) {
	const what, text, from = "annotations", 1, "annotation_objects"
	if loc.size == 0 {
		return
	}
	for _, e := range l.table(l.at(loc, what), loc, 12, what) {
		name := l.utf8At(uint64(le.Uint32(e)), what)
		value := l.counted(uint64(le.Uint32(e[8:])), what)
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
