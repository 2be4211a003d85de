package object

import (
	"errors"
	"fmt"

	"coredbg/core"
)

// A Method is a method of Java.
type Method struct {
	Addr      core.Addr
	Class     string // java.lang.Thread
	Name      string
	Signature string    // (J)V
	File      string    // "" if its class does not say it
	Native    bool      // implemented by a function of C
	Code      core.Addr // its bytecode
	CodeSize  int
	Access    uint16 // as a class file has it
	lines     bool
	r         *ClassReader
}

// String returns package.Class.method.
func (m *Method) String() string { return m.Class + "." + m.Name }

// accNative is JVM_ACC_NATIVE.
const accNative = 0x0100

var errNoMethod = errors.New("no method is there")

// Method returns the method at an address. It is checked: it is an error if what is there has no name in its class's
// constant pool. A method has one Method, whoever asks for it.
func (r *ClassReader) Method(at core.Addr) (*Method, error) {
	r.mu.Lock()
	m, ok := r.methods[at]
	r.mu.Unlock()
	if ok {
		return m, nil
	}
	m, err := r.readMethod(at)
	if err != nil {
		return nil, fmt.Errorf("hotspot: Method %v: %w", at, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if have := r.methods[at]; have != nil { // another goroutine was faster
		return have, nil
	}
	r.methods[at] = m
	return m, nil
}

func (r *ClassReader) readMethod(at core.Addr) (*Method, error) {
	if at == 0 || at%8 != 0 {
		return nil, errNoMethod
	}
	c, o := r.Process.Cursor(), &r.o
	cm := c.Pointer(at.Add(o.constMethod))
	pool := c.Pointer(cm.Add(o.constants))
	holder := c.Pointer(pool.Add(o.poolHolder))
	access := c.U16(at.Add(o.accessFlags))
	size, flags := c.U16(cm.Add(o.codeSize)), c.U16(cm.Add(o.flags))
	name, signature := c.U16(cm.Add(o.nameIndex)), c.U16(cm.Add(o.signature))
	if err := c.Err(); err != nil {
		return nil, err
	}
	m := &Method{Addr: at, Native: access&accNative != 0, Code: cm.Add(o.constMethodSize), CodeSize: int(size),
		Access: access, lines: int64(flags)&o.hasLines != 0, r: r}
	var ok1, ok2, ok3 bool
	m.Class, ok1 = r.ClassName(holder)
	m.Name, ok2 = r.poolSymbol(pool, name)
	m.Signature, ok3 = r.poolSymbol(pool, signature)
	if !ok1 || !ok2 || !ok3 || m.Signature[0] != '(' {
		return nil, errNoMethod
	}
	source := pool
	if o.sourceInClass {
		source = holder
	}
	if i := c.U16(source.Add(o.sourceFile)); c.Err() == nil && i != 0 {
		m.File, _ = r.poolSymbol(pool, i)
	}
	return m, nil
}

// poolSymbol returns the Symbol of an index of a constant pool.
func (r *ClassReader) poolSymbol(pool core.Addr, index uint16) (string, bool) {
	c := r.Process.Cursor()
	n := c.U32(pool.Add(r.o.poolLength))
	const utf8 = 1 // JVM_CONSTANT_Utf8
	tag := c.U8(c.Pointer(pool.Add(r.o.poolTags)).Add(r.o.tagData + int64(index)))
	s := c.Pointer(pool.Add(r.o.poolSize + 8*int64(index)))
	if c.Err() != nil || index == 0 || uint32(index) >= n || tag != utf8 {
		return "", false
	}
	return r.Symbol(s &^ 1)
}

// BCI returns the index of a bytecode of the method by its address; ok is false if it is not the method's.
func (m *Method) BCI(bcp core.Addr) (bci int, ok bool) {
	if bcp < m.Code || bcp >= m.Code+core.Addr(m.CodeSize) {
		return 0, false
	}
	return int(bcp - m.Code), true
}

// Methods returns the methods that a class itself declares. With an error come the methods that can be read.
func (r *ClassReader) Methods(c *Class) ([]*Method, error) {
	if c.array || r.h.methods < 0 || r.h.wordsData < 0 {
		return nil, nil
	}
	cu := r.Process.Cursor()
	list := cu.Pointer(c.Addr.Add(r.h.methods))
	n := int32(cu.U32(list))
	if err := cu.Err(); err != nil {
		return nil, fmt.Errorf("hotspot: methods of %s: %w", c.Name, err)
	}
	if n < 0 || n > 1<<16 {
		return nil, fmt.Errorf("hotspot: methods of %s: %d of them cannot be", c.Name, n)
	}
	var out []*Method
	var first error
	for i := range int64(n) {
		m, err := r.Method(cu.Pointer(list.Add(r.h.wordsData + 8*i)))
		if err != nil {
			first = cmpErr(first, err)
			continue
		}
		out = append(out, m)
	}
	return out, first
}

// cmpErr returns the first error that is one.
func cmpErr(first, err error) error {
	if first != nil {
		return first
	}
	return err
}
