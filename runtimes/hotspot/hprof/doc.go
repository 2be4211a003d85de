// Package hprof writes the Java heap as a file that MAT, VisualVM and others open: JAVA PROFILE 1.0.2, with
// identifiers of eight bytes: the addresses of objects. A class has the address of its java.lang.Class.
//
// Files:
//
//	write.go  Write: strings, classes, roots, objects
//	class.go  classes with their fields
//
// Source: share/services/heapDumper.cpp of JDK 17 and 25.
//
// LIMITATIONS. There are no stack traces. Bytes that the core lacks are zeros.
package hprof
