package sym

import (
	"cmp"
	"debug/dwarf"
	"math"
	"slices"
	"sort"
)

// call is a function that code belongs to, and where it was inlined.
type call struct {
	name    string
	inlined bool
	site    Line // the place that it was inlined into, if inlined
}

// maxInlined bounds how deep functions may be inlined into each other.
const maxInlined = 64

// loadFuncs notes the address ranges of the unit's functions; r is after
// the unit's own entry e. What is in a function is left for calls.
func (u *unit) loadFuncs(d *dwarf.Data, r *dwarf.Reader, e *dwarf.Entry) error {
	if !e.Children {
		return nil
	}
	total := 0
	for n, depth := 0, 1; n < maxEntries && depth > 0 && total < maxRanges; n++ {
		e, err := r.Next()
		if err != nil || e == nil {
			return err
		}
		if e.Tag == 0 {
			depth--
			continue
		}
		if e.Tag == dwarf.TagSubprogram && e.Val(dwarf.AttrDeclaration) == nil {
			ranges, err := d.Ranges(e)
			if err != nil {
				return err
			}
			total += len(ranges)
			for _, lh := range ranges {
				if real(lh, u.object) {
					u.funcs = append(u.funcs, unitRange{lh[0], lh[1], e.Offset})
				}
			}
		}
		if e.Children && !skipTo(r, e, holdsFunctions(e.Tag)) {
			depth++
		}
	}
	slices.SortFunc(u.funcs, func(a, b unitRange) int {
		return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(b.high, a.high), cmp.Compare(a.off, b.off))
	})
	return nil
}

// holdsFunctions reports whether entries of a tag can have children that are
// functions with code: namespaces, classes, and functions, as of local classes.
func holdsFunctions(tag dwarf.Tag) bool {
	switch tag {
	case dwarf.TagNamespace, dwarf.TagClassType, dwarf.TagStructType, dwarf.TagUnionType,
		dwarf.TagSubprogram, dwarf.TagLexDwarfBlock, dwarf.TagModule:
		return true
	}
	return false
}

// skipTo moves r past the children of e unless they are wanted, if e says
// where they end. (Reader.SkipChildren recurses as deep as the file pleases.)
func skipTo(r *dwarf.Reader, e *dwarf.Entry, wanted bool) bool {
	if wanted {
		return false
	}
	sibling, ok := e.Val(dwarf.AttrSibling).(dwarf.Offset)
	if !ok || sibling <= e.Offset {
		return false
	}
	r.Seek(sibling)
	return true
}

// skip moves r past the children of e, and returns how many entries it read.
func skip(r *dwarf.Reader, e *dwarf.Entry) (n int, err error) {
	if !e.Children || skipTo(r, e, false) {
		return 0, nil
	}
	for depth := 1; depth > 0 && n < maxEntries; n++ {
		e, err := r.Next()
		if err != nil || e == nil {
			return n, err
		}
		if e.Tag == 0 {
			depth--
		} else if e.Children && !skipTo(r, e, false) {
			depth++
		}
	}
	return n, nil
}

// funcAt returns the innermost function that holds link.
func (u *unit) funcAt(link uint64) (dwarf.Offset, bool) {
	i := sort.Search(len(u.funcs), func(i int) bool { return u.funcs[i].low > link })
	for k := i - 1; k >= 0 && k >= i-16; k-- {
		if link < u.funcs[k].high {
			return u.funcs[k].off, true
		}
	}
	return 0, false
}

// calls returns the functions that the code at link belongs to, the innermost
// inlined one first, the one that holds the code last.
func (u *unit) calls(d *dwarf.Data, link uint64) []call {
	off, ok := u.funcAt(link)
	if !ok {
		return nil
	}
	r := d.Reader()
	r.Seek(off)
	e, err := r.Next()
	if err != nil || e == nil {
		return nil
	}
	out := []call{{name: nameOf(d, e)}}
	if !e.Children {
		return out
	}
	total := 0
	for n, depth := 0, 1; n < maxEntries && depth > 0 && total < maxRanges && len(out) < maxInlined; n++ {
		e, err := r.Next()
		if err != nil || e == nil {
			break
		}
		if e.Tag == 0 {
			depth--
			continue
		}
		in, cost := false, 0
		if e.Tag == dwarf.TagInlinedSubroutine || e.Tag == dwarf.TagLexDwarfBlock {
			in, cost = holds(d, e, link)
			total += cost
		}
		if in && e.Tag == dwarf.TagInlinedSubroutine {
			out = append(out, call{name: nameOf(d, e), inlined: true, site: u.callSite(e)})
		}
		if e.Tag == dwarf.TagLexDwarfBlock && cost == 0 && e.Children {
			depth++ // a block without ranges of its own
			continue
		}
		if in && e.Children {
			// Nothing after it can hold link too: stop where it ends.
			depth = 1
			continue
		} else if in {
			break
		}
		read, err := skip(r, e)
		n += read
		if err != nil {
			break
		}
	}
	slices.Reverse(out)
	return out
}

// holds reports whether link lies in the ranges of e, and how many there are.
func holds(d *dwarf.Data, e *dwarf.Entry, link uint64) (in bool, cost int) {
	ranges, err := d.Ranges(e)
	if err != nil {
		return false, 1
	}
	for _, lh := range ranges {
		if lh[0] <= link && link < lh[1] {
			return true, len(ranges)
		}
	}
	return false, len(ranges)
}

func (u *unit) callSite(e *dwarf.Entry) Line {
	var l Line
	if n, ok := e.Val(dwarf.AttrCallFile).(int64); ok && n >= 0 && n <= math.MaxInt32 {
		l.File = u.file(int(n))
	}
	if n, ok := e.Val(dwarf.AttrCallLine).(int64); ok {
		l.Line = int(counted(int(n)))
	}
	if n, ok := e.Val(dwarf.AttrCallColumn).(int64); ok {
		l.Column = int(counted(int(n)))
	}
	return l
}

// attrMIPSLinkageName is DW_AT_MIPS_linkage_name, which stood for the linkage
// name before DWARF 4.
const attrMIPSLinkageName dwarf.Attr = 0x2007

// nameOf returns the linkage name of a function, or else its name, from e or
// from the entries that it refers to.
func nameOf(d *dwarf.Data, e *dwarf.Entry) string {
	plain := ""
	for range 8 {
		for _, a := range []dwarf.Attr{dwarf.AttrLinkageName, attrMIPSLinkageName} {
			if s, ok := e.Val(a).(string); ok && s != "" {
				return s
			}
		}
		if s, ok := e.Val(dwarf.AttrName).(string); ok && plain == "" {
			plain = s
		}
		ref, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !ok {
			ref, ok = e.Val(dwarf.AttrSpecification).(dwarf.Offset)
		}
		if !ok {
			break
		}
		r := d.Reader()
		r.Seek(ref)
		next, err := r.Next()
		if err != nil || next == nil {
			break
		}
		e = next
	}
	return plain
}
