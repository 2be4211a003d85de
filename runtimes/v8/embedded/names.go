package embedded

import (
	"bytes"

	"coredbg/core"
)

// builtin_metadata has an entry for each builtin, by its number: the address of its name, its kind, and a value
// that depends on the kind, an address of C++ or numbers of parameters (builtins/builtins.cc @ 7.4 to 15.8).

const (
	// wellKnown is a builtin that every version has.
	wellKnown = "InterpreterEntryTrampoline"
	// metadataEntry are the bytes of an entry.
	metadataEntry = 24
	// maxKind is more than the number of kinds that any version has.
	maxKind = 32
	// maxName is more than the characters of any builtin's name.
	maxName = 128
	// maxTexts bounds how often the name of the builtin is looked for.
	maxTexts = 16
)

// names returns the names of the builtins of an image by number, nil if they are not found.
func names(p *core.Process, m *core.Module) []string {
	var texts []core.Addr
	for _, r := range constantsFirst(m) {
		// Zero bytes are many, so the text is looked for without those around it.
		eachByte(p, []area{r}, func(at core.Addr, data []byte) {
			for from := 0; len(texts) < maxTexts; from += len(wellKnown) {
				i := bytes.Index(data[from:], []byte(wellKnown))
				if i < 0 {
					return
				}
				from += i
				if end := from + len(wellKnown); from > 0 && data[from-1] == 0 && end < len(data) && data[end] == 0 {
					texts = append(texts, at+core.Addr(from))
				}
			}
		})
		if found := named(p, m, texts); found != nil {
			return found
		}
	}
	return nil
}

// named returns the names of builtins in the table that leads to one of these texts, nil if there is none.
func named(p *core.Process, m *core.Module, texts []core.Addr) (found []string) {
	if len(texts) == 0 {
		return nil
	}
	look := func(at core.Addr, data []byte) {
		for i := int(-at & 7); i+8 <= len(data) && found == nil; i += 8 {
			w := core.Addr(p.Arch.Order.Uint64(data[i:]))
			for _, text := range texts {
				if w == text {
					found = metadata(p, at+core.Addr(i))
				}
			}
		}
	}
	eachByte(p, variableParts(m), look) // if it is written when the image is loaded
	if found == nil {
		eachByte(p, constantsFirst(m), look)
	}
	return found
}

// metadata returns the names in the table that has an entry at a, nil if it is not one of builtins.
func metadata(p *core.Process, at core.Addr) []string {
	first := at
	for range maxBuiltins {
		if _, ok := metadataName(p, first-metadataEntry); !ok {
			break
		}
		first -= metadataEntry
	}
	var list []string
	seen := map[string]bool{}
	for a := first; len(list) < maxBuiltins; a += metadataEntry {
		name, ok := metadataName(p, a)
		if !ok {
			break
		}
		if seen[name] {
			return nil // each name belongs to one builtin
		}
		seen[name] = true
		list = append(list, name)
	}
	if len(list) < FewestBuiltins {
		return nil
	}
	return list
}

// metadataName returns the name that the entry at a has, if it is one.
func metadataName(p *core.Process, a core.Addr) (string, bool) {
	c := p.Cursor()
	text, kind := c.Pointer(a), c.U64(a+8)
	if c.Err() != nil || text == 0 || kind >= maxKind {
		return "", false
	}
	name := c.CString(text, maxName)
	if c.Err() != nil || !identifier(name) {
		return "", false
	}
	return name, true
}

// identifier reports whether s is a name of C++.
func identifier(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
