package blink

import (
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// maxToWrapper bounds where an object of Blink's has its wrapper, in bytes.
const maxToWrapper = 0x40

// worlds records which of the realms listed belong to isolated worlds: the realms of windows that have
// another realm in the main world. It sets their origin to the frame's there, in realms as well.
func (r *Reader) worlds(out []Document, realms []Realm, list []int, windows []core.Addr,
	globals []layout.Tagged, m members) {
	own, ok := r.mainWorlds(windows)
	if !ok {
		own, ok = r.mainProxies(windows, globals, m)
	}
	if !ok {
		return
	}
	mains := map[core.Addr]Realm{}
	for i, n := range list {
		if own[i] == globals[i] {
			mains[windows[i]] = realms[n]
		}
	}
	for i, n := range list {
		main, ok := mains[windows[i]]
		if !ok || own[i] == globals[i] {
			continue
		}
		out[n].Isolated, out[n].Origin = true, main.Origin
		if world, ok := strings.CutPrefix(realms[n].Token, main.Token); ok && main.Token != "" {
			out[n].World = world
		}
		realms[n].Origin = main.Origin
	}
}

// mainWorlds returns for each window the global object of the main world, where the document's own
// scripts run. The window refers to that itself, by a handle (ScriptWrappable: main_world_wrapper_, or
// wrapper_), while other worlds keep theirs in a DOMDataStore; 0 if there is none yet. All windows do
// so at the same offset. It returns false if there is no such offset, or several.
func (r *Reader) mainWorlds(windows []core.Addr) (found []layout.Tagged, ok bool) {
	for off := core.Addr(8); off < maxToWrapper; off += 8 {
		list, some := r.wrappersAt(windows, off)
		if some && ok {
			return nil, false
		}
		if some {
			found, ok = list, true
		}
	}
	return found, ok
}

// wrappersAt returns the global objects that windows have handles to at an offset. It returns false if
// a window has something else there, or if no window has a handle.
func (r *Reader) wrappersAt(windows []core.Addr, off core.Addr) (list []layout.Tagged, some bool) {
	for _, w := range windows {
		handle, ok := r.Word(w + off)
		if ok && handle == 0 {
			list = append(list, 0)
			continue
		}
		if !ok || handle&7 != 0 || handle < core.TracePage {
			return nil, false
		}
		g, ok := r.globalBy(core.Addr(handle))
		if !ok {
			return nil, false
		}
		list, some = append(list, g), true
	}
	return list, some
}

// globalBy returns the global object that a handle of V8's has, directly or as a proxy.
func (r *Reader) globalBy(handle core.Addr) (g layout.Tagged, ok bool) {
	if handle&7 != 0 || handle < core.TracePage {
		return 0, false
	}
	word, ok := r.Word(handle)
	g = r.Full(word)
	if ok && r.Is(g, r.Types.JSGlobalProxy) {
		g, ok = r.objects.GlobalOf(g)
	}
	return g, ok && r.Is(g, r.Types.JSGlobalObject)
}

// A proxyPath leads from a frame to the handle of its global object in the main world: Frame has a
// WindowProxyManager, which has the WindowProxy of that world in itself and other worlds' in a table
// (bindings/core/v8/window_proxy_manager.h).
type proxyPath struct{ manager, proxy, handle core.Addr }

// Bounds of the search for it, in bytes.
const (
	maxToManager = 0x200
	maxManager   = 0x40
	maxProxy     = 0x60
)

// mainProxies is mainWorlds for windows without wrappers: by the only global objects that paths lead to
// in all frames.
func (r *Reader) mainProxies(windows []core.Addr, globals []layout.Tagged, m members) (found []layout.Tagged, ok bool) {
	t, ok := r.frameTree(windows, m)
	if !ok {
		return nil, false
	}
	realms := map[core.Addr][]layout.Tagged{}
	var first core.Addr // a frame
	for i, w := range windows {
		realms[w] = append(realms[w], globals[i])
		if first == 0 {
			first = m.at(w + t.frame)
		}
	}
	if first == 0 {
		return nil, false
	}
	for _, p := range t.proxyPaths(first, realms[t.at(first+t.window)]) {
		list, all := t.follow(p, windows, realms)
		switch {
		case !all:
		case found != nil && !slices.Equal(list, found):
			return nil, false
		default:
			found = list
		}
	}
	return found, found != nil
}

// proxyPaths returns the paths from a frame to one of its global objects.
func (t *frameTree) proxyPaths(f core.Addr, globals []layout.Tagged) (out []proxyPath) {
	for a := core.Addr(ownFrame); a < maxToManager; a += t.size() {
		manager := t.at(f + a)
		if manager == 0 || manager == f {
			continue
		}
		for b := core.Addr(0); b < maxManager; b += t.size() {
			proxy := t.at(manager + b)
			if proxy == 0 || proxy == f {
				continue
			}
			for c := core.Addr(0); c < maxProxy; c += 8 {
				handle, _ := t.Word(proxy + c)
				if g, ok := t.globalBy(core.Addr(handle)); ok && slices.Contains(globals, g) {
					out = append(out, proxyPath{a, b, c})
				}
			}
		}
	}
	return out
}

// follow returns the global objects that a path leads to from the frames of windows, 0 for a window
// without a frame. It returns false if the path leads elsewhere from one.
func (t *frameTree) follow(p proxyPath, windows []core.Addr,
	realms map[core.Addr][]layout.Tagged) (list []layout.Tagged, all bool) {
	for _, w := range windows {
		f := t.at(w + t.frame)
		if f == 0 {
			list = append(list, 0)
			continue
		}
		manager := t.at(f + p.manager)
		if manager == 0 {
			return nil, false
		}
		proxy := t.at(manager + p.proxy)
		if proxy == 0 {
			return nil, false
		}
		handle, _ := t.Word(proxy + p.handle)
		g, ok := t.globalBy(core.Addr(handle))
		if !ok || !slices.Contains(realms[w], g) {
			return nil, false
		}
		list = append(list, g)
	}
	return list, true
}
