// Package leaks knows how programs of Java leak. The virtual machines share it: it reads their heaps as
// package java does, and graphs of them.
//
// The chain: the graph has the type of each object, an object of a type has its class, a class has the fields
// by whose names a rule reads the objects.
//
// Files:
//
//	finder.go      the objects and the fields that a rule looks for
//	rules.go       the list of rules
//	locals.go      values of ThreadLocals
//	statics.go     collections in static fields
//	loaders.go     class loaders that have loaded the same class
//	piles.go       collections of listeners and caches, by the names of fields
//	size.go        the length of a collection
//	queues.go      tasks that wait in executors and timers
//	finalizers.go  objects that wait to be finalized
//	files.go       files that are open
//
// Sources: OpenJDK 8 to 25, java.base: java/lang/ThreadLocal.java, java/lang/ref/Reference.java and
// Finalizer.java, java/util/Timer.java, java/util/concurrent/ThreadPoolExecutor.java,
// java/io/FileInputStream.java; libcore of Android for the same classes.
//
// LIMITATIONS. Only the names of fields and classes say that a collection is a cache or has listeners. Pools
// of other libraries, as ForkJoinPool, and their queues are not known.
package leaks
