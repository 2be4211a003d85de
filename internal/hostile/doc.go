//go:build linux

// Command hostile runs coredbg on damaged files and says where it failed.
//
//	go run ./internal/hostile [flags] CORE[,+FLAG=FILE]...[,FLAG=FILE] ...
//
// Each trial takes one of the seeds, damages a copy, and runs coredbg on that as a process of its own,
// with some command lines drawn from lines.go. A seed is a core, which is damaged; or a core and a file
// that is given with a flag of coredbg, as core.1,perf-map=perf-1.map, and then the file is damaged. If
// a folder is given, as core.1,search=symbols, one of its files is damaged. A file or folder after +
// is given as it is, as core.1,+sysroot=root.
//
// A trial fails if the process panics, is ended by a signal, takes more processor time
// or memory than the flags allow, writes more than they allow, or writes a control
// character that a terminal obeys. The copy of a trial that failed is kept, with the
// command line that shows it again.
//
// Files:
//   - main.go: the flags, the trials and the output
//   - seed.go: the files that trials begin with, and their copies
//   - damage.go: what is done to a copy
//   - judge.go: runs coredbg on the copy and recognises failures
//   - lines.go: what coredbg is asked
//   - scripts.go: what clients of its protocols ask
//
// LIMITATIONS: it runs on Linux alone. A seed is read whole, so that it must fit in memory
// twice.
package main
