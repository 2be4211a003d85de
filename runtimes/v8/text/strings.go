package text

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// A Strings reads strings and numbers.
type Strings struct{ *layout.Memory }

// StringKind is how a string keeps its characters.
type StringKind string

// The kinds of strings; objects/string.h.
const (
	SeqString      StringKind = "seq"
	ConsString     StringKind = "cons"
	SlicedString   StringKind = "sliced"
	ThinString     StringKind = "thin"
	ExternalString StringKind = "external"
)

// A StringInfo is the shape of one string object.
type StringInfo struct {
	Kind    StringKind
	OneByte bool
	Length  uint32 // UTF-16 code units, as the object says
	// Parts are the component strings: first and second of a cons, the parent of a slice, the actual string of
	// a thin one.
	Parts []layout.Tagged
	// Offset is a slice's start in its parent, in code units.
	Offset uint32
	// Data is where the characters lie, for sequential and external strings; of external ones it
	// may be 0, and Unknown says why.
	Data    core.Addr
	Unknown string
}

var errNotString = errors.New("not a string")

// StringInfo returns the shape of the string s.
func (r *Strings) StringInfo(s layout.Tagged) (StringInfo, error) {
	typ, ok := r.InstanceType(s)
	l := &r.Layout.String
	if !ok || typ >= l.FirstNonstringType {
		return StringInfo{}, fmt.Errorf("v8: %v: %w", core.Addr(s), errNotString)
	}
	n, ok := r.U32Field(s, l.Length)
	info := StringInfo{Length: n, OneByte: typ&l.OneByteTag != 0}
	fail := func(what string) (StringInfo, error) {
		return info, fmt.Errorf("v8: string %v: %s cannot be read", core.Addr(s), what)
	}
	if !ok {
		return fail("length")
	}
	switch typ & l.RepresentationMask {
	case l.SeqTag:
		info.Kind = SeqString
		info.Data = s.Addr().Add(int64(l.TwoByteChars))
		if info.OneByte {
			info.Data = s.Addr().Add(int64(l.OneByteChars))
		}
	case l.ConsTag:
		info.Kind = ConsString
		first, ok1 := r.Field(s, l.ConsFirst)
		second, ok2 := r.Field(s, l.ConsSecond)
		if !ok1 || !ok2 {
			return fail("parts")
		}
		info.Parts = []layout.Tagged{first, second}
	case l.SlicedTag:
		info.Kind = SlicedString
		parent, ok1 := r.Field(s, l.SlicedParent)
		off, ok2 := r.SmiField(s, l.SlicedOffset)
		if !ok1 || !ok2 || off < 0 {
			return fail("parent")
		}
		info.Parts, info.Offset = []layout.Tagged{parent}, uint32(off)
	case l.ThinTag:
		info.Kind = ThinString
		actual, ok := r.Field(s, l.ThinActual)
		if !ok {
			return fail("actual string")
		}
		info.Parts = []layout.Tagged{actual}
	case l.ExternalTag:
		info.Kind = ExternalString
		info.Data, info.Unknown = r.externalData(s, typ, n)
	default:
		return info, fmt.Errorf("v8: string %v: unknown representation %d", core.Addr(s), typ&l.RepresentationMask)
	}
	return info, nil
}

// IsString reports whether o is a string.
func (r *Strings) IsString(o layout.Tagged) bool {
	t, ok := r.InstanceType(o)
	return ok && t < r.Layout.String.FirstNonstringType
}

// A StringError says that a string is not whole.
type StringError struct {
	Length uint32 // code units that the string says it has
	Got    int    // code units that were put together
	Reason string // why no more
}

// Error describes what is missing.
func (e *StringError) Error() string {
	return fmt.Sprintf("v8: string has %d of its %d code units: %s", e.Got, e.Length, e.Reason)
}

// String returns the characters of s, of at most max code units, as UTF-8; lone surrogates become U+FFFD. If
// the string is longer than max, is malformed, or is partly in memory that the core does not have, it returns
// the readable part with a *StringError. Cost and memory are bounded by max.
func (r *Strings) String(s layout.Tagged, max int) (string, error) {
	info, err := r.StringInfo(s)
	if err != nil {
		return "", err
	}
	b := &flattener{v: r, left: max, marks: true}
	reason := ""
	if flat := info.Kind == SeqString || info.Kind == ExternalString; !flat || max <= 0 {
		reason = b.flatten(s, 0, info.Length)
	} else {
		reason = b.append(info, 0, info.Length)
	}
	text := b.text()
	got := len(b.narrow)
	if b.wide != nil {
		got = len(b.wide)
	}
	got += b.hidden
	if got < int(info.Length) {
		if reason == "" {
			reason = "cut"
		}
		return text, &StringError{Length: info.Length, Got: got, Reason: reason}
	}
	return text, nil
}

// maxText bounds names and messages, which programs make of queries and paths.
const MaxText = 1 << 16

// Text returns s as far as it can be had, for names and messages.
func (r *Strings) Text(s layout.Tagged) string {
	t, _ := r.String(s, MaxText)
	return t
}

func latin1(b []byte) string {
	ascii := true
	for _, c := range b {
		if c >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return string(b)
	}
	var sb strings.Builder
	for _, c := range b {
		sb.WriteRune(rune(c))
	}
	return sb.String()
}

// notThere is why a string is not whole whose characters cannot be read.
const notThere = "characters are not in the core"

// A flattener puts a string together from its parts without recursion.
type flattener struct {
	v      *Strings
	left   int // code units that may still be appended
	narrow []byte
	wide   []uint16 // replaces narrow once a two-byte part was met
	// With marks core.RedactedMark stands for redacted characters: offsets in the text are others
	// then. Hidden is how many more characters they had than the marks, which may be negative.
	marks  bool
	hidden int
}

// text returns what was put together, as UTF-8.
func (b *flattener) text() string {
	if b.wide != nil {
		return string(utf16.Decode(b.wide))
	}
	return latin1(b.narrow)
}

// A Part is a part of a string, put together.
type Part struct {
	// Narrow are its code units, or Wide if any has more than eight bits.
	Narrow []byte
	Wide   []uint16
	// Missing says why there are no more; "" if the part is whole.
	Missing string
	// Left is how many more code units there might have been.
	Left int
}

// Part returns the code units [from, to) of s, of at most max.
func (r *Strings) Part(s layout.Tagged, from, to uint32, max int) Part {
	b := &flattener{v: r, left: max}
	why := b.flatten(s, from, to)
	return Part{b.narrow, b.wide, why, b.left}
}

// Text returns the part as UTF-8.
func (p *Part) Text() string {
	b := flattener{narrow: p.Narrow, wide: p.Wide}
	return b.text()
}

// span is a stretch of a string still to be appended, in code units.
type span struct {
	s        layout.Tagged
	from, to uint32
}

// flatten appends the code units [from, to) of s. It returns why it stopped
// early, or "".
func (b *flattener) flatten(s layout.Tagged, from, to uint32) string {
	work := []span{{s, from, to}}
	// A rope of n characters has fewer than 2n nodes; slices and thin strings
	// may come before each.
	limit := 8*min(b.left, int(to)) + 64
	for hops := 0; len(work) > 0; hops++ {
		if hops > limit {
			return "its parts do not end"
		}
		if b.left <= 0 {
			return "longer than the limit"
		}
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if p.from >= p.to {
			continue
		}
		info, err := b.v.StringInfo(p.s)
		if err != nil {
			return err.Error()
		}
		p.to = min(p.to, info.Length)
		switch info.Kind {
		case SeqString, ExternalString:
			if reason := b.append(info, p.from, p.to); reason != "" {
				return reason
			}
		case ThinString:
			if work = append(work, span{info.Parts[0], p.from, p.to}); info.Parts[0] == p.s {
				return "refers to itself"
			}
		case SlicedString:
			to := uint64(p.to) + uint64(info.Offset)
			if to > 1<<32-1 || info.Parts[0] == p.s {
				return "its offset is out of range"
			}
			work = append(work, span{info.Parts[0], p.from + info.Offset, uint32(to)})
		case ConsString:
			first, err := b.v.StringInfo(info.Parts[0])
			if err != nil {
				return err.Error()
			}
			if info.Parts[0] == p.s || info.Parts[1] == p.s {
				return "refers to itself"
			}
			if p.to > first.Length {
				work = append(work, span{info.Parts[1], max(p.from, first.Length) - first.Length, p.to - first.Length})
			}
			if p.from < first.Length {
				work = append(work, span{info.Parts[0], p.from, min(p.to, first.Length)})
			}
		}
	}
	return ""
}

// append adds the code units [from, to) of a flat string, as many as allowed. It returns why it
// added fewer, or "".
func (b *flattener) append(info StringInfo, from, to uint32) string {
	for {
		n, reason := b.appendRun(info, from, to)
		if from += n; reason != notThere || !b.marks {
			return reason
		}
		size := 2
		if info.OneByte {
			size = 1
		}
		at := info.Data + core.Addr(int(from)*size)
		skip := core.RedactedAt(b.v.Space, at, size*min(int(to-from), b.left)) / size
		if skip == 0 {
			return reason
		}
		b.mark(skip)
		if from += uint32(skip); from >= to || b.left <= 0 {
			return ""
		}
	}
}

// mark adds the mark for n redacted characters.
func (b *flattener) mark(n int) {
	b.left -= n
	b.hidden += n - len(core.RedactedMark)
	if b.wide == nil {
		b.narrow = append(b.narrow, core.RedactedMark...)
		return
	}
	for _, c := range core.RedactedMark {
		b.wide = append(b.wide, uint16(c))
	}
}

// appendRun adds code units as append does, up to the first that cannot be read. It returns how
// many it added.
func (b *flattener) appendRun(info StringInfo, from, to uint32) (added uint32, reason string) {
	if info.Unknown != "" {
		return 0, info.Unknown
	}
	n := min(uint64(to-from), uint64(b.left))
	if info.OneByte {
		data, err := b.v.Space.Slice(info.Data+core.Addr(from), int(n))
		b.left -= len(data)
		switch {
		case b.wide == nil && b.narrow == nil:
			b.narrow = data[:len(data):len(data)] // lent, and copied when more is appended
		case b.wide == nil:
			b.narrow = append(b.narrow, data...)
		default:
			for _, c := range data {
				b.wide = append(b.wide, uint16(c))
			}
		}
		return uint32(len(data)), missing(err)
	}
	data, err := b.v.Space.Slice(info.Data+core.Addr(from)*2, int(2*n))
	if b.wide == nil {
		b.wide = make([]uint16, 0, len(b.narrow)+len(data)/2)
		for _, c := range b.narrow {
			b.wide = append(b.wide, uint16(c))
		}
	}
	for i := 0; i+1 < len(data); i += 2 {
		b.wide = append(b.wide, b.v.Order.Uint16(data[i:]))
	}
	b.left -= len(data) / 2
	return uint32(len(data) / 2), missing(err)
}

// missing says why characters that were read with err are not whole.
func missing(err error) string {
	if err != nil {
		return notThere
	}
	return ""
}

// Clip cuts s to at most n characters.
func Clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return strings.TrimSpace(string(r[:n])) + "…"
}
