package page

import (
	"sync"

	"coredbg/runtimes/v8/layout"
)

// A MapInfo is the information about a Map that walking needs, computed once.
type MapInfo struct {
	Word layout.Tagged // the Map
	Typ  int
	Size int // bytes of an instance; 0 if they vary
	// inObject is the offset of the first property in an object, 0 without one.
	inObject int
	// Receiver is set for objects of JavaScript, Free for fillers of the space between objects.
	Receiver, Free bool
	// Boilerplate is set for the entry of a map's objects that are boilerplates.
	Boilerplate bool
	ID          int32 // counts maps as they are found
}

// A MapTable knows the maps that a walk has met. It is safe for concurrent use.
type MapTable struct {
	v     *Reader
	mu    sync.Mutex
	known map[layout.Tagged]*MapInfo
	List  []*MapInfo
	rules []sizeRule // by instance type
}

// NewMapTable returns a table that knows no map yet, and the rules for sizes that names of types give.
func NewMapTable(hs *Reader) *MapTable {
	t := &MapTable{v: hs, known: map[layout.Tagged]*MapInfo{}, rules: make([]sizeRule, 1<<16)}
	for typ := range t.rules {
		if typ < hs.Types.FirstReceiver {
			t.rules[typ] = hs.ruleOf(typ)
		}
	}
	return t
}

// find returns the map m, or nil if m is none.
func (t *MapTable) find(m layout.Tagged) *MapInfo {
	t.mu.Lock()
	defer t.mu.Unlock()
	if x, ok := t.known[m]; ok {
		return x
	}
	if !t.v.IsMap(m) {
		return nil
	}
	typ, ok := t.v.MapInstanceType(m)
	if !ok {
		return nil
	}
	var words [2]byte
	for i, off := range []int{t.v.Layout.Map.InstanceSize, t.v.Layout.Map.InObjectStart} {
		if !t.v.Bytes(words[i:i+1], m.Addr().Add(int64(off))) {
			return nil
		}
	}
	x := &MapInfo{Word: m, Typ: typ, Size: t.v.Slots(int(words[0])), ID: int32(len(t.List)),
		Receiver: typ >= t.v.Types.FirstReceiver, Free: t.v.IsFree(typ)}
	if first := t.v.Slots(int(words[1])); x.Receiver && first < x.Size {
		x.inObject = first
	}
	t.known[m], t.List = x, append(t.List, x)
	return x
}

// Listed returns the maps that were found so far.
func (t *MapTable) Listed() []*MapInfo {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.List
}

// IsArray reports whether objects of a type have sizes as arrays have, of tagged words or of bytes.
func (t *MapTable) IsArray(typ int) bool {
	return t.rules[typ] == sizeArray || t.rules[typ] == sizeBytes
}

// IsFree reports whether a type fills space between objects.
func (hs *Reader) IsFree(typ int) bool {
	name := hs.Types.Names[typ]
	return name == "FILLER_TYPE" || name == "FREE_SPACE_TYPE"
}
