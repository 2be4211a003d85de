// Package object reads what HotSpot keeps of classes and methods.
//
//	Method._constMethod → ConstMethod: what does not change of a method
//	  _constants → ConstantPool, _name_index, _signature_index
//	  the bytecode after it, _code_size bytes, and after that the table of lines
//	ConstantPool._pool_holder → InstanceKlass; its words follow it, of names Symbols
//	Klass._name → Symbol: _length bytes at _body
//
// The table of lines (share/code/compressedStream.hpp, share/oops/method.hpp): a byte has the difference of the bci in its
// upper five bits and that of the line in its lower three; 0xff says that two signed numbers follow, 0 is the end.
//
// Files:
//
//	reader.go  Reader; symbols and classes
//	method.go  methods
//	lines.go   the line of a bytecode
//
// Sources: share/oops/{method,constMethod,constantPool,symbol}.hpp of JDK 17 and 25; share/utilities/unsigned5.hpp of 25.
package object
