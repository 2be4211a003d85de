// Package hotspot decodes Java on HotSpot: threads, stacks, locks and the heap, from the tables in
// which the virtual machine describes itself.
//
// The rooms below, each of which names only those before it:
//
//	vmstructs  what the virtual machine says of its fields, types and constants
//	object     objects of the Java heap, classes and methods
//	code       the code cache, and what compiled code is at
//	vm         the virtual machine as a whole
//	frame      threads and their frames
//	heap       the Java heap: its spaces, the objects in them, what keeps these
//	hprof      the heap as a file that other tools open
//	sync       locks, and who waits for them
//
// Files:
//
//	hotspot.go  the runtime of a process
//	graph.go    the Java heap as a graph
//	cause.go    the exception that the process ended with
//	variables.go  variables of frames
//	virtual.go  virtual threads as tasks
//	locks.go    threads and locks, for the commands over Java
//	objects.go  objects and classes, for the commands over Java
//
// Sources: OpenJDK 8, 11, 17, 21, 25 and 27, with whose thread dumps the stacks are compared; on aarch64 21.
// Each room names its own.
//
// LIMITATIONS. x86-64 and aarch64. Virtual machines that do not have the tables, such as OpenJ9, and
// GraalVM's native images are not decoded.
package hotspot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/hotspot/code"
	"coredbg/runtimes/hotspot/frame"
	"coredbg/runtimes/hotspot/heap"
	"coredbg/runtimes/hotspot/object"
	"coredbg/runtimes/hotspot/sync"
	"coredbg/runtimes/hotspot/vm"
	"coredbg/runtimes/hotspot/vmstructs"
)

// HotSpot decodes the virtual machine of one process. It is safe for concurrent use.
type HotSpot struct {
	*frame.Decoder
	walker *heap.Walker
	graph  *graph.Cache
	module *core.Module
	locks  *sync.Analyzer
}

var (
	_ runtimes.JavaMachiner = (*HotSpot)(nil)
	_ runtimes.JavaLocker   = (*HotSpot)(nil)
)

// Probe finds HotSpot in a process by its library. It returns nil, nil if the process has none.
func Probe(_ context.Context, t runtimes.Target) (runtimes.Runtime, error) {
	if t.Process == nil || t.Process.Space == nil || t.Process.Arch == nil {
		return nil, nil
	}
	m := library(t.Process)
	if m == nil {
		return nil, nil
	}
	if !frame.Supports(t.Process.Arch) {
		return &undecoded{m, "", fmt.Sprintf("frames of %s are not known", t.Process.Arch.Name)}, nil
	}
	tables, err := vmstructs.Read(t.Process, func(name string) (core.Addr, bool) {
		if t.Symbols == nil {
			return 0, false
		}
		y, ok := t.Symbols.Find(m.Name(), name)
		return y.Addr, ok
	})
	if err != nil {
		if other := kin(t.Process, m); other != "" {
			err = errors.New("it is " + other + ", which does not have HotSpot's tables")
		} else if f := m.Facts(); f.Err != nil && (f.Image == nil || f.InMemory) {
			err = fmt.Errorf("%w: the core lacks the part of the library that has it, and its file was not found; "+
				"-sysroot or -search says where it is (%w)", err, f.Err)
		}
		return &undecoded{m, "", err.Error()}, nil
	}
	d := frame.NewDecoder(code.NewCache(object.NewReader(tables)))
	w := heap.NewWalker(d)
	h := &HotSpot{d, w, &graph.Cache{}, m, sync.NewAnalyzer(w)}
	if err := tables.Missing(); err != nil {
		return &undecoded{m, tables.Release(), err.Error()}, nil
	}
	return h, nil
}

// library returns the module that is HotSpot.
func library(p *core.Process) *core.Module {
	for _, m := range p.Modules {
		if n := m.Name(); n == "libjvm.so" || strings.HasPrefix(n, "libjvm.so.") {
			return m
		}
	}
	return nil
}

// kin names a virtual machine whose library is called as HotSpot's and that has no tables; "" if nothing says
// which it is.
func kin(p *core.Process, libjvm *core.Module) string {
	for _, m := range p.Modules {
		if strings.HasPrefix(m.Name(), "libj9vm") {
			return "OpenJ9"
		}
	}
	if path := strings.ToLower(libjvm.Path); strings.Contains(path, "zing") || strings.Contains(path, "zulu-prime") {
		return "Zing by its path"
	}
	return ""
}

// Name returns "hotspot".
func (h *HotSpot) Name() string { return "hotspot" }

// Language implements runtimes.Speaker.
func (h *HotSpot) Language() runtimes.Language { return runtimes.LanguageJava }

// Version returns the virtual machine's own: "17.0.15+6-Debian-1deb12u1".
func (h *HotSpot) Version() string { return version(h.Release()) }

// Machine describes the virtual machine. It implements runtimes.JavaMachiner.
func (h *HotSpot) Machine(ctx context.Context) *runtimes.JavaMachine {
	return vm.Describe(ctx, h.Cache)
}

func version(release string) string {
	if release == "" {
		return "unknown"
	}
	return release
}

// An undecoded is a libjvm that cannot be decoded. It implements runtimes.UndecodedJava.
type undecoded struct {
	module       *core.Module
	release, why string
}

func (u *undecoded) Name() string      { return "hotspot" }
func (u *undecoded) Version() string   { return version(u.release) }
func (u *undecoded) Undecoded() string { return u.why }
func (u *undecoded) RunsJava() bool    { return true }

func (u *undecoded) Language() runtimes.Language { return runtimes.LanguageJava }
func (u *undecoded) Error() string {
	if u.release == "" {
		return fmt.Sprintf("hotspot: %s cannot be decoded: %s", u.module.Path, u.why)
	}
	return fmt.Sprintf("hotspot: %s in %s cannot be decoded: %s", u.release, u.module.Path, u.why)
}
