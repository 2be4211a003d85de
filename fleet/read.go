package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"coredbg"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core/file"
	"coredbg/triage"
)

func init() {
	register.DoFn3x1[context.Context, string, func(string), error](&readFn{})
	register.Emitter1[string]()
}

// readFn makes a core's line, as JSON, of its path.
type readFn struct {
	Timeout time.Duration
	Memory  int64
	Largest int64
	Sysroot string
	Bare    bool
}

var (
	coresRead   = beam.NewCounter("coredbg", "cores read")
	coresUnread = beam.NewCounter("coredbg", "cores not read")
)

// ProcessElement emits the line of a core. Whatever the core does, it has one; the error
// is that of a worker that cannot run processes.
func (f *readFn) ProcessElement(ctx context.Context, core string, emit func(string)) error {
	path, remove, err := f.fetch(ctx, core)
	var line *triage.Line
	if err != nil {
		line = &triage.Line{Core: core, Status: triage.Unopened, Error: err.Error()}
	} else {
		defer remove()
		if line, err = f.read(ctx, path); err != nil {
			return err
		}
		line.Core = core
	}
	if line.Status == triage.Read {
		coresRead.Inc(ctx, 1)
	} else {
		coresUnread.Inc(ctx, 1)
	}
	b, err := out.Marshal(line)
	if err != nil {
		return fmt.Errorf("writing the line of %s: %w", core, err)
	}
	emit(string(b))
	return nil
}

// read has a process of its own read a file.
func (f *readFn) read(ctx context.Context, path string) (line *triage.Line, err error) {
	args := []string{triage.OneCore, "-memory", strconv.FormatInt(f.Memory, 10), "-sysroot", f.Sysroot}
	if f.Bare {
		args = append(args, "-no-sandbox")
	}
	r := &triage.Runner{Start: commands.OS{}.Self, Args: append(args, "--"), Jobs: 1, Timeout: f.Timeout,
		Memory: f.Memory}
	if !f.Bare {
		r.Lend = triage.Lending(&coredbg.Options{Sysroot: f.Sysroot})
	}
	err = r.Run(ctx, []string{path}, func(got *triage.Result) error {
		line = got.Line
		return nil
	})
	if err == nil && line == nil {
		err = errors.New("no line was made")
	}
	return line, err
}

// fetch returns where on this machine a core can be read.
func (f *readFn) fetch(ctx context.Context, core string) (path string, remove func(), err error) {
	if !strings.Contains(core, "://") {
		return core, func() {}, nil
	}
	fs, err := filesystem.New(ctx, core)
	if err != nil {
		return "", nil, fmt.Errorf("reaching %s: %w", core, err)
	}
	defer fs.Close()
	if n, err := fs.Size(ctx, core); err == nil && n > f.Largest {
		return "", nil, fmt.Errorf("copying %s: it has %d bytes, more than the %d that -max-size allows",
			core, n, f.Largest)
	}
	from, err := fs.OpenRead(ctx, core)
	if err != nil {
		return "", nil, fmt.Errorf("opening %s: %w", core, err)
	}
	defer from.Close()
	dir, err := os.MkdirTemp("", "coredbg-fleet-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	if path, err = copyTo(ctx, dir, core, io.LimitReader(from, f.Largest+1), f.Largest); err != nil {
		remove()
		return "", nil, fmt.Errorf("copying %s: %w", core, err)
	}
	return path, remove, nil
}

// copyTo copies a core to a folder, under a name that cannot lead elsewhere.
func copyTo(ctx context.Context, dir, core string, from io.Reader, most int64) (string, error) {
	sum := sha256.Sum256([]byte(core))
	path := filepath.Join(dir, hex.EncodeToString(sum[:8]))
	to, err := file.Create(ctx, path, false)
	if err != nil {
		return "", err
	}
	defer to.Close()
	n, err := io.Copy(to, from)
	switch {
	case err != nil:
		return "", err
	case n > most:
		return "", fmt.Errorf("it has more than the %d bytes that -max-size allows", most)
	}
	return path, to.Commit()
}
