package dwarf

import (
	"errors"

	"coredbg/core"
	"coredbg/core/dwarf/format"
	"coredbg/core/dwarf/index"
)

var errEntry = errors.New("its value at entry is not recorded by the caller")

// entryValue pushes what a register, or memory, had when the function was called, as the
// caller's entry of the call says (DWARF 5, sections 2.5.1.7 and 3.4). It fails where the
// call may have been another: the function that is called need not be the one whose
// frame this is, but may have left by a tail call.
func (x *evaluator) entryValue(expr []byte) error {
	if x.f.Caller == nil || x.fn == nil {
		return errEntry
	}
	caller := x.f.Caller()
	if caller == nil || caller.Data == nil || caller.Return == 0 {
		return errEntry
	}
	site, fn := caller.Data.callSite(caller.PC, caller.Return)
	if site == nil {
		return errEntry
	}
	if !x.f.calledBy(caller, site, fn, x.fn, x.depth) {
		return errors.New("its value at entry is not known: the caller may have called another function")
	}
	if mayCallItself(x.fn) {
		return errors.New("its value at entry is not known: the function may have gone to itself by a tail call")
	}
	value := callParameter(site, x.u, expr)
	if value == nil {
		return errEntry
	}
	v, err := caller.value(site.u, fn, value, x.depth+1)
	if err != nil {
		return err
	}
	b := core.Buf{Data: expr, Order: x.f.Arch.Order}
	_, t, _ := x.u.parameterPlace(&b)
	x.pushTyped(x.fit(word{v, t}))
	return nil
}

// parameterPlace reads the register that an expression of a value at entry has, and, of one that
// is not an address, its type.
func (u *Unit) parameterPlace(b *core.Buf) (reg uint64, t *Type, ok bool) {
	op := b.U8()
	if op == format.OpRegvalType || op == format.OpGNURegvalType {
		reg = b.ULEB()
		return reg, u.d.typeAt(u.Off + format.Offset(b.ULEB())), !b.Bad
	}
	reg, ok = format.RegisterOf(op, b)
	return reg, nil, ok
}

// callSite returns the entry of the call that returns to the link-time address ret, and the
// function that it is in; nil if there is none. The address pc is in the call.
func (d *Data) callSite(pc, ret uint64) (site, fn *Entry) {
	_, fn, _ = d.functionOf(pc)
	if fn == nil {
		return nil, nil
	}
	var look func(e *Entry, depth int)
	look = func(e *Entry, depth int) {
		if depth > maxNested {
			return
		}
		e.eachChild(func(_ *reader, c *Entry) bool {
			switch c.Tag {
			case format.TagCallSite, format.TagGNUCallSite:
				at, ok := c.attr(format.AtCallReturnPC).Addr()
				if !ok {
					at, ok = c.attr(format.AtLowPC).Addr()
				}
				if ok && at == ret {
					site = c.clone()
				}
			case format.TagLexicalBlock, format.TagInlinedSubroutine:
				if c.holds(pc) || !c.attr(format.AtRanges).Present() && !c.attr(format.AtLowPC).Present() {
					look(c.clone(), depth+1)
				}
			}
			return site == nil
		})
	}
	look(fn, 0)
	return site, fn
}

// calledBy reports whether the call at site calls the function callee. It compares the entry that site
// names, or the address that its target has.
func (f *Frame) calledBy(caller *Frame, site, fn, callee *Entry, depth int) bool {
	if at, ok := callOrigin(site); ok {
		return at.sameFunction(callee)
	}
	target, ok := site.attr(format.AtCallTarget).Block()
	if !ok {
		target, ok = site.attr(format.AtGNUCallTarget).Block()
	}
	if !ok {
		return false
	}
	at, err := caller.value(site.u, fn, target, depth+1)
	low, is := callee.attr(format.AtLowPC).Addr()
	return err == nil && is && at == low+uint64(f.Bias)
}

// callOrigin returns the entry of the function that a call names.
func callOrigin(site *Entry) (ref, bool) {
	if at, ok := site.attr(format.AtCallOrigin).ref(); ok {
		return at, true
	}
	return site.attr(format.AtAbstractOrigin).ref()
}

// sameFunction reports whether an entry belongs to the function callee: callee completes the entry, or
// both have the same linkage name.
func (r ref) sameFunction(callee *Entry) bool {
	same := false
	callee.origin(func(e *Entry) bool {
		same = same || e.ref() == r
		return same
	})
	if same {
		return true
	}
	e := r.entry()
	if e == nil {
		return false
	}
	e.origin(func(e *Entry) bool {
		same = same || e.ref() == callee.ref()
		return same
	})
	return same || e.external() && callee.external() && e.functionName() == callee.functionName()
}

// external reports whether other units can name a function.
func (e *Entry) external() bool { return e.inherited(format.AtExternal).Flag() }

// callParameter returns the expression for the value of the parameter of a call that is where
// expr says, a register or memory; nil if there is none.
func callParameter(site *Entry, u *Unit, expr []byte) (value []byte) {
	want := core.Buf{Data: expr}
	reg, _, isRegister := u.parameterPlace(&want)
	site.eachChild(func(_ *reader, c *Entry) bool {
		if c.Tag != format.TagCallSiteParameter && c.Tag != format.TagGNUCallSiteParameter {
			return true
		}
		loc, ok := c.attr(format.AtLocation).Block()
		if !ok {
			return true
		}
		have := core.Buf{Data: loc}
		r, _, is := site.u.parameterPlace(&have)
		if is == isRegister && (is && r == reg || !is && string(loc) == string(expr)) {
			if value, ok = c.attr(format.AtCallValue).Block(); !ok {
				value, _ = c.attr(format.AtGNUCallSiteValue).Block()
			}
		}
		return value == nil
	})
	return value
}

// maxTailCalls bounds how many functions are looked at for their tail calls.
const maxTailCalls = 512

// mayCallItself reports whether a function can reach itself by tail calls alone. Then the values that
// its registers had at entry may not come from the call that its caller made.
func mayCallItself(fn *Entry) bool {
	seen := map[ref]bool{}
	list := []*Entry{fn}
	for len(list) > 0 {
		e := list[len(list)-1]
		list = list[:len(list)-1]
		at := e.ref()
		if seen[at] {
			continue
		}
		if seen[at] = true; len(seen) > maxTailCalls {
			return true
		}
		sure := tailCalls(e, 0, func(target *Entry) bool {
			list = append(list, target)
			return target.ref() != fn.ref()
		})
		if !sure {
			return true
		}
	}
	return false
}

// tailCalls calls yield for each function of the image that an entry's function leaves for by a
// tail call, until it returns false. It reports whether all of them are known, and yield
// returned true for each.
func tailCalls(e *Entry, depth int, yield func(*Entry) bool) bool {
	if depth > maxNested {
		return false
	}
	sure := true
	e.eachChild(func(_ *reader, c *Entry) bool {
		switch c.Tag {
		case format.TagCallSite, format.TagGNUCallSite:
			if c.attr(format.AtCallTailCall).Flag() || c.attr(format.AtGNUTailCall).Flag() {
				target, known := callTarget(c)
				sure = known && (target == nil || yield(target))
			}
		case format.TagLexicalBlock, format.TagInlinedSubroutine:
			sure = tailCalls(c.clone(), depth+1, yield)
		}
		return sure
	})
	return sure
}

// callTarget returns the function that a call site calls; nil if it is in another image.
func callTarget(site *Entry) (fn *Entry, known bool) {
	at, ok := callOrigin(site)
	if !ok {
		return nil, false
	}
	e := at.entry()
	if e == nil {
		return nil, false
	}
	if len(e.codeRanges()) > 0 {
		return e, true
	}
	name := e.functionName()
	look := func(x *indexed) bool {
		for _, r := range x.refs(index.Functions, name) {
			if f := r.entry(); f != nil && at.sameFunction(f) {
				fn = f
				return true
			}
		}
		return false
	}
	x := site.u.d.root.indexFor(name, look)
	if fn != nil || look(x) {
		return fn, true
	}
	return nil, x.partly == nil && (e.attr(format.AtDeclaration).Flag() || e.external())
}
