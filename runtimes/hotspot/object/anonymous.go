package object

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/hotspot/vmstructs"
)

// An anonymous knows the classes of JDK 8 to 14 that Unsafe.defineAnonymousClass has made, such as those of
// lambdas. Later releases have hidden classes, whose Symbol has all of their name.
type anonymous struct {
	flags vmstructs.Field // InstanceKlass::_misc_flags
	// InstanceKlass::_misc_is_anonymous, _misc_is_unsafe_anonymous since JDK 12; 0 if the release has none
	bit int64
	// Where the mark word of the class's java.lang.Class has the identity hash, after which JDK 8 calls such a class.
	hashShift, hashMask int64
}

func newAnonymous(t *vmstructs.Tables) (a anonymous) {
	a.flags, _ = t.Lookup("InstanceKlass._misc_flags")
	if a.flags.Type == "" && t.Java() == 8 {
		// share/oops/instanceKlass.hpp of JDK 8u has "u2 _misc_flags; u2 _minor_version", and
		// _misc_is_anonymous = 1 << 3.
		if a.flags, _ = t.Lookup("InstanceKlass._minor_version"); a.flags.Type == "u2" && a.flags.Offset >= 2 {
			a.flags.Offset -= 2
			a.bit = 1 << 3
		}
	}
	if n, ok := t.Constant("InstanceKlass::_misc_is_anonymous", "InstanceKlass::_misc_is_unsafe_anonymous"); ok {
		a.bit = n
	}
	a.hashShift, _ = t.Constant("markOopDesc::hash_shift")
	a.hashMask, _ = t.Constant("markOopDesc::hash_mask")
	return a
}

// suffix returns the end of a class's name that its Symbol does not have: the address of the Klass, in JDK 8
// its identity hash (InstanceKlass::external_name); "" of classes with a name of their own.
func (r *ClassReader) suffix(klass core.Addr) string {
	a := &r.anonymous
	c := r.Process.Cursor()
	if a.bit == 0 || a.flags.Type == "" || a.flags.Int(c, klass)&a.bit == 0 || c.Err() != nil {
		return ""
	}
	if r.java != 8 {
		return fmt.Sprintf("/0x%016x", uint64(klass))
	}
	hash := int64(0)
	if mirror, ok := r.Handle(klass.Add(r.h.mirror.Offset), r.h.mirror.Type); ok && mirror != 0 && a.hashShift > 0 &&
		a.hashShift < 64 {
		hash = int64(c.U64(mirror)>>a.hashShift) & a.hashMask
	}
	if hash == 0 || c.Err() != nil {
		return ""
	}
	return fmt.Sprintf("/%d", hash)
}
