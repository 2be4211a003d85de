// Package object reads the objects of the Java heap: their classes, fields and
// values, strings, arrays, lock words, and exceptions.
//
// The object chain: an object begins with its mirror::Class and its lock word. A
// class has its size, its super class, its ArtFields, and by its dex_cache the
// DexFile with their names. The class of all classes is its own class; it is found
// by the java.lang.Thread of a thread, or by Runtime.sentinel_.
//
// Files:
//
//	object.go     Reader, Object: what is at an address, how large it is, a field's value by its name
//	class.go      ClassReader, Class: names, super classes, interfaces, methods
//	field.go      Field: ArtFields, and where references are
//	string.go     java.lang.String
//	array.go      arrays
//	slot.go       members that a path such as "threads[0].name" leads to
//	lockword.go   LockWord
//	exception.go  Throwable.backtrace
//	java.go       the heap as package java has it
//	getter.go     what getCause returns: methods that only return a field
//
// Upstream: runtime/mirror/object.h, class.h, class_flags.h, string.h, array.h,
// throwable.h, runtime/lock_word.h, runtime/art_field.h of AOSP's art repository;
// libcore for the fields of java.lang's classes.
//
// Versions: as package layout.
//
// LIMITATIONS: heap poisoning is not undone.
package object
