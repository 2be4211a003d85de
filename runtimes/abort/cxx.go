package abort

import (
	"slices"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/machine"
)

// The classes of exceptions that C++ libraries make: "GNUCC++\0" and "CLNGC++\0", the
// first byte the most significant. A dependent exception, which std::rethrow_exception
// makes, has 1 in the last byte.
const (
	classGNU       = 0x474e5543432b2b00
	classClang     = 0x434c4e47432b2b00
	classDependent = 1
)

// An exception is one that a C++ library has in flight or in a handler.
type exception struct {
	typ    core.Addr // its std::type_info
	object core.Addr
	note   string
}

// throws are functions on whose behalf the process ends if they are on the stack: the
// exception that they throw found no handler, or one that must not be left by it.
var throws = []string{"std::terminate", "std::__terminate", "__cxxabiv1::__terminate", "__cxa_call_terminate",
	"__clang_call_terminate",
	"__cxa_throw", "__cxa_rethrow", "std::rethrow_exception", "_Unwind_RaiseException", "_Unwind_Resume_or_Rethrow"}

// A cxxFinder finds exceptions of C++.
type cxxFinder struct{ reader }

// exception returns the cause where std::terminate was called: the exception that
// nobody caught, or that there was none; and where a handler aborted, the exception
// that it had caught.
func (f cxxFinder) exception(c *runtimes.Crash) []runtimes.Cause {
	terminate := c.Within(func(name string) bool { return slices.Contains(throws, name) }) >= 0
	aborted := c.Signal != nil && c.Signal.Name == "SIGABRT"
	stripped := !terminate && aborted && nameless(c)
	if stripped {
		terminate = f.terminated(c)
	}
	if !terminate && !aborted {
		return nil
	}
	kind := runtimes.UncaughtCXX
	if !terminate {
		kind = runtimes.HandledCXX
	}
	x, known := f.caught(c.Thread)
	if !known && stripped {
		x, known = f.inTLS(c.Thread)
		known = known || terminate // without an exception
		x.note = shaped
	}
	if !known && terminate {
		x, known = f.onStack(c)
	}
	switch {
	case !known:
		return nil
	case x.typ == 0 && terminate && stripped:
		return []runtimes.Cause{{Kind: runtimes.Terminated, TID: c.Thread.TID, Note: shaped}}
	case x.typ == 0 && terminate:
		return []runtimes.Cause{{Kind: runtimes.Terminated, TID: c.Thread.TID}}
	case x.typ == 0:
		return nil
	}
	return f.chain(kind, c.Thread, x)
}

// caught returns the exception on top of those that a thread handles, among which
// std::terminate puts one that is in flight (libsupc++, eh_throw.cc and eh_call.cc). It
// asks the C++ library, which keeps them in thread-local memory.
func (f cxxFinder) caught(t *core.Thread) (exception, bool) {
	if f.p.Arch != core.AMD64 || t.TLS == 0 {
		return exception{}, false
	}
	for _, name := range []string{"__cxa_get_globals_fast", "__cxa_get_globals"} {
		y, ok := f.symbols.Find("", name)
		if !ok {
			continue
		}
		m := machine.New(f.p.Space, t.TLS)
		globals, err := m.Call(y.Addr)
		if err != nil || !globals.Known || globals.N == 0 {
			continue
		}
		cur := f.p.Cursor()
		header := cur.Pointer(core.Addr(globals.N))
		if cur.Err() != nil {
			continue
		}
		if header == 0 {
			return exception{}, true
		}
		return f.header(header)
	}
	return exception{}, false
}

// header decodes a __cxa_exception, before which libc++abi has two more words:
// type_info, three functions, the next exception, two ints, four pointers; then comes
// the _Unwind_Exception with its class, aligned to 16 bytes, and the object.
func (f cxxFinder) header(at core.Addr) (exception, bool) {
	for _, more := range []core.Addr{0, 2} {
		w := core.Addr(f.p.Arch.PtrSize)
		unwind := (at + (more+9)*w + 8 + 15) &^ 15
		if x, ok := f.unwindHeader(unwind); ok {
			return x, true
		}
	}
	return exception{}, false
}

// unwindHeader decodes the exception whose _Unwind_Exception is at the address.
func (f cxxFinder) unwindHeader(at core.Addr) (exception, bool) {
	cur := f.p.Cursor()
	w := core.Addr(f.p.Arch.PtrSize)
	class := cur.U64(at)
	if cur.Err() != nil || class&^classDependent != classGNU && class&^classDependent != classClang {
		return exception{}, false
	}
	// The type comes before the header, whose size is a multiple of 16; on
	// 32 bits the words before it are fewer, and aligned as well.
	head := (9*w + 8 + 15) &^ 15
	x := exception{object: at + f.unwindSize()}
	if class&classDependent != 0 {
		primary := at - head
		if class&^classDependent == classClang {
			primary -= w
		}
		x.object = cur.Pointer(primary)
		if cur.Err() != nil || x.object < head+32 {
			return exception{}, false
		}
		at = x.object - f.unwindSize()
	}
	x.typ = cur.Pointer(at - head)
	return x, cur.Err() == nil && x.typ != 0
}

// maxStackWords bounds the words of a stack that are looked at for an exception.
const maxStackWords = 8 << 10

// onStack returns the exception that the words of the stack refer to, the nearest to
// its top: the unwinder hands it on from function to function.
func (f cxxFinder) onStack(c *runtimes.Crash) (exception, bool) {
	sp, ok := c.Thread.Regs.Get(f.p.Arch.SP)
	if !ok {
		return exception{}, false
	}
	cur := f.p.Cursor()
	w := core.Addr(f.p.Arch.PtrSize)
	for i := range core.Addr(maxStackWords) {
		at := cur.Pointer(core.Addr(sp) + i*w)
		if cur.Reset() != nil {
			break
		}
		if at%16 != 0 || at < 4096 {
			continue
		}
		if x, ok := f.unwindHeader(at); ok {
			x.note = "found by a pointer on the stack: it may be an earlier one"
			return x, true
		}
	}
	return exception{}, false
}

// describe adds the type and what is said of the object.
func (f cxxFinder) describe(cause *runtimes.Cause, t *core.Thread, x exception) {
	cur := f.p.Cursor()
	w := core.Addr(f.p.Arch.PtrSize)
	name := strings.TrimPrefix(cur.CString(cur.Pointer(x.typ+w), maxMessage), "*")
	if cur.Reset() != nil || name == "" {
		cause.Note = "its type cannot be read"
		return
	}
	cause.Type = typeName(name)
	if text, ok := f.plain(name, x.object); ok {
		cause.Message = text
		return
	}
	at, base, err := f.standard(x.typ, x.object)
	switch {
	case err != nil:
		addNote(cause, "whether it has a what() is not known: "+err.Error())
		return
	case base == "":
		return // no std::exception: it has no what()
	}
	if text, ok := f.what(t, at); ok {
		cause.Message = text
	} else if text := cur.Text(cur.Pointer(at+w), maxMessage); base != "St9exception" && cur.Reset() == nil {
		cause.Message = text
		if name != base {
			addNote(cause, "the message is that of its base "+typeName(base))
		}
	} else {
		addNote(cause, "what() cannot be called here")
	}
}

// maxNested bounds the exceptions that are nested in each other.
const maxNested = 32

// chain returns an exception with those that are nested in it, the outermost first: what
// std::throw_with_nested throws is derived of the exception that it is given and of
// std::nested_exception, which holds the one that was being handled (libsupc++,
// nested_exception.h; libc++, __exception/nested_exception.h).
func (f cxxFinder) chain(kind runtimes.CauseKind, t *core.Thread, x exception) []runtimes.Cause {
	var out []runtimes.Cause
	seen := map[core.Addr]bool{}
	for len(out) < maxNested && !seen[x.object] {
		seen[x.object] = true
		cause := runtimes.Cause{Kind: kind, Addr: x.object, TID: t.TID, Note: x.note}
		f.describe(&cause, t, x)
		out = append(out, cause)
		next, ok, err := f.nested(x)
		if err != nil && cause.Note == x.note { // else that says already what cannot be read
			addNote(&out[len(out)-1], "whether another is nested in it is not known: "+err.Error())
		}
		if !ok {
			break
		}
		kind, x = runtimes.CausedBy, next
	}
	return out
}

// nested returns the exception that another one holds: std::nested_exception is a vtable
// and a std::exception_ptr, which is the address of the object that was thrown.
func (f cxxFinder) nested(x exception) (exception, bool, error) {
	at, _, err := f.base(x.typ, x.object, "St16nested_exception")
	if err != nil || at == 0 {
		return exception{}, false, err
	}
	w := core.Addr(f.p.Arch.PtrSize)
	cur := f.p.Cursor()
	object := cur.Pointer(at + w)
	if cur.Err() != nil || object == 0 {
		return exception{}, false, cur.Err() // none: it was thrown outside of a handler
	}
	head := f.unwindSize()
	if object < head {
		return exception{}, false, nil
	}
	inner, ok := f.unwindHeader(object - head)
	return inner, ok, nil
}

// unwindSize is the size of an _Unwind_Exception: the object that was thrown comes after it.
func (f cxxFinder) unwindSize() core.Addr { return (8 + 3*core.Addr(f.p.Arch.PtrSize) + 15) &^ 15 }

func addNote(c *runtimes.Cause, note string) {
	if c.Note != "" {
		note = c.Note + "; " + note
	}
	c.Note = note
}

// typeName demangles the name of a type.
func typeName(name string) string {
	return strings.TrimPrefix(sym.Demangle("_ZTI"+name, false), "typeinfo for ")
}

// plain returns the value of an exception that is not a class: text or a number.
func (f cxxFinder) plain(name string, at core.Addr) (string, bool) {
	cur := f.p.Cursor()
	var text string
	switch name {
	case "PKc", "Pc":
		text = cur.Text(cur.Pointer(at), maxMessage)
	case "i":
		text = strconv.Itoa(int(int32(cur.U32(at))))
	case "j":
		text = strconv.FormatUint(uint64(cur.U32(at)), 10)
	case "l", "x":
		text = strconv.FormatInt(int64(cur.U64(at)), 10)
	case "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE":
		n := cur.Word(at + core.Addr(f.p.Arch.PtrSize))
		b, err := core.TextBytes(f.p.Space, cur.Pointer(at), min(n, maxMessage))
		if err != nil {
			return "", false
		}
		text = string(b)
	default:
		return "", false
	}
	return text, cur.Err() == nil
}

// maxBases bounds the classes between an exception's and std::exception.
const maxBases = 64

// standard looks for std::exception among the bases of a class, and returns where the
// object has it, and the name of the base that keeps the message: std::runtime_error,
// std::logic_error, or std::exception, which has none. Base is "" if there is none; the
// error is that this cannot be known.
func (f cxxFinder) standard(typ, object core.Addr) (at core.Addr, base string, err error) {
	return f.base(typ, object, "St9exception", "St13runtime_error", "St11logic_error")
}

// base looks for the first of some classes among a class and its bases, and returns where the
// object has it. It follows the Itanium C++ ABI, "RTTI Layout".
func (f cxxFinder) base(typ, object core.Addr, names ...string) (at core.Addr, base string, err error) {
	left := maxBases
	w := core.Addr(f.p.Arch.PtrSize)
	var look func(typ, at core.Addr) bool
	found := func(typ, where core.Addr) bool { return err == nil && look(typ, where) }
	look = func(typ, where core.Addr) bool {
		cur := f.p.Cursor()
		name := strings.TrimPrefix(cur.CString(cur.Pointer(typ+w), maxMessage), "*")
		kind := f.infoKind(cur.Pointer(typ))
		if left--; left < 0 || cur.Err() != nil {
			err = cur.Err()
			return false
		}
		switch {
		case slices.Contains(names, name):
			at, base = where, name
			return true
		case strings.Contains(kind, "__si_class_type_info"):
			return found(cur.Pointer(typ+2*w), where)
		case strings.Contains(kind, "__vmi_class_type_info"):
			for i := range core.Addr(min(cur.U32(typ+2*w+4), maxBases)) {
				entry := typ + 2*w + 8 + 2*i*w
				flags := int64(cur.Word(entry + w))
				off := flags >> 8
				if flags&1 != 0 { // virtual: the vtable has the offset there
					off = int64(cur.Word(cur.Pointer(where).Add(off)))
				}
				if err = cur.Err(); found(cur.Pointer(entry), where.Add(off)) {
					return true
				}
			}
		}
		return false
	}
	found(typ, object)
	return at, base, err
}

// infoKind names the class of a type_info by its vtable, or by the type_info of that class, whose
// address comes before the vtable.
func (f cxxFinder) infoKind(vtable core.Addr) string {
	if y, _, _ := f.symbols.Lookup(vtable); strings.Contains(y.Name, "class_type_info") {
		return y.Name
	}
	cur, w := f.p.Cursor(), f.word()
	name := cur.CString(cur.Pointer(cur.Pointer(vtable-w)+w), maxMessage)
	if cur.Err() != nil {
		return ""
	}
	return name
}

// what calls what(), the third function of the vtable of std::exception, on a copy of
// the process' memory.
func (f cxxFinder) what(t *core.Thread, object core.Addr) (string, bool) {
	if f.p.Arch != core.AMD64 {
		return "", false
	}
	cur := f.p.Cursor()
	fn := cur.Pointer(cur.Pointer(object) + 2*8)
	if cur.Err() != nil || !f.p.Executable(fn) {
		return "", false
	}
	m := machine.New(f.p.Space, t.TLS)
	text, err := m.Call(fn, uint64(object))
	if err != nil || !text.Known {
		return "", false
	}
	s := cur.Text(core.Addr(text.N), maxMessage)
	return s, cur.Err() == nil
}
