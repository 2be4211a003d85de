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
//	goroutines.go goroutines that wait for each other
//	holders.go    which goroutines hold what others wait for
//	gocode.go     the calls of locks and channels in the code of Go functions
//	tasks.go      circles of goroutines in words
//
// LIMITATIONS: known are mutexes that know their owner (glibc's, musl's, those with priority
// inheritance), glibc's read-write locks and threads that wait for another one's end: not
// Rust's and C++'s own locks. Who holds a lock of Go is inferred from code of x86-64, i386 and aarch64: not a lock that a function
// has taken that is not on the stack any more, nor by way of sync.Locker. Which mutex was given up for a condition of musl is not
// known, nor are barriers of musl.
package wait
