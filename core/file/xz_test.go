package file

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os/exec"
	"testing"

	"github.com/ulikunitz/xz"
)

func xzOf(t *testing.T, data []byte, c xz.WriterConfig) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := c.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestXZ reads what another writer of the format makes: each kind of check, several
// blocks, several streams.
func TestXZ(t *testing.T) {
	if testing.Short() {
		t.Skip("it packs much")
	}
	data := sample()
	files := map[string][]byte{
		"crc32":  xzOf(t, data, xz.WriterConfig{CheckSum: xz.CRC32}),
		"crc64":  xzOf(t, data, xz.WriterConfig{CheckSum: xz.CRC64}),
		"sha256": xzOf(t, data, xz.WriterConfig{CheckSum: xz.SHA256}),
		"none":   xzOf(t, data, xz.WriterConfig{NoCheckSum: true}),
		"blocks": xzOf(t, data, xz.WriterConfig{BlockSize: 100000}),
	}
	half := len(data) / 2
	first, second := xzOf(t, data[:half], xz.WriterConfig{}), xzOf(t, data[half:], xz.WriterConfig{CheckSum: xz.CRC32})
	files["streams"] = append(bytes.Clone(first), second...)
	files["padded"] = append(append(append(bytes.Clone(first), make([]byte, 8)...), second...), make([]byte, 4)...)
	if tool, err := exec.LookPath("xz"); err == nil {
		cmd := exec.Command(tool, "-T2", "--block-size=300000", "-C", "sha256")
		cmd.Stdin = bytes.NewReader(data)
		if files["tool"], err = cmd.Output(); err != nil {
			t.Fatal(err)
		}
	}
	for name, packed := range files {
		if got, err := Decompress(packed, 1<<30); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %d of %d bytes, %v", name, len(got), len(data), err)
		}
		if name == "none" {
			continue
		}
		// The check is the last before the index: other data is found out.
		bad := bytes.Clone(packed)
		bad[len(bad)/3] ^= 1
		if got, err := Decompress(bad, 1<<30); err == nil {
			t.Errorf("%s: damaged, %d bytes without an error", name, len(got))
		}
	}
	if got, err := Decompress(append(bytes.Clone(first), "xyz"...), 1<<30); !errors.Is(err, io.ErrUnexpectedEOF) ||
		len(got) != half {
		t.Errorf("garbage after: %d bytes, %v", len(got), err)
	}
}

// TestXZHistory: a block that asks for 4 GiB of history is refused, whichever it is.
func TestXZHistory(t *testing.T) {
	good := xzOf(t, []byte("some text"), xz.WriterConfig{})
	greedy := bytes.Clone(good)
	n := (int(greedy[12]) + 1) * 4
	header := greedy[12 : 12+n]
	header[bytes.Index(header, []byte{0x21, 1})+2] = 40
	binary.LittleEndian.PutUint32(header[n-4:], crc32.ChecksumIEEE(header[:n-4]))
	for _, packed := range [][]byte{greedy, append(bytes.Clone(good), greedy...)} {
		if got, err := Decompress(packed, 1<<30); !errors.Is(err, ErrTooLong) {
			t.Errorf("%q, %v, want %v", got, err, ErrTooLong)
		}
	}
}
