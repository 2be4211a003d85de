// Package sync finds the threads that hold and wait for locks: monitors, parked threads, circles of
// them, and the locks of each frame.
//
// The object chain: an object's lock word holds the id of the thread that owns it,
// or of an art::Monitor in the MonitorPool, which has its owner and the threads
// that wait. A thread has the object that it waits to enter; its java.lang.Thread
// has what it is parked for.
//
// Files:
//
//	monitor.go   Analyzer, Monitor: locks of objects; Wait: what a thread waits for
//	locks.go     HeldLock: what a frame has locked, by its bytecode
//	owners.go    WaitFor: all threads that can end a wait, by ART and by package juc
//	deadlock.go  circles of threads
//
// Upstream: runtime/monitor.h, monitor.cc, monitor_pool.h, runtime/stack.cc of
// AOSP's art repository; libcore's java.util.concurrent.
//
// Versions: as package layout.
//
// LIMITATIONS: the holder of a java.util.concurrent lock is known if the lock has an exclusiveOwnerThread. If
// the verifier would find different locks on different paths to a place, the locks of one path are taken.
package sync
