// Package step is the state that the steps of one walk share: a Walk has the current place, the stack
// and the code to read, and the facts learnt about the stack so far. Every unwinder has one, and reads
// the process through it only.
//
// Files:
//
//	walk.go     Walk; which memory is the stack
//	links.go    Links: how each ABI links frames on the stack
//	records.go  frame records, and whether those further out bear one out
//	words.go    Words: the words of the stack that are code addresses
//	bysp.go     frame pointers that the stack pointer leads to
//	root.go     which null return address or frame pointer ends a thread
//
// Sources: the System V ABIs for x86-64 and i386, AAPCS64 6.4.6, AAPCS32, 64-Bit ELF V2
// ABI 2.2.2, ELF ABI s390x Supplement 1.6.
//
// LIMITATIONS: a stack is the writable memory around the stack pointer; one in pieces
// ends at the first.
package step
