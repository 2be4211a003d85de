package binding

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"coredbg/core"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
)

// process.env of the main thread has no properties: functions of Node answer for it from the
// environment of the C library (src/node_env_var.cc: RealEnvStore). That of a worker thread is a
// copy in a hash table of C++'s.

// errEnviron says why the environment is not known.
var errEnviron = errors.New("node: no image has a symbol for environ")

// Answers returns what the functions of Node's that answer for the properties of an object would
// say: names and values in order, of process.env of the main thread. It is not ok of other objects.
func (f *Functions) Answers(o layout.Tagged) (names, values []string, err error, ok bool) {
	f.env.Do(func() { f.envObject = f.mainEnv(context.Background()) })
	if o == 0 || o != f.envObject {
		return nil, nil, nil, false
	}
	list, err := f.environ()
	if err != nil {
		return nil, nil, err, true
	}
	seen := map[string]bool{}
	for _, s := range list {
		name, value, found := strings.Cut(s, "=")
		if !found {
			if s == "" {
				// Memory that was blanked: what the variable was is not known.
				return nil, nil, errors.New("node: a variable of the environment is empty"), true
			}
			continue // uv_os_environ leaves it out
		}
		if name = fromUTF8(name); !seen[name] {
			seen[name] = true
			names, values = append(names, name), append(values, fromUTF8(value))
		}
	}
	return names, values, nil, true
}

// mainEnv returns the object process.env of the realm of the main thread: the one that is in the
// heap of the isolate that this has entered.
func (f *Functions) mainEnv(ctx context.Context) layout.Tagged {
	main := f.Process.Thread(f.Process.PID)
	if main == nil {
		return 0
	}
	h, err := f.heaps.Snapshot(ctx)
	if err != nil {
		return 0
	}
	var entered core.Addr
	for _, x := range h.Isolates(ctx) {
		if x.Thread == main {
			entered = x.Heap
		}
	}
	realms, err := f.objects.Realms(ctx, main)
	if err != nil || entered == 0 {
		return 0
	}
	for _, native := range realms {
		if p, ok := heap.PageIndex(h.Pages).At(native.Addr()); !ok || p.Heap != entered {
			continue
		}
		process, err := f.objects.Global(native, "process")
		if err != nil || process.Raw || !f.IsReceiver(process.Word) {
			continue
		}
		if env, err := f.objects.Member(process, []string{"env"}); err == nil && !env.Raw && f.IsReceiver(env.Word) {
			return env.Word
		}
	}
	return 0
}

// environ returns the strings of the C library's environment. An executable that refers to the variable
// has it itself, and the library uses that; it is found first.
func (f *Functions) environ() ([]string, error) {
	for _, name := range []string{"environ", "__environ", "_environ"} {
		symbol, ok := f.Symbols.Find("", name)
		if !ok {
			continue
		}
		list, ok := f.Word(symbol.Addr)
		if !ok {
			return nil, fmt.Errorf("node: %s at %v cannot be read", name, symbol.Addr)
		}
		if list == 0 {
			return nil, nil // clearenv
		}
		return core.EnvironAt(f.Process, core.Addr(list))
	}
	return nil, errEnviron
}

// fromUTF8 decodes text as V8 does: each byte that is none is U+FFFD.
func fromUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}
