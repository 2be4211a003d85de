// Package wait says which threads of a process wait for what, by the futexes that they wait
// in, and which wait for each other.
//
//	wait.go       a thread that waits
//	owned.go      what one thread waits for that has an owner: mutexes, the end of a thread
//	rwlock.go     read-write locks of glibc
//	barrier.go    barriers of glibc
//	condition.go  condition variables of glibc and musl
//	blocked.go    all threads that wait, also for what has no owner
//	circles.go    threads that wait for each other, and this in words
//
// LIMITATIONS: known are mutexes that know their owner (glibc's, musl's, those with priority
// inheritance), glibc's read-write locks and threads that wait for another one's end: not
// Go's, Rust's and C++'s own locks. Which mutex was given up for a condition of musl is not
// known, nor are barriers of musl.
package wait
