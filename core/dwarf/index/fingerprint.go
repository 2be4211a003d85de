package index

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// A Fingerprint tells what indexes are made of apart, as files of one build-id one of which was damaged: it is of sizes, and of how
// bytes begin and end. Its Sum is what Seal and Open take.
type Fingerprint struct{ hash.Hash }

// NewFingerprint returns one of a text, which says what is made and by which rules.
func NewFingerprint(what string) Fingerprint {
	f := Fingerprint{sha256.New()}
	f.Sample([]byte(what))
	return f
}

// Number adds a number.
func (f Fingerprint) Number(n uint64) { f.Write(binary.LittleEndian.AppendUint64(nil, n)) }

// sampled is how much of the beginning and of the end of bytes a fingerprint is of.
const sampled = 4 << 10

// Sample adds the size of b, and how it begins and ends.
func (f Fingerprint) Sample(b []byte) {
	f.Number(uint64(len(b)))
	f.Write(b[:min(len(b), sampled)])
	f.Write(b[max(0, len(b)-sampled):])
}
