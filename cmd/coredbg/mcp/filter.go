package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"coredbg/commands/out"
)

// A filter lets messages of JSON-RPC pass, a line each, and answers other lines itself: the SDK ends the
// connection at the first line that it cannot read.
type filter struct {
	io.Closer
	lines  *bufio.Reader
	left   []byte // of the message that passes
	refuse func(code int, err error) error
}

// The codes of errors of JSON-RPC 2.0.
const (
	codeParse   = -32700
	codeInvalid = -32600
)

// newFilter returns a filter of in that writes its own answers to a writer.
func newFilter(in io.ReadCloser, to io.Writer) *filter {
	return &filter{Closer: in, lines: bufio.NewReaderSize(in, maxLine), refuse: func(code int, err error) error {
		b, failed := out.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil,
			"error": map[string]any{"code": code, "message": err.Error()}})
		if failed != nil {
			return failed
		}
		_, failed = to.Write(append(b, '\n'))
		return failed
	}}
}

// Read implements io.Reader. It returns messages alone, each without line breaks inside and with one at its end.
func (f *filter) Read(b []byte) (int, error) {
	for len(f.left) == 0 {
		line, err := f.line()
		if err != nil {
			return 0, err
		}
		if len(line) == 0 {
			continue
		}
		clean, code, wrong := sound(line)
		if wrong != nil {
			if err := f.refuse(code, wrong); err != nil {
				return 0, err
			}
			continue
		}
		f.left = append(clean, '\n')
	}
	n := copy(b, f.left)
	f.left = f.left[n:]
	return n, nil
}

// line returns the next line without blanks around it, or skips and answers a line that is too long.
func (f *filter) line() ([]byte, error) {
	b, err := f.lines.ReadSlice('\n')
	if err == io.EOF && len(bytes.TrimSpace(b)) > 0 {
		err = nil // the last line needs no break
	}
	if !errors.Is(err, bufio.ErrBufferFull) {
		return bytes.TrimSpace(b), err
	}
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = f.lines.ReadSlice('\n')
	}
	if failed := f.refuse(codeInvalid, fmt.Errorf("a message has more than %d bytes", maxLine)); failed != nil {
		return nil, failed
	}
	if err == io.EOF {
		return nil, io.EOF
	}
	return nil, err
}

// An envelope is a message of JSON-RPC: each member once.
type envelope struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  *string         `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// sound returns a message as JSON that the SDK can read, or the code of an error and what is wrong.
func sound(line []byte) (clean []byte, code int, err error) {
	if !json.Valid(line) {
		return nil, codeParse, errors.New("a line is not JSON")
	}
	if line[0] != '{' {
		return nil, codeInvalid, errors.New("a message is an object: batches and other values are not taken")
	}
	var m envelope
	switch err := json.Unmarshal(line, &m); {
	case err != nil:
		return nil, codeInvalid, fmt.Errorf("not a message of JSON-RPC: %w", err)
	case m.Version != "2.0":
		return nil, codeInvalid, fmt.Errorf("jsonrpc is %q, not \"2.0\"", m.Version)
	case !identifies(m.ID):
		return nil, codeInvalid, errors.New("id is neither a string nor a whole number below 2^53")
	case m.Method == nil && (m.ID == nil || m.Result == nil && m.Error == nil):
		return nil, codeInvalid, errors.New("a message without method is no answer, either")
	case m.Method != nil && (m.Result != nil || m.Error != nil):
		return nil, codeInvalid, errors.New("a message is a request and an answer")
	case m.Params != nil && m.Params[0] != '{' && m.Params[0] != '[':
		return nil, codeInvalid, errors.New("params is neither an object nor a list")
	}
	if clean, err = json.Marshal(&m); err == nil {
		_, err = jsonrpc.DecodeMessage(clean)
	}
	if err != nil {
		return nil, codeInvalid, fmt.Errorf("not a message of JSON-RPC: %w", err)
	}
	return clean, 0, nil
}

// maxID is the largest number that a float64 tells from its neighbours, as which ids are read.
const maxID = 1 << 53

// identifies reports whether an id is absent, null, a string, or a number that stays the same in an answer.
func identifies(id json.RawMessage) bool {
	if len(id) == 0 || id[0] == '"' || id[0] == 'n' {
		return true
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && -maxID < n && n < maxID
}

// A shared is a writer that several use, each write of which is a whole message.
type shared struct {
	mu sync.Mutex
	io.WriteCloser
}

// Write implements io.Writer.
func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.WriteCloser.Write(b)
}
