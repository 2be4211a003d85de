package object

import (
	"sync"
	"testing"
)

// Where the tests have a Method and its ConstMethod.
const (
	methodAt      = 0x30000
	constMethodAt = 0x31000
)

// TestMethodOnce: goroutines that ask for a method at once get the same Method, as callers compare them.
func TestMethodOnce(t *testing.T) {
	s := newScene()
	s.pool("run", "()V")
	s.b.Words(poolAt+0x18, klassAt)
	s.klass(klassAt, "Job", 0)
	s.b.Words(methodAt, 0, constMethodAt).Words(constMethodAt, poolAt, 1|2<<16|8<<32)
	for range 300 {
		r := s.reader(17, false)
		r.o.constMethod, r.o.accessFlags = 8, 0
		r.o.constants, r.o.nameIndex, r.o.signature, r.o.codeSize, r.o.flags = 0, 8, 10, 12, 14
		r.o.poolHolder, r.o.sourceFile, r.o.constMethodSize = 0x18, 0x20, 0x20
		var all [8]*Method
		var ready, done sync.WaitGroup
		ready.Add(1)
		for i := range all {
			done.Go(func() {
				ready.Wait()
				all[i], _ = r.Method(methodAt)
			})
		}
		ready.Done()
		done.Wait()
		for _, m := range all {
			if m == nil || m.Name != "run" || m != all[0] {
				t.Fatalf("%p %v, want %p", m, m, all[0])
			}
		}
	}
}
