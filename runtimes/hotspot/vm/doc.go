// Package vm describes the virtual machine as a whole: its version, the flags that were changed, its
// collector and heaps, its code cache, and system properties.
//
//	Abstract_VM_Version::_s_vm_release, _s_internal_vm_info_string; before JDK 10 the properties have the version
//	JVMFlag::flags → JVMFlag[]: _name, _addr, _type, _flags, whose lower four bits are the origin
//	Arguments::_java_command, _jvm_args_array, _jvm_flags_array
//	Universe::_collectedHeap → CollectedHeap, whose type is that of the collector that a Use…GC flag names
//	CodeCache::_heaps → CodeHeap
//	ClassLoaderDataGraph::_head → ClassLoaderData → chunks of the metaspace, see metaspace.go
//	System.props → Properties → a table of entries
//	PerfMemory::_start → PerfDataPrologue, PerfDataEntry[]: counters by name
//
// Files:
//
//	vm.go          Describe
//	flags.go       flags and arguments
//	heaps.go       collectors and what they use
//	metaspace.go   memory for classes, by class loader
//	properties.go  system properties
//	perf.go        counters of the virtual machine
//
// Sources: share/runtime/{vm_version,abstract_vm_version,arguments,perfMemory}.hpp, share/runtime/flags/jvmFlag.hpp,
// share/gc/*/*Heap.hpp of JDK 8, 11, 17, 21, 25.
//
// LIMITATIONS. Heaps of ZGC before JDK 17 and of Shenandoah before 11 have no figures. What memory is free
// inside a region of G1 is not subtracted. The metaspace has no figures before JDK 16.
package vm
