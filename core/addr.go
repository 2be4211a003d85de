// Package core is the vocabulary of a dead process: its address space, its threads and their registers,
// its mappings and modules, and the two error types that say why data is not available. It imports only
// the standard library. Loaders (core/elf, core/macho) fill a Process; every other package reads it.
//
// The object chain: a loader turns a file into a Process; Process.Space is the address space, spliced
// from core bytes, library-file bytes, zeros and gaps; Process.Threads hold register files;
// Process.Modules are the loaded images, each of which opens its file on first use.
package core

import (
	"fmt"
	"strconv"
)

// An Addr is an address in the dead process, in bytes. It is unsigned on
// purpose: io.ReaderAt's int64 cannot name the top half of a 64-bit address
// space. Arithmetic wraps.
type Addr uint64

// Add returns a moved by n bytes, which may be negative.
func (a Addr) Add(n int64) Addr { return a + Addr(n) }

// Sub returns the distance from b to a in bytes.
func (a Addr) Sub(b Addr) int64 { return int64(a - b) }

// Align returns a rounded up to a multiple of n, a power of two.
func (a Addr) Align(n uint64) Addr { return (a + Addr(n) - 1) &^ Addr(n-1) }

// String returns a in hexadecimal with its prefix.
func (a Addr) String() string { return fmt.Sprintf("%#x", uint64(a)) }

// MarshalText gives a the form that it has in JSON: a hexadecimal string,
// because JSON numbers lose the low bits of 64-bit addresses.
func (a Addr) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (a *Addr) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 0, 64)
	*a = Addr(n)
	return err
}

// Prot says what a mapping allows.
type Prot uint8

// The permission bits, with the values that ELF program headers use.
const (
	Exec  Prot = 1 << iota // PF_X
	Write                  // PF_W
	Read                   // PF_R
)

// String returns the permissions as ls and /proc/PID/maps write them: "r-x".
func (p Prot) String() string {
	b := [3]byte{'-', '-', '-'}
	for i, bit := range [3]Prot{Read, Write, Exec} {
		if p&bit != 0 {
			b[i] = "rwx"[i]
		}
	}
	return string(b[:])
}
