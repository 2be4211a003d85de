// Package report writes what is known of a core as one page of HTML that needs nothing
// else: why the process died, the stacks of all threads, who holds the memory, what was
// mapped, what is missing. It asks a session what a person would ask, and shows the
// records; beside each answer is the command that gives it.
//
//	page.go      the page as a whole, and its template
//	section.go   the commands that are asked, and their records as tables or text
//	threads.go   the stacks, equal ones once
//	flame.go     flame graphs of stacks and of what retains the heap
//	strip.go     the address space as a strip
//	page.html, page.css, page.js
//
// LIMITATIONS: the page says what its commands say within a bound of rows for each; it is
// written for people, and programs read the JSON of the commands.
package report
