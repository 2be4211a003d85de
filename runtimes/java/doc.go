// Package java has what is the same of Java whatever machine runs it: types, how values look, collections, exceptions.
//
// A Heap is how a virtual machine shows its objects: each has a Class, whose fields have names, types and
// offsets. All else here goes by the names of fields, as libcore and the JDK have them. An Inspector opens an
// object by its fields, or by what it stands for: boxed numbers, enums, strings, and the collections of
// java.util and android.util.
//
// Files:
//
//	primitive.go    primitive types, and the names of types
//	heap.go         Heap, Object, Class, Field; Reader: fields of objects by name
//	slot.go         Slot: a place that a path such as "threads[0].name" leads to
//	throwable.go    Throwable: message, trace, causes
//	cause.go        exceptions as causes of a process' end
//	inspect.go      Inspector, Value: objects, opened
//	collections.go  boxed values, builders of strings, collections
//	readers.go      each kind of collection
//	brief.go        an object in a few words
//	readers_odd.go  sets of bits, optional values, skip lists, parts of lists, values of maps
//	words.go        numbers and other objects that Java writes as a word
//	times.go        objects of java.time
//	utf16.go        UTF16, Characters: text, with surrogates that lack their other half
//	format.go       values as text
//	json.go         values as JSON
//	histogram.go    counts of objects by class
//	external.go     fields that may be addresses outside of the heap
//	runtime.go      Objects: what commands over Java ask a virtual machine for
//	names.go        classes by name, static fields
//
// Sources: the Java Virtual Machine Specification, chapter 4.3; OpenJDK 8 to 25, libcore of Android 8 to 16 and
// frameworks/base/core/java/android for the fields of collections and exceptions.
//
// LIMITATIONS: collections of other libraries are shown by their fields.
package java
