package index

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// A Fingerprint is the SHA-256 of all bytes that an index depends on. Files with one build-id may
// differ, by damage or on purpose. Seal and Open take its Sum.
type Fingerprint struct{ hash.Hash }

// NewFingerprint returns a fingerprint that begins with a text, which names the kind of index and the
// version of its rules.
func NewFingerprint(what string) Fingerprint {
	f := Fingerprint{sha256.New()}
	f.Bytes([]byte(what))
	return f
}

// Number adds a number.
func (f Fingerprint) Number(n uint64) { f.Write(binary.LittleEndian.AppendUint64(nil, n)) }

// Bytes adds the size of b, and b.
func (f Fingerprint) Bytes(b []byte) {
	f.Number(uint64(len(b)))
	f.Write(b)
}
