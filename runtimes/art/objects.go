package art

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/java"
)

var _ java.Objects = (*ART)(nil)

// JavaClasses implements java.Objects.
func (a *ART) JavaClasses(ctx context.Context) ([]*java.Class, error) {
	all, err := a.Classes(ctx)
	out := make([]*java.Class, len(all))
	for i, k := range all {
		out[i] = a.JavaClass(k)
	}
	return out, err
}

// JavaMethods implements java.Objects.
func (a *ART) JavaMethods(k *java.Class) (out []java.Method, err error) {
	class, err := a.Class(k.Addr)
	if err != nil {
		return nil, err
	}
	addrs, err := a.Methods(class)
	for _, at := range addrs {
		m := a.Method(at)
		out = append(out, java.Method{Addr: at, Name: m.Name, Signature: m.Signature, Access: m.Access,
			Problem: m.Problem})
	}
	return out, err
}

// JavaSize implements java.Objects.
func (a *ART) JavaSize(at core.Addr) (uint64, error) {
	o, err := a.Object(at)
	if err != nil {
		return 0, err
	}
	return a.Size(o)
}

// JavaThread implements java.Objects.
func (a *ART) JavaThread(t *core.Thread) java.Thread {
	if x := a.Thread(t); t != nil && x != nil {
		return java.Thread{ID: x.ID, TID: x.TID, Name: x.Name}
	}
	return java.Thread{}
}

// PendingExceptions implements java.Objects.
func (a *ART) PendingExceptions() (out []java.Pending, err error) {
	threads, err := a.Threads()
	for _, t := range threads {
		at, failed := a.PendingException(t)
		if failed != nil && err == nil {
			err = failed
		}
		if at != 0 {
			out = append(out, java.Pending{Exception: at, Thread: java.Thread{ID: t.ID, TID: t.TID, Name: t.Name}})
		}
	}
	return out, err
}
