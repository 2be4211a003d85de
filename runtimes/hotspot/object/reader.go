package object

import (
	"strings"
	"sync"
	"unicode/utf8"

	"coredbg/core"
)

// A ClassReader reads classes, their fields and methods. It is safe for concurrent use.
type ClassReader struct {
	*References
	o offsets
	anonymous

	java       int    // the release, 8, 11, 17 …; 0 if it is not known
	loaderType string // of ClassLoaderData._class_loader
	loaderOnce sync.Once
	loaderIn   int64 // of a java.lang.Class; 0 if that does not have it. It is known once loaderOnce is done

	mu      sync.Mutex
	methods map[core.Addr]*Method
	classes map[core.Addr]*Class

	classesMu sync.Mutex
	all       []*Class // all classes, once they were asked for
	allErr    error
}

// offsets are where members are.
type offsets struct {
	symbolLength, symbolBody                            int64
	klassName                                           int64
	constMethod, accessFlags                            int64
	constants, codeSize, nameIndex, signature, flags    int64
	constMethodSize, methodSize                         int64 // of the types
	poolHolder, poolLength, poolTags, poolSize, tagData int64
	sourceFile                                          int64 // of the pool, or of the class
	sourceInClass                                       bool
	hasLines                                            int64 // a bit of flags
}

func newClassReader(refs *References) *ClassReader {
	t := refs.Tables
	r := &ClassReader{References: refs, anonymous: newAnonymous(t), java: t.Java(), methods: map[core.Addr]*Method{},
		classes: map[core.Addr]*Class{}}
	loader, _ := t.Lookup("ClassLoaderData._class_loader")
	r.loaderType = loader.Type
	o := &r.o
	o.symbolLength, o.symbolBody = t.Offset("Symbol._length"), t.Offset("Symbol._body", "Symbol._body[0]")
	o.klassName = t.Offset("Klass._name")
	o.constMethod, o.accessFlags = t.Offset("Method._constMethod"), t.Offset("Method._access_flags")
	o.constants, o.codeSize = t.Offset("ConstMethod._constants"), t.Offset("ConstMethod._code_size")
	o.nameIndex, o.signature = t.Offset("ConstMethod._name_index"), t.Offset("ConstMethod._signature_index")
	o.flags = t.Offset("ConstMethod._flags", "ConstMethod._flags._flags")
	o.constMethodSize, o.methodSize = t.Size("ConstMethod"), t.Size("Method")
	o.poolHolder, o.poolLength, o.poolSize = t.Offset("ConstantPool._pool_holder"), t.Offset("ConstantPool._length"),
		t.Size("ConstantPool")
	o.poolTags, o.tagData = t.Offset("ConstantPool._tags"), t.Offset("Array<u1>._data")
	var ok bool
	if o.sourceFile, ok = t.Optional("ConstantPool._source_file_name_index"); !ok {
		o.sourceFile, o.sourceInClass = t.Offset("InstanceKlass._source_file_name_index"), true
	}
	if o.hasLines, ok = t.Constant("ConstMethodFlags::_misc_has_linenumber_table",
		"ConstMethod::_has_linenumber_table"); !ok {
		o.hasLines = 1
	}
	return r
}

// Symbol returns the text of a Symbol; ok is false if none is there.
func (r *ClassReader) Symbol(at core.Addr) (s string, ok bool) {
	if at == 0 || at%8 != 0 {
		return "", false
	}
	c := r.Process.Cursor()
	n := c.U16(at.Add(r.o.symbolLength))
	if c.Err() != nil || n == 0 {
		return "", false
	}
	b := make([]byte, n)
	c.Bytes(b, at.Add(r.o.symbolBody))
	if c.Err() != nil || !utf8.Valid(b) && !modified(b) {
		return "", false
	}
	return string(b), true
}

// modified reports whether b may be the modified UTF-8 of class files, which has surrogates in three bytes
// each and NUL in two.
func modified(b []byte) bool {
	for _, x := range b {
		if x == 0 || x >= 0xf0 {
			return false
		}
	}
	return true
}

// ClassName returns the name of a Klass as Java has it: java.lang.String. That of a hidden class has its
// address after a slash, which the Symbol has after a plus sign; see suffix for older releases.
func (r *ClassReader) ClassName(klass core.Addr) (string, bool) {
	c := r.Process.Cursor()
	name := c.Pointer(klass.Add(r.o.klassName))
	if klass == 0 || c.Err() != nil {
		return "", false
	}
	s, ok := r.Symbol(name)
	if !ok {
		return "", false
	}
	return External(s) + r.suffix(klass), true
}

// External returns the name of a class as Java has it.
func External(symbol string) string {
	s := strings.ReplaceAll(symbol, "/", ".")
	if i := strings.LastIndex(s, "+0x"); i > 0 {
		s = s[:i] + "/" + s[i+1:]
	}
	return s
}
