// Package object reads objects of the Java heap, classes and methods.
//
//	Method._constMethod → ConstMethod: what does not change of a method
//	  _constants → ConstantPool, _name_index, _signature_index
//	  the bytecode after it, _code_size bytes, and after that the table of lines
//	ConstantPool._pool_holder → InstanceKlass; its words follow it, of names Symbols
//	Klass._name → Symbol: _length bytes at _body
//
// An object begins with its mark word, 64 bits, and its class: a narrow pointer, a whole one, or, where
// headers are compact, the upper bits of the mark word.
//
//	object → Klass: _layout_helper has the size of its objects, or where the elements of its arrays are
//	Klass._super; InstanceKlass._transitive_interfaces; ObjArrayKlass._element_klass
//	Klass._java_mirror → the java.lang.Class, which has the static fields, and the Klass at java_lang_Class::_klass_offset
//	InstanceKlass._fieldinfo_stream, before JDK 21 _fields: names, types and offsets of the fields that a class declares
//	ClassLoaderData._class_loader
//	java.lang.String.value → byte[] or char[]
//
// References are whole addresses, or 32 bits: base + (value << shift), of CompressedOops. Pointers to classes
// likewise, of CompressedKlassPointers. Package moving follows references that ZGC has coloured, and
// references to objects that a collector has moved.
//
// The table of lines (share/code/compressedStream.hpp, share/oops/method.hpp): a byte has the difference of
// the bci in its upper five bits and that of the line in its lower three; 0xff says that two signed numbers
// follow, 0 is the end.
//
// Files:
//
//	reader.go       ClassReader; symbols, names of classes
//	anonymous.go    classes whose Symbol is not all of their name
//	method.go       methods
//	variables.go    local variables and arguments
//	lines.go        the line of a bytecode
//	stream.go       streams of numbers
//	heapoffsets.go  where members of objects are, how references are written
//	object.go       Reader; Object: its class, its size, values of its fields by name
//	class.go        Class, Field
//	readclass.go    reading a class, its superclasses and interfaces
//	loader.go       the class loader of a class of JDK 8
//	field.go        the fields of a class
//	array.go        Array
//	string.go       java.lang.String
//	classes.go      all classes
//	mark.go         the mark word of an unlocked object
//	oopmaps.go      where objects have references; headers, for walks
//	chunk.go        Chunk: the StackChunk of a virtual thread
//	backtrace.go    Throwable.backtrace
//	references.go   References: references as collectors write them
//	java.go         the heap as package java has it
//	cause.go        the cause of a Throwable
//
// Sources:
// share/oops/{method,constMethod,constantPool,symbol,klass,instanceKlass,arrayKlass}.hpp,
// share/oops/{oop,arrayOop,markWord,fieldInfo}.hpp
// of JDK 17 and 25; share/classfile/javaClasses.hpp, share/utilities/unsigned5.hpp of 25.
package object
