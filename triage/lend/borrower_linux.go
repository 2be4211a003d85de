package lend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"coredbg/core/file"
	"coredbg/core/find"
)

// A Borrower asks a Lender for files. It implements find.Finder.
type Borrower struct {
	// Scratch is the folder for temporary files; "" for none.
	Scratch string

	conn    *net.UnixConn
	mu      sync.Mutex
	answers chan received
}

// A received is an answer with the file that came with it, which may be nil.
type received struct {
	answer
	file *os.File
}

// Borrow takes up the conversation on a standard input that Start made; ok is false if it is
// something else. It calls ended when the other process ends.
func Borrow(stdin *os.File, ended func()) (b *Borrower, ok bool) {
	// FileConn makes whatever it is given non-blocking, a pipe too.
	kind, err := unix.GetsockoptInt(int(stdin.Fd()), unix.SOL_SOCKET, unix.SO_TYPE)
	if err != nil || kind != unix.SOCK_SEQPACKET {
		return nil, false
	}
	c, err := net.FileConn(stdin)
	if err != nil {
		return nil, false
	}
	conn, ok := c.(*net.UnixConn)
	if !ok {
		c.Close()
		return nil, false
	}
	b = &Borrower{conn: conn, answers: make(chan received, 1)}
	first, err := b.receive()
	if err != nil {
		conn.Close()
		return nil, false
	}
	b.Scratch = first.Scratch
	go func() {
		defer ended()
		for {
			got, err := b.receive()
			if err != nil {
				return
			}
			b.answers <- got
		}
	}()
	return b, true
}

// receive reads one answer.
func (b *Borrower) receive() (got received, err error) {
	buf, rights := make([]byte, maxMessage), make([]byte, syscall.CmsgSpace(4))
	n, space, _, _, err := b.conn.ReadMsgUnix(buf, rights)
	if err != nil {
		return got, err
	}
	if n == 0 {
		return got, errors.New("the conversation has ended")
	}
	if messages, err := syscall.ParseSocketControlMessage(rights[:space]); err == nil {
		for i := range messages {
			fds, _ := syscall.ParseUnixRights(&messages[i])
			for _, fd := range fds {
				syscall.CloseOnExec(fd)
				got.file = os.NewFile(uintptr(fd), "lent")
			}
		}
	}
	return got, json.Unmarshal(buf[:n], &got.answer)
}

// Find implements find.Finder.
func (b *Borrower) Find(ctx context.Context, w find.Want) (f find.Found) {
	r := request{Kind: w.Kind, Path: w.Path, Near: w.Near, Link: w.Link, Within: w.Within, ID: w.ID, DebugID: w.DebugID,
		DebugName: w.DebugName, CRC: w.CRC}
	for ; r.Skip < maxTries && ctx.Err() == nil; r.Skip++ {
		got, err := b.ask(&r)
		if err != nil {
			f.Refused = append(f.Refused, err)
			return f
		}
		if r.Skip == 0 {
			for _, text := range got.Refused {
				f.Refused = append(f.Refused, errors.New(text))
			}
		}
		if got.file == nil {
			return f
		}
		src, err := file.MapFile(got.file)
		if err == nil && w.Check != nil {
			if err = w.Check(src); err != nil {
				src.Close()
			}
		}
		if err == nil {
			f.Source, f.From, f.Modified = src, got.From, got.Modified
			return f
		}
		f.Refused = append(f.Refused, fmt.Errorf("%s: %w", got.From, err))
		if w.Kind != find.Data {
			return f
		}
	}
	return f
}

// ask sends a request and waits for its answer.
func (b *Borrower) ask(r *request) (received, error) {
	m, err := json.Marshal(r)
	if err != nil || len(m) > maxMessage {
		return received{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, err := b.conn.Write(m); err != nil {
		return received{}, err
	}
	return <-b.answers, nil
}
