// Package sync finds the threads that hold and wait for locks: monitors, parked threads, and the
// locks of each frame.
//
//	an object's mark word, by its lowest two bits:
//	  00  locked without a monitor: the place of a BasicLock in the owner's stack, or, where threads have a LockStack, flags alone
//	  01  not locked; 101 biased towards the JavaThread of the upper bits (JDK 8 to 17)
//	  10  ObjectMonitor; with -XX:+UseObjectMonitorTable that is not in the mark word
//	ObjectSynchronizer::_in_use_list → MonitorList._head → ObjectMonitor._next_om: monitors, from JDK 16 on
//	ObjectMonitor._object, _owner: a JavaThread, a place in its stack, or its number since JDK 24; 1 if the owner has locked without it
//	JavaThread._current_pending_monitor, _current_waiting_monitor
//	Thread.parkBlocker → java.util.concurrent, as package juc reads it
//
// A frame of the interpreter has a BasicObjectLock for each object that it has locked. The descriptions of
// compiled code say where it has them.
//
// Files:
//
//	sync.go         Analyzer, Wait: what a thread waits for, and who can end that
//	monitor.go      Monitor: the state of an object's lock
//	frames.go       what a frame has locked
//	stack.go        the objects that a stack refers to
//	virtual.go      locks of virtual threads that no thread has mounted
//	initialiser.go  who initialises a class
//	view.go         the process as package juc reads it
//
// Sources: share/runtime/{objectMonitor,synchronizer,basicLock,lockStack,vframe}.hpp and .cpp of JDK 8, 17, 21 and 25.
//
// LIMITATIONS. An object that compiled code keeps in a register is not known, and native methods that are
// synchronized and compiled do not say what they have locked.
package sync
