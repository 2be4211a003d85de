// Package wait says which objects the threads of a process wait for, by the futexes that they wait in,
// and which threads wait for each other.
//
//	wait.go       a thread that waits
//	owned.go      what one thread waits for that has an owner: mutexes, the end of a thread
//	rwlock.go     read-write locks of glibc
//	barrier.go    barriers of glibc
//	condition.go  condition variables of glibc and musl
//	blocked.go    all threads that wait, also for objects without an owner
//	circles.go    threads that wait for each other, and this in words
//	mixed.go      circles through locks of Java and of native code
//	goroutines.go goroutines that wait for each other
//	holders.go    which goroutines hold what others wait for
//	taken.go      the locks that a function has taken on the way to a place, and their addresses
//	gocode.go     the calls of locks and channels in the code of Go functions
//	tasks.go      circles of goroutines in words
//
// LIMITATIONS: known are mutexes that record their owner (glibc's, musl's, ones with priority
// inheritance), glibc's read-write locks and threads that wait for another one's end: not Rust's and
// C++'s own locks. The holder of a Go lock is inferred from code of x86-64, i386 and aarch64: not if
// the function that has taken it is not on the stack any more, nor by way of sync.Locker. The mutex
// that was given up for a condition of musl is not known, nor are barriers of musl.
package wait
