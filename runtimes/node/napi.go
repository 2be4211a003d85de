package node

import (
	"strings"
	"sync"

	"coredbg/core"
)

// A reference of Node-API, or another object that Node frees with its environment, is in a list of its
// module's environment (src/js_native_api_v8.h, v16 to v26; v16 keeps no filename):
//
//	v8impl::Reference: RefTracker {vtable, next_, prev_}
//	-> prev_ … -> napi_env__::reflist or finalizing_reflist, a RefTracker with no class of its own
//	in node_napi_env__ {vtable, …, std::string filename}
const (
	trackerPrev   = 16
	trackerTable  = "_ZTVN6v8impl10RefTrackerE"
	trackerSpace  = "_ZTVN6v8impl"
	napiEnvTable  = "_ZTV15node_napi_env__"
	maxReferences = 1 << 20 // of one environment
	maxNapiEnv    = 1 << 10 // bytes of an environment
)

// references reads which modules have made references of Node-API.
type references struct {
	nr *Reader

	mu       sync.Mutex
	moduleOf map[core.Addr]string // files of modules, by the addresses of references
}

// newReferences returns a reader of references in the process that nr reads.
func newReferences(nr *Reader) *references {
	return &references{nr: nr, moduleOf: map[core.Addr]string{}}
}

// ModuleOf returns the file of the Node-API module that made the reference at an address; "" if no reference
// is there, or the list that has it cannot be followed.
func (nr *Reader) ModuleOf(at core.Addr) string { return nr.references.fileOf(at) }

func (r *references) fileOf(at core.Addr) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var passed []core.Addr
	file, known := "", false
	for len(passed) < maxReferences {
		if file, known = r.moduleOf[at]; known || !r.tracked(at) {
			break
		}
		passed = append(passed, at)
		r.moduleOf[at] = "" // a list in a circle ends here
		if r.nr.cxx.IsA(at, trackerTable) {
			file = r.moduleAround(at)
			break
		}
		prev, ok := r.nr.Word(at + trackerPrev)
		if !ok {
			break
		}
		at = core.Addr(prev)
	}
	for _, a := range passed {
		r.moduleOf[a] = file
	}
	return file
}

// tracked reports whether an object of a class of Node-API begins at an address.
func (r *references) tracked(at core.Addr) bool {
	table, ok := r.nr.Word(at)
	if !ok || at&7 != 0 {
		return false
	}
	s, _, ok := r.nr.Symbols.Lookup(core.Addr(table))
	return ok && strings.HasPrefix(s.Name, trackerSpace)
}

// moduleAround returns the file in the environment that has a member at an address.
func (r *references) moduleAround(member core.Addr) string {
	for off := core.Addr(8); off <= maxNapiEnv && off <= member; off += 8 {
		env := member - off
		if !r.nr.cxx.IsA(env, napiEnvTable) {
			continue
		}
		for at := env + 8; at < env+maxNapiEnv; at += 8 {
			if file, _ := r.nr.cxx.StdString(at); strings.HasSuffix(file, ".node") {
				return strings.TrimPrefix(file, "file://")
			}
		}
		return ""
	}
	return ""
}
