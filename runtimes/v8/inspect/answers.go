package inspect

import (
	"slices"
	"unicode/utf16"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// answers adds the properties that functions of the embedder answer for.
func (b *tree) answers(x *Value) {
	names, values, err, ok := b.v.functions.Answers(x.Word)
	if err != nil {
		x.fail(err)
	}
	if !ok || err != nil {
		return
	}
	x.Intercepted = false
	for i, name := range names {
		x.Keys++
		x.HiddenKeys++
		switch {
		case !x.Opened:
		case len(x.Properties) >= b.o.MaxProperties:
			x.MoreProperties++
		default:
			x.Properties = append(x.Properties, Member{Key: object.Key{Name: name}, Enumerable: true,
				Value: answer(values[i], b.o)})
		}
	}
}

// Answer returns what a function of the embedder would answer for one property of an object; nil
// if there is no such property, or none of the embedder's answers for the object. The error says
// why an answer is not known.
func (r *Inspector) Answer(o layout.Tagged, name string, opt InspectOptions) (*Value, error) {
	if r.functions == nil {
		return nil, nil
	}
	names, values, err, ok := r.functions.Answers(o)
	if i := slices.Index(names, name); ok && err == nil && i >= 0 {
		return answer(values[i], opt), nil
	}
	return nil, err
}

// answer makes the value of a text.
func answer(text string, o InspectOptions) *Value {
	return &Value{Kind: object.KindString, Length: uint64(jsLength(text)), Text: firstUnits(text, o.MaxString)}
}

// firstUnits returns the start of a text, at most n code units of UTF-16.
func firstUnits(s string, n int) string {
	for i, r := range s {
		if n -= utf16.RuneLen(r); n < 0 {
			return s[:i]
		}
	}
	return s
}
