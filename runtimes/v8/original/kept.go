package original

import (
	"context"
	"errors"
	"strings"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/sourcemap"
)

// maxMapped bounds the text of a script that a map is tried on, in UTF-16 code units.
const maxMapped = 64 << 20

// errManyMaps says that what is in memory does not say which map is the script's.
var errManyMaps = errors.New("source map: memory has several that may be the script's")

// keptMap returns a script's map among the maps that ask returns. An unproven map must fit the script, and its
// names must occur in its original sources. keptMap returns nil if several maps pass.
func keptMap(o *object.Reader, script layout.Tagged, ask Kept) (found *sourcemap.Map, err error) {
	name := o.ScriptName(script)
	if !ownScript(name) {
		return nil, nil
	}
	code, err := o.Source(script, 0, o.SourceLength(script), maxMapped)
	if err != nil || code == "" {
		return nil, nil
	}
	fits := sourcemap.Fit(o.HasPlace(script))
	for _, k := range ask(context.Background(), name, code) {
		m, err := sourcemap.Read(k.Text, name, fits)
		if err != nil || !k.Proven && !agrees(m, name, code) {
			continue
		}
		if found != nil && !found.Same(m) {
			return nil, errManyMaps
		}
		found = m
	}
	return found, nil
}

// ownScript reports whether a script is the program's own, by its name: none that the embedder brings.
func ownScript(name string) bool {
	for _, scheme := range []string{"ext:", "node:", "internal:", "checkin:"} {
		if strings.HasPrefix(name, scheme) {
			return false
		}
	}
	return strings.Contains(name, ":") || strings.HasPrefix(name, "/")
}

// agrees reports whether a map can belong to a script, by the names it maps. A map without the text of its
// original sources is accepted if it has the script's own name.
func agrees(m *sourcemap.Map, name, code string) bool {
	same, compared := m.Agree(code)
	if compared == 0 {
		return m.Has(sourcemap.Resolve(name, name)) && m.Covers(code)
	}
	const enough = 80 // percent
	return 100*same >= enough*compared && m.Covers(code)
}
