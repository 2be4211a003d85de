// Package crash says why a process died, as one who reads its core would put it: what the
// processor refused, what libraries and runtimes wrote down before they gave up, which
// kind of bug that is and how safe that is, and under which name the same bug is known in
// other cores. It writes no text but sentences of evidence: commands do.
//
//	subject.go    what is asked about
//	fault.go      what a signal means: the address, the instruction, the mapping
//	place.go      what lies at an address, in words
//	trap.go       instructions that trap: divisions, system calls, code that is of no file
//	freed.go      wild pointers that were read from memory that was freed or overrun
//	refused.go    faults whose address is not recorded, by the instruction's operands
//	handled.go    the signal that a handler was called for before it raised its own
//	verdict.go    the verdict: the best of what the rules find
//	locks.go      threads that wait for each other, by the futexes that they wait in
//	rwlock.go     read-write locks of glibc
//	condition.go  condition variables of glibc and musl
//	blocked.go    threads that wait for what has no owner, too
//	waits.go      these for those who ask
//	full.go       what a managed heap is full of
//	rules.go      the table of rules, the most telling first
//	rules_*.go    the rules themselves
//	causes.go     the kinds of bugs
//	signature.go  the name of a bug: frames without noise, names without what varies
//
// LIMITATIONS: of 32-bit Arm, MIPS, PowerPC, s390x and RISC-V operands of instructions
// are not known, so that a fault without an address stays unexplained. Use after free is
// known by the poison of allocators, and by glibc's lists of free memory where the pointer at
// fault was read from there and the object is still at hand. Deadlocks are found of ART's monitors, and
// of mutexes that know their owner (glibc's, musl's, those with priority inheritance), of
// glibc's read-write locks and of threads that wait for another one's end: not of Go's, Rust's and C++'s
// own locks, nor of conditions, which nobody holds. Which mutex was given up for a condition of musl is not
// known, nor are barriers of musl. That a thread runs on and on is a guess from
// one moment.
package crash
