package inspect

import (
	"fmt"
	"strconv"

	"coredbg/runtimes/v8/object"
)

// maxHoles is how many holes in a row are written one by one; a longer run is
// one element with a count.
const maxHoles = 100

func (j *jsonWriter) holes(n uint64, first bool) {
	if n > maxHoles {
		j.comma(first)
		j.raw(fmt.Sprintf(`{"$":"hole","count":%d}`, n))
		return
	}
	for i := range n {
		j.comma(first && i == 0)
		j.raw(`{"$":"hole"}`)
	}
}

// list writes the elements of an array or typed array.
func (j *jsonWriter) list(x *Value) {
	j.raw("[")
	next := uint64(0)
	for i := range x.Elements {
		m := &x.Elements[i]
		if m.Index > next {
			j.holes(m.Index-next, next == 0)
			next = m.Index
		}
		j.comma(next == 0)
		if m.Value == nil {
			j.raw(`{"$":"accessor"}`)
		} else {
			j.value(m.Value)
		}
		next = m.Index + 1
	}
	switch {
	case x.MoreElements > 0:
		j.more(int(x.Length-next), next == 0)
	case next < x.Length && x.Err == nil:
		j.holes(x.Length-next, next == 0)
	case x.Err != nil:
		j.comma(next == 0)
		j.kind("unreadable")
		j.text("reason", x.Reason())
		j.raw("}")
	}
	j.raw("]")
}

func (j *jsonWriter) array(x *Value) { j.list(x) }

func (j *jsonWriter) bytes(x *Value) {
	j.raw("[")
	for i, c := range x.Bytes {
		j.comma(i == 0)
		j.b = strconv.AppendUint(j.b, uint64(c), 10)
	}
	j.more(int(x.Length)-len(x.Bytes), len(x.Bytes) == 0)
	j.raw("]")
}

func (j *jsonWriter) collection(x *Value) {
	names := map[object.Kind]string{object.KindMap: "Map", object.KindWeakMap: "WeakMap", object.KindSet: "Set",
		object.KindWeakSet:     "WeakSet",
		object.KindMapIterator: "Map Iterator", object.KindSetIterator: "Set Iterator"}
	j.kind(names[x.Kind])
	pairs := x.Kind == object.KindMap || x.Kind == object.KindWeakMap || x.KeyValue
	if pairs {
		j.key("entries")
	} else {
		j.key("values")
	}
	j.raw("[")
	for i, e := range x.Entries {
		j.comma(i == 0)
		if !pairs {
			j.value(e.Key)
			continue
		}
		j.raw("[")
		j.value(e.Key)
		j.raw(",")
		if e.Value != nil {
			j.value(e.Value)
		} else {
			j.raw(`{"$":"undefined"}`)
		}
		j.raw("]")
	}
	j.more(x.MoreEntries, len(x.Entries) == 0)
	j.raw("]")
	if x.Class != names[x.Kind] && x.Class != "" && x.Class != "Object" {
		j.text("$class", x.Class)
	}
}
