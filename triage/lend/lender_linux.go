package lend

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"coredbg/core"
	"coredbg/core/file"
)

// Start returns the end of a conversation that a process gets as its standard input, and
// answers it until the process closes it or stop is called. The process's standard input is
// at its end then.
func (l *Lender) Start(ctx context.Context) (theirs *os.File, stop func(), err error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_SEQPACKET|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	mine := os.NewFile(uintptr(fds[0]), "lender")
	theirs = os.NewFile(uintptr(fds[1]), "borrower")
	conn, err := net.FileConn(mine)
	mine.Close()
	if err != nil {
		theirs.Close()
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if cut := core.Guard(func() { l.serve(ctx, conn.(*net.UnixConn)) }); cut != nil {
			conn.Close()
		}
	}()
	return theirs, func() {
		cancel()
		conn.Close()
		theirs.Close()
		<-ended
	}, nil
}

// serve answers requests.
func (l *Lender) serve(ctx context.Context, conn *net.UnixConn) {
	if send(conn, &answer{Scratch: l.Scratch}, nil) != nil {
		return
	}
	buf := make([]byte, maxMessage)
	for range maxAsked {
		n, err := conn.Read(buf)
		if err != nil || n == 0 || ctx.Err() != nil {
			return
		}
		r := &request{}
		if json.Unmarshal(buf[:n], r) != nil {
			return
		}
		a, f := l.answer(ctx, r)
		err = send(conn, a, f)
		if f != nil {
			f.Close()
		}
		if err != nil {
			return
		}
	}
}

// answer looks for a file and opens it; f is nil if there is none.
func (l *Lender) answer(ctx context.Context, r *request) (a *answer, f *os.File) {
	got := l.find(ctx, r)
	a = &answer{From: got.From, Modified: got.Modified, Refused: reasons(got.Refused)}
	if got.Source == nil {
		return a, nil
	}
	got.Source.Close()
	f, err := file.Bounds{}.Open(got.From)
	if err == nil {
		err = prove(r, f, got.From)
	}
	if err != nil {
		if f != nil {
			f.Close()
		}
		a.Refused = append(a.Refused, err.Error())
		return a, nil
	}
	return a, f
}

// prove checks an open file.
func prove(r *request, f *os.File, path string) error {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("dup", err)
	}
	src, err := file.MapFile(os.NewFile(uintptr(fd), path))
	if err != nil {
		return err
	}
	defer src.Close()
	return r.proves(src, path)
}

// send writes one message, with a file if f is not nil.
func send(conn *net.UnixConn, a *answer, f *os.File) error {
	b, err := json.Marshal(a)
	if err != nil {
		return err
	}
	var rights []byte
	if f != nil {
		rights = syscall.UnixRights(int(f.Fd()))
	}
	_, _, err = conn.WriteMsgUnix(b, rights, nil)
	return err
}
