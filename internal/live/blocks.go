package main

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
	"strings"
)

// blocks is a set of blocks of the program, by their numbers.
type blocks []uint64

// add adds a block.
func (b *blocks) add(n int) {
	for len(*b) <= n/64 {
		*b = append(*b, 0)
	}
	(*b)[n/64] |= 1 << (n % 64)
}

// union adds the blocks of another set.
func (b *blocks) union(other blocks) {
	for len(*b) < len(other) {
		*b = append(*b, 0)
	}
	for i, w := range other {
		(*b)[i] |= w
	}
}

// count returns how many blocks there are.
func (b blocks) count() (n int) {
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// beyond returns how many blocks of b another set lacks.
func (b blocks) beyond(other blocks) (n int) {
	for i, w := range b {
		if i < len(other) {
			w &^= other[i]
		}
		n += bits.OnesCount64(w)
	}
	return n
}

// A numbering gives each block a number, by its place in the source.
type numbering map[string]int

// read reads the text form of a coverage profile: "FILE:FROM,TO STATEMENTS COUNT" in each line
// after the first. It returns the blocks that were reached, and leaves out the command itself.
func (of numbering) read(r io.Reader) (reached blocks, err error) {
	in := bufio.NewScanner(r)
	for in.Scan() {
		line := in.Text()
		if strings.HasPrefix(line, "mode: ") || strings.HasPrefix(line, "coredbg/"+command+"/") {
			continue
		}
		place, rest, ok := strings.Cut(line, " ")
		_, count, ok2 := strings.Cut(rest, " ")
		if !ok || !ok2 {
			return nil, fmt.Errorf("not a line of a coverage profile: %q", line)
		}
		n, ok := of[place]
		if !ok {
			n = len(of)
			of[strings.Clone(place)] = n
		}
		if count != "0" {
			reached.add(n)
		}
	}
	return reached, in.Err()
}
