package bugs

import (
	"path"
	"strings"
)

// A Suspect is a class whose objects fill a heap, and their holders.
type Suspect struct {
	Class, File string   // equal in all processes; the file is "" if it is not known
	Holders     []Holder // outward; nil if they are not known
	Text        string   // in a sentence, with numbers
}

// A Holder is a property of a class, or a variable.
type Holder struct {
	Name string // "byUrl of ResponseCache"
	File string // of the class or the variable; "" if it is not known
	Own  bool   // whether the file is the program's, and of no library
}

// key returns the parts of a suspect that name a bug, and whether they suffice. A property or variable
// of the program itself identifies the leak. A library's is shared by all its users, so the way goes on
// to the program. If it does not reach the program, the class counts as well, since other leaks then
// have the same holders.
func (s *Suspect) key(r *Rules, script string) []string {
	var names []string
	for _, h := range s.Holders {
		names = append(names, strings.TrimSpace(h.Name+" "+r.stable(h.File)))
		if h.Own {
			return names
		}
	}
	class := s.Class
	if s.File != "" {
		class += " " + r.stable(s.File)
	} else if script != "" {
		class += " of " + r.stable(script) // all programs have plain objects
	}
	return append([]string{class}, names...)
}

// stable returns the name of a file without the parts that differ from one build to the next.
func (r *Rules) stable(file string) string {
	for i := range r.normalise {
		file = r.normalise[i].re.ReplaceAllString(file, r.normalise[i].to)
	}
	return file
}

// name returns the suspect for a reader.
func (s *Suspect) name(r *Rules) string {
	name := strings.TrimSpace(s.Class + " " + r.stable(s.File))
	for i, h := range s.Holders {
		if name += ", "; i == 0 {
			name = strings.TrimSuffix(name, ", ") + " in "
		}
		name += h.Name
		if h.Own {
			break
		}
	}
	return name
}

// An Extent is how much of a heap its suspects come from.
type Extent int

const (
	Whole   Extent = iota
	Part           // some pages, for lack of time: others ask the whole heap
	Largest        // some pages of a heap that is too large to be asked whole by anyone
)

// SignFull names the bug of a process whose heap was full, by its largest suspect: where the collector gave
// up is chance. Without suspects it has no key, and with a part of the heap neither: its holders are not
// known. Of the largest heaps a class of the program is the key, which all leaks of the class share.
func (r *Rules) SignFull(cause Cause, suspects []Suspect, p *Program, extent Extent) *Signature {
	s := &Signature{Rules: r.Version, Name: string(cause) + " | what fills the heap is not known"}
	if len(suspects) == 0 {
		return s
	}
	s.Name = string(cause) + " | " + suspects[0].name(r)
	switch {
	case extent == Largest && suspects[0].File != "":
		s.Name += ", by its class alone"
		s.Coarse = key([]string{string(cause), "class", suspects[0].Class, r.stable(suspects[0].File)})
		s.Fine = s.Coarse
		return s
	case extent != Whole:
		return s
	}
	names := append([]string{string(cause)}, suspects[0].key(r, p.script())...)
	s.Coarse = key(names)
	s.Fine = key(append(names, suspects[0].Class, r.stable(suspects[0].File)))
	return s
}

// script returns the file's name of the program that an engine runs, by the command line; the engine's own if it has
// none.
func (p *Program) script() string {
	if p == nil {
		return ""
	}
	for _, a := range p.Args[min(1, len(p.Args)):] {
		if !strings.HasPrefix(a, "-") && path.Ext(a) != "" {
			return path.Base(a)
		}
	}
	return p.Name
}
