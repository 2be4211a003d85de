package abort

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"coredbg/core"
	"coredbg/runtimes"
)

// throwsOfD are functions that throw for D. They end the process if nothing handles the exception.
var throwsOfD = []string{"_d_throw", "_d_throw_exception", "_d_throwdwarf", "_d_throwc"}

// unhandledOfD are how messages begin that such functions refer to: of GDC (libphobos, gcc/deh.d), of DMD and
// LDC (druntime, rt/dwarfeh.d).
var unhandledOfD = []string{"uncaught exception", "%s:%d: uncaught exception ", "This might happen if you're "}

// The words of an object of class Throwable (druntime, object.d), after its vtable and its monitor. A text is
// two words, its length and its address.
const (
	throwableText = 2
	throwableFile = 4
	throwableLine = 6
	throwableNext = 8 // or one word later, since druntime has a function that gives back the trace (2.102)
)

// The words of a TypeInfo_Class (druntime, object.d).
const (
	classOfDName = 4
	classOfDBase = 10
)

// A dFinder finds exceptions of D.
type dFinder struct{ reader }

// ofD returns the exception of D that found no handler, and the exceptions that are chained to it. A program of D
// prints such an exception and exits; it is left to the unwinder where rt_trapExceptions is off, and on threads and in
// callbacks that D's library does not know.
func (f dFinder) ofD(c *runtimes.Crash) []runtimes.Cause {
	if c.Signal == nil || c.Signal.Unix() != "SIGABRT" {
		return nil
	}
	note := ""
	at := c.Within(func(name string) bool { return slices.Contains(throwsOfD, name) })
	if at < 0 && nameless(c) {
		note = shaped
		at = slices.IndexFunc(c.Frames[:min(len(c.Frames), namelessFrames)], func(x runtimes.CrashFrame) bool {
			return x.Function == "" && f.refersTo(x.PC, unhandledOfD...)
		})
	}
	if at < 0 {
		return nil
	}
	object, ok := f.thrownAt(c, at)
	if !ok {
		cause := runtimes.Cause{Kind: runtimes.UncaughtD, TID: c.Thread.TID, Note: note}
		addNote(&cause, "which exception it was is not known")
		return []runtimes.Cause{cause}
	}
	return f.chainOfD(c, object, note)
}

// thrownAt returns the object that a function throws. The function keeps its address: on its part of the stack, or in a
// register that functions save which it has called. Below their saved registers the stack may have older words, such as
// of the exceptions that are chained to the object.
func (f dFinder) thrownAt(c *runtimes.Crash, frame int) (object core.Addr, ok bool) {
	w, sp := f.word(), c.Frames[frame].SP
	end := sp + calleeFrame
	if frame+1 < len(c.Frames) {
		end = min(max(sp, c.Frames[frame+1].SP), sp+maxStack)
	}
	var places []core.Addr
	for at := sp; at < end; at += w {
		places = append(places, at)
	}
	first := c.Frames[0].SP
	if sp > maxStack {
		first = max(first, sp-maxStack)
	}
	for at := sp - w; at >= first && at < sp; at -= w {
		places = append(places, at)
	}
	cur := f.p.Cursor()
	inner := map[core.Addr]bool{} // chained to one that was found
	for _, at := range places {
		found := cur.Pointer(at)
		if cur.Reset() != nil || found%w != 0 || found == object || inner[found] {
			continue
		}
		if _, err := f.classOfD(found); err != nil {
			continue
		}
		chain := map[core.Addr]bool{}
		for next, more := f.chained(found); more && !chain[next] && len(chain) < maxNested; next,
			more = f.chained(next) {
			chain[next] = true
		}
		if !ok || chain[object] {
			object, ok, inner = found, true, chain
		}
	}
	return object, ok
}

// chainOfD returns an exception with the exceptions that are chained to it, the one that was thrown first.
func (f dFinder) chainOfD(c *runtimes.Crash, object core.Addr, note string) (out []runtimes.Cause) {
	seen := map[core.Addr]bool{}
	for kind := runtimes.UncaughtD; len(out) < maxNested && !seen[object]; kind = runtimes.Chained {
		seen[object] = true
		class, err := f.classOfD(object)
		if err != nil {
			break
		}
		cause := runtimes.Cause{Kind: kind, Type: class, Addr: object, TID: c.Thread.TID, Note: note}
		f.describeD(&cause, object)
		out = append(out, cause)
		next, ok := f.chained(object)
		if !ok {
			break
		}
		object = next
	}
	return out
}

// chained returns the exception that is chained to another one.
func (f dFinder) chained(object core.Addr) (core.Addr, bool) {
	cur, w := f.p.Cursor(), f.word()
	for i := range core.Addr(2) {
		next := cur.Pointer(object + (throwableNext+i)*w)
		if cur.Reset() != nil || next == 0 || f.p.Executable(next) {
			continue
		}
		_, err := f.classOfD(next)
		return next, err == nil
	}
	return 0, false
}

// describeD adds the message and the place of an exception.
func (f dFinder) describeD(cause *runtimes.Cause, object core.Addr) {
	w := f.word()
	var err error
	if cause.Message, err = f.textOfD(object+throwableText*w, maxMessage); err != nil {
		addNote(cause, "its message cannot be read: "+err.Error())
	}
	file, err := f.textOfD(object+throwableFile*w, maxLocation)
	if err != nil {
		addNote(cause, "its place cannot be read: "+err.Error())
		return
	}
	cur := f.p.Cursor()
	if line := cur.Word(object + throwableLine*w); cur.Err() == nil && line > 0 && line < 1<<31 && file != "" {
		cause.At = fmt.Sprintf("%s:%d", file, line)
	}
	if cause.At != "" && inLibraryOfD(file) { // that function's caller says more
		cause.Details, cause.At = append(cause.Details, "made in the library, at "+cause.At), ""
	}
}

// inLibraryOfD reports whether a source file is one of Phobos or druntime, as GDC and LDC name them in an exception.
func inLibraryOfD(file string) bool {
	for _, dir := range []string{"/include/d/", "libphobos/", "libdruntime/"} {
		if strings.Contains(file, dir) {
			return true
		}
	}
	first, _, _ := strings.Cut(file, "/")
	return first == "std" || first == "core" || first == "rt"
}

// classOfD returns the name of an object's class, which is object.Throwable or derived of it.
func (f dFinder) classOfD(object core.Addr) (name string, err error) {
	cur, w := f.p.Cursor(), f.word()
	info := cur.Pointer(cur.Pointer(object)) // the first word of a vtable
	for range maxBases {
		if err := cur.Err(); err != nil {
			return "", err
		}
		if info == 0 || info%w != 0 {
			break
		}
		class, err := f.textOfD(info+classOfDName*w, maxLocation)
		if err != nil {
			return "", err
		}
		if name == "" {
			name = class
		}
		if class == "object.Throwable" {
			return name, nil
		}
		info = cur.Pointer(info + classOfDBase*w)
	}
	return "", errNoThrowable
}

var errNoThrowable = errors.New("no object of class Throwable")

// textOfD reads a string of D. It leaves out what follows the first most bytes.
func (f dFinder) textOfD(at core.Addr, most uint64) (string, error) {
	cur := f.p.Cursor()
	n, text := cur.Word(at), cur.Pointer(at+f.word())
	if err := cur.Err(); err != nil {
		return "", err
	}
	if n == 0 {
		return "", nil
	}
	b, err := core.TextBytes(f.p.Space, text, min(n, most))
	if err != nil {
		return "", err
	}
	if uint64(len(b)) < n { // cut, perhaps within a character
		for i := 0; i < utf8.UTFMax && !utf8.Valid(b); i++ {
			b = b[:len(b)-1]
		}
	}
	return strings.ToValidUTF8(string(b), "\uFFFD"), nil
}
