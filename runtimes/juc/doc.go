// Package juc says which threads can end the wait of a Java thread, by the objects of java.util.concurrent and of
// java.lang.Thread that it waits for. It knows the fields of these classes. A Machine
// reads them.
//
// Files:
//
//	juc.go        Machine; Parked and Joined: who can end a wait, and in words
//	heap.go       objects by their addresses
//	holders.go    who holds a read lock
//	completers.go who runs, or has at hand, what a thread waits for
//	circles.go    threads that wait for each other
//	describe.go   circles and waits as package runtimes has them
//
// Upstream: java.util.concurrent and java.lang.Thread of OpenJDK 8 to 21, and of Android's libcore.
//
// LIMITATIONS: who will count a latch down, release a semaphore or complete a future is written nowhere. It
// is inferred from the stacks and queues that lead to it. Two conditions are followed: the one of a
// CyclicBarrier, and the one for the end of an executor. Tasks of fork-join that join each other are not
// followed. A StampedLock has no owner: a thread that waits for itself is not seen.
package juc
