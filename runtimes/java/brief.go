package java

import (
	"fmt"
	"strconv"
	"strings"

	"coredbg/core"
)

// maxBrief is how many characters of a string are shown.
const maxBrief = 60

// Brief describes the object at an address in a few words: `"text"`, "int[16]", "java.util.HashMap of 123",
// "class demo.Demo".
func (in Inspector) Brief(at core.Addr) string {
	o, err := in.Heap.Object(at)
	if err != nil {
		return "no object"
	}
	switch o.Class.Shape {
	case Classes:
		if k, err := in.Heap.Mirrored(o); err == nil {
			return "class " + k.Name
		}
		return o.Class.Name
	case Strings:
		s, _ := in.Heap.Text(at, maxBrief)
		text := strconv.Quote(s.Value)
		if s.Cut() {
			text += "…"
		}
		return text
	case Arrays:
		n, _ := in.Heap.ArrayLength(at)
		base, dims, _ := strings.Cut(o.Class.Name, "[")
		return fmt.Sprintf("%s[%d]%s", base, n, strings.TrimPrefix(dims, "]"))
	}
	v := in.Inspect(at, Options{MaxString: maxBrief, MaxValues: 1})
	switch v.Kind {
	case ValueMap, ValueArray:
		return fmt.Sprintf("%s of %d", o.Class.Name, v.Length)
	case ValueEnum, ValueNumber:
		return o.Class.Name + " " + v.Format(FormatOptions{OneLine: true})
	}
	return o.Class.Name
}
