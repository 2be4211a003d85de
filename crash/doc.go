// Package crash says why a process died, as a reader of its core would put it: the access or
// instruction that the processor refused, the words that libraries and runtimes wrote down before they
// gave up, the kind of bug and the confidence in it, and the name of the same bug in other cores. Its
// only text is sentences of evidence: commands write the rest.
//
// It is the facade of rooms that import one way, and has the verdict itself:
//
//	bugs/    the words for bugs: kinds, confidences, names by frames
//	where/   the object at an address, and the place of a thread, in words
//	kernel/  the system calls and futexes that threads are in
//	origin/  the words of memory that a pointer was read from
//	fault/   what a signal means: the address, the instruction, the mapping
//	wait/    threads that wait, and that wait for each other
//
//	subject.go      what is asked about
//	finding.go      what a rule says
//	examination.go  the input of the rules, and queries that several of them share
//	activity.go     what threads were doing when the process ended
//	rules_*.go      the rules
//	freed.go        wild pointers that were read from memory that was freed or overrun
//	alike.go        tasks that have the stack of one that was seen, by their return addresses
//	block.go        the block that the allocator gave up for
//	taker.go        calls of free, and the pointers that they were given
//	overrun.go      overwritten headers of blocks, and the direction of the overrun
//	holder.go       the memory that a pointer was read from, and its state in the allocator
//	full.go         the objects that fill a managed heap
//	heap_c.go       the blocks that fill the heap of C
//	made.go         code that was made at run time, and that nothing names
//	idle.go         the activity of threads of a process that was not ended from outside
//	waits.go        what a process waited for that was ended from outside
//	groups.go       tasks, threads or calls that wait in the same way and place
//	tasks.go        what goroutines wait for
//	spin.go         a thread that may run on and on
//	loop.go         event loops of JavaScript that do not go on
//	unread.go       locks that are not read
//	recursion.go    functions that a deep stack repeats
//	sign.go         which frames name the bug
//	lastwords.go    what libraries and runtimes wrote down, and the frames that it has
//	statement.go    the finding that what was written down leads to
//	rules.go        the table of rules, the most telling first
//	verdict.go      the verdict: the best finding of the rules
//	beyond.go       the evidence that a title does not state
//
// LIMITATIONS: use after free is recognised by the poison of allocators, and by glibc's lists of free
// memory if the pointer at fault was read from there; memory that was allocated again since then is in
// use. Deadlocks are found for ART's monitors and the locks of package wait. Conditions have no holder,
// and the locks of languages that are not decoded are not read. An endless run of a thread is a guess
// from one moment, unless a clock says how long it has lasted.
package crash
