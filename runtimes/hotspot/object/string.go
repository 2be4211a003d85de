package object

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/java"
)

// A Text is what a java.lang.String says.
type Text = java.Text

const stringClass = "java.lang.String"

// IsString reports whether an object is a java.lang.String.
func (r *Reader) IsString(at core.Addr) bool {
	k := r.ClassOf(at)
	return k != nil && k.Name == stringClass
}

// String returns the string at an address, at most max of its UTF-16 units. The characters are in an array:
// char[] before JDK 9, byte[] since, which has one byte for each if String.coder is 0 (java.lang.String,
// LATIN1). With an error comes the text before it.
func (r *Reader) String(at core.Addr, max int) (Text, error) {
	a, size, err := r.characters(at)
	if err != nil {
		return Text{}, err
	}
	s := Text{Length: int(a.Length * a.Class.ElementSize / size)}
	n := min(s.Length, max)
	for {
		b, err := r.Process.Space.Slice(a.At(0)+core.Addr(s.Read*int(size)), int(size)*(n-s.Read))
		s.Value += java.Characters(b, int(size), r.Process.Arch.Order)
		if s.Read += len(b) / int(size); err == nil {
			return s, nil
		}
		at := a.At(0) + core.Addr(s.Read*int(size))
		skip := core.RedactedAt(r.Process.Space, at, int(size)*(n-s.Read)) / int(size)
		if skip == 0 {
			return s, fmt.Errorf("hotspot: string at %v: %w", at, err)
		}
		s.Value += core.RedactedMark
		s.Read += skip
	}
}

// characters returns the array of a string's characters, and the bytes of each.
func (r *Reader) characters(at core.Addr) (a Array, size uint64, err error) {
	o, err := r.Object(at)
	if err != nil {
		return a, 0, err
	}
	if o.Class.Name != stringClass {
		return a, 0, fmt.Errorf("hotspot: %v is not a String but a %s", at, o.Class.Name)
	}
	value, ok := r.RefField(o, "value")
	if !ok {
		return a, 0, fmt.Errorf("hotspot: string at %v: its characters are not known", at)
	}
	if a, err = r.Array(value); err != nil {
		return a, 0, fmt.Errorf("string at %v: its characters: %w", at, err)
	}
	switch a.Element {
	case java.Char:
		return a, 2, nil
	case java.Byte:
		if coder, ok := r.IntField(o, "coder"); ok && coder == 0 {
			return a, 1, nil
		}
		return a, 2, nil
	}
	return a, 0, fmt.Errorf("hotspot: string at %v: its characters are a %s", at, a.Class.Name)
}
