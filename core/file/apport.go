package file

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
)

// errNoCore is returned for reports without a core.
var errNoCore = errors.New("the report holds no core (CoreDump)")

// An apportReader reads the packed core in a report of apport: lines "Key: value". Lines that begin with a space
// follow "CoreDump: base64". Each is a part of a gzip or zstd stream in base64 (problem_report.py of apport 2.28).
type apportReader struct {
	lines *bufio.Reader
	left  []byte // decoded, not read yet
	bad   error  // after left
}

// maxLine bounds a line of a report, in bytes. Apport packs a mebibyte at a time.
const maxLine = 16 << 20

// newApport returns a reader of the unpacked core in a report.
func newApport(r io.Reader, mapped bool) (io.Reader, func(), error) {
	a := &apportReader{lines: bufio.NewReader(r)}
	facts := map[string]string{}
	for {
		line, err := a.line()
		if err == io.EOF {
			err = withoutCore(facts)
		}
		if err != nil {
			return nil, nil, err
		}
		if bytes.Equal(line, []byte("CoreDump: base64")) {
			break
		}
		if key, value, ok := strings.Cut(string(line[:min(len(line), maxFact)]), ": "); ok {
			facts[key] = value
		}
	}
	in := bufio.NewReader(a)
	head, err := in.Peek(4)
	if len(head) == 0 && err == io.EOF {
		return nil, nil, fmt.Errorf("the core in the report is not packed by gzip or zstd, but empty: %w",
			withoutCore(facts))
	}
	c := detect(head)
	if err != nil || c == nil || c.name == apportName {
		return nil, nil, fmt.Errorf("the core in the report is not packed by gzip or zstd: %w",
			errors.Join(err, errNoCore))
	}
	return c.open(in, mapped)
}

// maxFact bounds a line whose value an error names.
const maxFact = 4096

// withoutCore is the error for a report whose core part is missing: what the report is about, and where a
// core comes from.
func withoutCore(facts map[string]string) error {
	about := "the report"
	if x := facts["ExecutablePath"]; x != "" {
		about += " of " + x
	}
	if x := facts["Signal"]; x != "" {
		about += ", which died of signal " + x
	}
	if x := facts["Date"]; x != "" {
		about += " on " + x
	}
	return fmt.Errorf("%w: %s has its text alone, which less shows; ulimit -c unlimited keeps the core of the next crash", errNoCore, about)
}

// line returns the next line without its end. It is valid until the next one is read.
func (a *apportReader) line() (line []byte, err error) {
	part, more, err := a.lines.ReadLine()
	if !more {
		return part, err
	}
	line = append(line, part...)
	for more && err == nil {
		part, more, err = a.lines.ReadLine()
		if line = append(line, part...); len(line) > maxLine {
			return nil, errors.New("a line of the report is too long")
		}
	}
	return line, err
}

// Read decodes lines.
func (a *apportReader) Read(p []byte) (int, error) {
	for len(a.left) == 0 {
		if a.bad != nil {
			return 0, a.bad
		}
		line, err := a.line()
		if err != nil {
			return 0, err
		}
		if len(line) == 0 || line[0] != ' ' {
			return 0, io.EOF // the next key
		}
		if a.left, err = base64.StdEncoding.AppendDecode(nil, bytes.TrimSpace(line)); err != nil {
			a.bad = fmt.Errorf("a line of the report's core: %w", err)
		}
	}
	n := copy(p, a.left)
	a.left = a.left[n:]
	return n, nil
}
