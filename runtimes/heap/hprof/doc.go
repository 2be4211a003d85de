// Package hprof reads heap dumps of Java, the files that jmap, HotSpotDiagnosticMXBean and
// Android's dumpHprofData write, as a heap.Source: so a dump is the same graph as the heap of
// a core.
//
// A dump is a text, the size of identifiers (4 or 8 bytes) and records {tag, time, length}: strings,
// LOAD_CLASS with the names of classes, frames, and segments of the heap dump, which have roots,
// classes, instances and arrays one after the other. The values of an instance begin with its own
// class' fields; the super class' fields follow.
//
//	format/      the numbers of the format
//	file.go      Is, File: a dump in the place of a runtime
//	cursor.go    numbers of the file
//	read.go      Read: the records
//	segment.go   what is in segments of the heap dump
//	objects.go   the objects, in columns
//	index.go     identifier -> object
//	sizes.go     how large objects are, which a dump of HotSpot does not say
//	android.go   arrays of Android's that stand for parts of other objects
//	class.go     names, fields and super classes
//	source.go    Dump as a heap.Source
//	describe.go  what objects and references are called
//
// For each object only its identifier, its place in the file and its class are kept, in eleven bytes or
// thirteen; the rest is read on demand. The bytes read bound every allocation. A file that ends early
// is read up to there, and Damage says so.
//
// Upstream: src/hotspot/share/services/heapDumper.cpp of OpenJDK, which has the format as a
// comment; runtime/hprof/hprof.cc of AOSP's art repository for tags from 0x89 on.
//
// Versions: 1.0, 1.0.1, 1.0.2 and 1.0.3 with Android's heaps, which are all recognized by their
// contents.
//
// LIMITATIONS: the referents of all java.lang.ref.References count as weak, soft ones too.
// HotSpot does not write how large objects are: the layout is inferred of where objects lie,
// and where none shows it, of fields and a header of the usual size. Allocation sites and CPU
// samples are not read. The names of Android's heaps (app, zygote, image) are not kept.
package hprof
