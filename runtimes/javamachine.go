package runtimes

import (
	"context"
	"time"

	"coredbg/core"
)

// A JavaMachiner is a JavaRunner that describes its virtual machine as a whole, for ::jvm.
type JavaMachiner interface {
	JavaRunner
	// Machine describes the virtual machine. Parts that cannot be read are left out, and Problems says why.
	Machine(ctx context.Context) *JavaMachine
}

// A JavaMachine describes a Java virtual machine.
type JavaMachine struct {
	Name    string // "OpenJDK 64-Bit Server VM"
	Version string // "17.0.15+6-Debian-1deb12u1"
	Vendor  string
	Built   string   // date, builder and compiler
	JIT     string   // compilers other than the virtual machine's own; ""
	Command string   // the class or archive of the program, with its arguments
	Args    []string // for the virtual machine
	// Flags are the flags whose value is not the default one.
	Flags []JavaFlag
	// Collector is the garbage collector; Heaps are its generations or regions.
	Collector   string
	Collections uint64
	// Moving is the number of pages or regions whose objects the collector was moving elsewhere.
	Moving int
	Heaps  []JavaSpace
	// Metaspace is the memory for classes: the whole first, then the part that compressed pointers to classes
	// lead to. Loaders say which class loaders use it. Both are nil if it is not read.
	Metaspace []JavaSpace
	Loaders   []JavaLoader
	// References and Classes say how references and pointers to classes are written.
	References, Classes string
	Code                []JavaSpace
	Uptime              time.Duration // 0 if it is not known
	Properties          []JavaProperty
	Problems            []string
}

// A JavaFlag is a flag of a virtual machine.
type JavaFlag struct{ Name, Type, Value, Origin string }

// A JavaProperty is a system property.
type JavaProperty struct{ Name, Value string }

// A JavaLoader is a class loader, with the bytes that its classes use.
type JavaLoader struct {
	Data            core.Addr // the virtual machine's record
	Loader          core.Addr // the object; 0 for the virtual machine's own loader
	Name            string    // the class of the object; "" for the virtual machine's own loader
	Used, Committed uint64
}

// A JavaSpace is a part of a heap, in bytes; a number that is not known is 0.
type JavaSpace struct {
	Name                      string
	Used, Committed, Reserved uint64
}
