package node

import (
	"strings"

	"coredbg/core"
)

// A reference of Node-API, or another object that Node frees with its environment, is in a list of its module's environment
// (src/js_native_api_v8.h, v16 to v26; v16 keeps no filename):
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

// ModuleOf returns the file of the Node-API module that made the reference at an address; "" if no reference is there, or the list
// that has it cannot be followed.
func (nr *Reader) ModuleOf(at core.Addr) string {
	nr.references.Lock()
	defer nr.references.Unlock()
	if nr.moduleOf == nil {
		nr.moduleOf = map[core.Addr]string{}
	}
	var passed []core.Addr
	file, known := "", false
	for len(passed) < maxReferences {
		if file, known = nr.moduleOf[at]; known || !nr.tracked(at) {
			break
		}
		passed = append(passed, at)
		nr.moduleOf[at] = "" // a list in a circle ends here
		if nr.isA(at, trackerTable) {
			file = nr.moduleAround(at)
			break
		}
		prev, ok := nr.Word(at + trackerPrev)
		if !ok {
			break
		}
		at = core.Addr(prev)
	}
	for _, a := range passed {
		nr.moduleOf[a] = file
	}
	return file
}

// tracked reports whether an object of a class of Node-API begins at an address.
func (nr *Reader) tracked(at core.Addr) bool {
	table, ok := nr.Word(at)
	if !ok || at&7 != 0 {
		return false
	}
	s, _, ok := nr.Symbols.Lookup(core.Addr(table))
	return ok && strings.HasPrefix(s.Name, trackerSpace)
}

// moduleAround returns the file in the environment that has a member at an address.
func (nr *Reader) moduleAround(member core.Addr) string {
	for off := core.Addr(8); off <= maxNapiEnv && off <= member; off += 8 {
		env := member - off
		if !nr.isA(env, napiEnvTable) {
			continue
		}
		for at := env + 8; at < env+maxNapiEnv; at += 8 {
			if file, _ := nr.stdString(at); strings.HasSuffix(file, ".node") {
				return strings.TrimPrefix(file, "file://")
			}
		}
		return ""
	}
	return ""
}
