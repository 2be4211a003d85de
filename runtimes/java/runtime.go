package java

import (
	"context"

	"coredbg/core"
)

// Objects are the objects and classes of a virtual machine, for the commands over them.
type Objects interface {
	JavaHeap() Heap
	// JavaClasses returns all classes, by name and address. With an error come the classes that could be read.
	JavaClasses(ctx context.Context) ([]*Class, error)
	// JavaMethods returns the methods that a class itself declares. With an error come the methods that could be read.
	JavaMethods(k *Class) ([]Method, error)
	// JavaSize returns the bytes that an object takes in the heap.
	JavaSize(at core.Addr) (uint64, error)
	// JavaThread returns a thread as the virtual machine names it; the zero Thread if it knows no such thread.
	JavaThread(t *core.Thread) Thread
	// PendingExceptions returns what threads are about to throw. With an error come the exceptions that could be read.
	PendingExceptions() ([]Pending, error)
}

// A Method is a method of a class.
type Method struct {
	Addr            core.Addr // of the virtual machine's record of it
	Name, Signature string
	Access          uint32 // as a class file has it
	Problem         string
}

// A Pending is an exception that a thread is about to throw.
type Pending struct {
	Exception core.Addr
	Thread    Thread
}

// A Thread is a thread as its virtual machine names it.
type Thread struct {
	ID   int // the virtual machine's, 0 if it has no number
	TID  int
	Name string
}
