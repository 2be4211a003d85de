package stack

import (
	"cmp"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/walk"
)

// A site describes a pc, whichever thread meets it.
type site struct {
	name         string
	offset       uint64 // bytes from the start of the symbol
	named        bool
	made         bool // at run time, without a name
	module       string
	moduleOffset core.Addr // from the start of the module
	file         string
	line, column int
	deleting     bool
	inlined      []sym.Line // innermost first; the function itself is not in it
}

// A siteKey distinguishes a return address from the same pc interrupted.
type siteKey struct {
	pc, lookup core.Addr
	lines      lineUse
}

// A lineUse says which source lines are wanted.
type lineUse uint8

const (
	noLines  lineUse = iota
	ownLines         // lines in the program and libraries, and in the program's debug file
	allLines         // lines in libraries' separate debug files, too
)

// use returns which lines the options ask for.
func (s *Engine) use(o *Options) lineUse {
	if o.Lines || s.Lines {
		return allLines
	}
	return ownLines
}

// site returns the description of f's pc, with its source lines if requested. Threads meet the same
// places again and again, so it is found once.
func (s *Engine) site(f *walk.Frame, lines lineUse) *site {
	key := siteKey{f.PC, f.LookupPC(), lines}
	s.mu.RLock()
	st := s.sites[key]
	s.mu.RUnlock()
	if st != nil {
		return st
	}
	st, settled := s.find(key)
	if !settled {
		return st // the next one who asks may get more
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sites == nil {
		s.sites = map[siteKey]*site{}
	}
	s.sites[key] = st
	return st
}

// find returns the description of a pc. Settled is false if a download was interrupted, so that a later
// attempt may find more.
func (s *Engine) find(key siteKey) (st *site, settled bool) {
	st, settled = &site{}, true
	m := s.Process.Module(key.lookup)
	if m != nil {
		st.module, st.moduleOffset = m.Path, core.Addr(m.Offset(key.pc))
		if m.Facts().Err != nil && !s.Process.OfNoFile(key.lookup) {
			s.suspect(m)
		}
		need := sym.Names
		if key.lines == allLines || key.lines == ownLines && m.Exe {
			need = sym.DebugInfo
		}
		settled = s.Symbols.Fetch(m, need)
	}
	if y, off, ok := s.Symbols.Lookup(key.lookup); ok {
		st.name, st.named = s.Symbols.Demangle(y.Name, true), true
		st.deleting = deleting(string(y.Name))
		st.offset = off + uint64(key.pc-key.lookup)
	}
	if !st.named && s.Process.MadeCode(key.lookup) && s.Process.NotCode(key.pc) == "" {
		st.made = true
	}
	if key.lines == noLines || key.lines == ownLines && m != nil && !m.Exe && s.Symbols.DebugImage(m) != nil {
		return st, settled
	}
	lines := s.Symbols.Lines(key.lookup)
	if len(lines) == 0 {
		return st, settled
	}
	own := lines[len(lines)-1]
	st.file, st.line, st.column = own.File, own.Line, own.Column
	if own.Spelt {
		st.name = own.Func
	} else if !st.named {
		st.name = s.Symbols.Demangle(own.Func, true)
	}
	for _, l := range lines[:len(lines)-1] {
		l.Func = s.Symbols.Demangle(l.Func, true)
		st.inlined = append(st.inlined, l)
	}
	return st, settled
}

// deleting reports whether a mangled name names a deleting destructor: D0 in the Itanium ABI.
func deleting(name string) bool {
	name, _, _ = strings.Cut(strings.TrimLeft(name, "_"), ".")
	return strings.HasPrefix(name, "Z") && strings.HasSuffix(name, "D0Ev")
}

// suspect records that a frame is in a module whose file was not found.
func (s *Engine) suspect(m *core.Module) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.suspects, m) {
		s.suspects = append(s.suspects, m)
	}
}

// Suspects returns the modules that have frames on the stacks made so far and
// whose files are missing or were refused, sorted by address; each is returned
// once.
func (s *Engine) Suspects() []*core.Module {
	s.mu.Lock()
	defer s.mu.Unlock()
	fresh := slices.Clone(s.suspects[s.told:])
	s.told = len(s.suspects)
	slices.SortFunc(fresh, func(a, b *core.Module) int { return cmp.Compare(a.Start, b.Start) })
	return fresh
}
