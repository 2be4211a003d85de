// Package inspect makes values of objects, with what is inside, and writes them as
// text and as JSON.
//
// Reading is package object's. An Inspector opens an object by its fields, or by
// what it stands for: boxed numbers, enums, strings, and the collections of
// java.util and android.util, each by the names of its fields.
//
// Files:
//
//	inspect.go              Inspector, Value: an object with what is inside
//	collections.go          boxed values, builders of strings, collections
//	collections_readers.go  each kind of collection
//	vregs.go                VReg: registers of dex code, as the variables that are in them
//	format.go               values as text
//	json.go                 values as JSON
//
// Upstream: libcore (OpenJDK 8 to 21) and frameworks/base/core/java/android for the
// fields of collections.
//
// Versions: libcore of Android 8 to 16.
//
// LIMITATIONS: collections of other libraries are shown by their fields.
package inspect
