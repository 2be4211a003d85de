package dwarf

import (
	"coredbg/core/dwarf/index"

	"coredbg/core/dwarf/format"
)

// indexed is what units name at their top level, in namespaces and in classes.
type indexed struct {
	names *index.Names
	parts []*part // by the numbers that names have for them
	// partly is why units are missing.
	partly error
}

// The parts that an index of all units has, whatever files these lead to; see indexer.part.
const (
	partRoot = iota // .debug_info of the image
	partKin         // its .debug_types
	partSup         // what it shares with others
	partRest        // of each unit the file that has the rest of it, and the .debug_types of that
)

// refs returns the entries of a name.
func (x *indexed) refs(k index.Kind, name string) []ref {
	list := x.names.Find(k, name)
	out := make([]ref, len(list))
	for i, r := range list {
		out[i] = x.ref(r)
	}
	return out
}

func (x *indexed) ref(r index.Ref) ref { return ref{x.parts[r.Part()], format.Offset(r.Off())} }

// last returns the entries whose names end in one.
func (x *indexed) last(k index.Kind, name string) (out []ref) {
	for _, whole := range x.names.Whole(k, name) {
		out = append(out, x.refs(k, whole)...)
	}
	return out
}

// has reports whether an entry has a name, or one that ends in it.
func (x *indexed) has(k index.Kind, name string) bool {
	return len(x.names.Find(k, name)) > 0 || len(x.names.Whole(k, name)) > 0
}
