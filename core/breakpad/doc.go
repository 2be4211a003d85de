// Package breakpad reads symbol files of Breakpad (.sym) into images, and finds them.
//
// The object chain: a file is lines of text. MODULE identifies the image by its debug id; FILE numbers
// sources; FUNC begins a function, and INLINE and lines of addresses follow it; PUBLIC is a symbol;
// STACK CFI INIT begins the call frame information of a range, which STACK CFI changes from an address
// on; STACK WIN is the same for 32-bit Windows. Addresses count from the image's load address.
//
// An Image has these as an ELF image would have them: symbols, lines, and a section
// .debug_frame, which is written from STACK records: each postfix rule is an expression of
// DWARF. So what unwinds by DWARF unwinds by them.
//
// Source: Breakpad, docs/symbol_files.md and src/processor/{cfi_frame_info,postfix_evaluator}.
//
// Map: parse.go reads lines, image.go is the image, lines.go sources of addresses, frame.go
// and rule.go write .debug_frame, win.go programs of STACK WIN, find.go finds files.
//
// LIMITATIONS: programs of STACK WIN that search the stack for a return address (.raSearch),
// and records of frames without a program, are left out: the walk looks for itself. Files of more than 1
// GiB are refused.
package breakpad
