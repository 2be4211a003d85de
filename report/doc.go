// Package report writes the known facts about a core as one page of HTML that needs nothing else: the
// cause of death, the stacks of all threads, the holders of memory, the mappings, the missing parts. It
// runs the commands that a person would run in a session, and shows their records, each with its
// command.
//
//	page.go      the page as a whole, and its template
//	section.go   the commands that are asked, and their records as tables or text
//	scene.go     the program's frames with source and variables
//	suspect.go   the suspect of a heap, and the way that keeps it
//	threads.go   the stacks, equal ones once
//	flame.go     flame graphs of stacks and of the heap's retainers
//	memory.go    the owners of the process's memory as a treemap
//	strip.go     the address space as a strip
//	page.html, page.css, page.js
//
// LIMITATIONS: the page says what its commands say within a bound of rows for each; it is
// written for people, and programs read the JSON of the commands.
package report
