package export

import (
	"cmp"
	"encoding/hex"
	"regexp"
	"strings"
)

// unfit matches what the names of components, systems and architectures have not.
var unfit = regexp.MustCompile(`[^a-zA-Z0-9._-]`)

// firstUser is the first user id of people, as distributions give them (UID_MIN of
// login.defs).
const firstUser = 1000

// ureport makes a uReport 2 of the problem type "core".
func ureport(c *crash) object {
	p := c.process
	stacks := []object{}
	for i, t := range c.threads {
		frames := []object{}
		for k := range t.Frames {
			f := &t.Frames[k]
			x := object{"address": uint64(f.PC), "build_id_offset": uint64(f.PC),
				"file_name": cmp.Or(f.Module, f.File, "unknown filename")}
			if f.Module != "" {
				x["build_id_offset"] = uint64(f.ModuleOffset)
			}
			x.set("function_name", f.Name)
			if m := c.image(f); m != nil && len(m.Facts().BuildID) > 0 {
				x["build_id"] = hex.EncodeToString(m.Facts().BuildID)
			}
			frames = append(frames, x)
		}
		if len(frames) > 0 {
			stacks = append(stacks, object{"crash_thread": i == c.died, "frames": frames})
		}
	}
	name := unfit.ReplaceAllString(cmp.Or(c.Program, "unknown"), "_")
	return object{
		"ureport_version": 2,
		"reporter":        object{"name": "coredbg", "version": unfit.ReplaceAllString(version(), "_")},
		"reason":          cmp.Or(c.Title, "unknown"),
		"os": object{"name": cmp.Or(c.OS, "unknown"), "version": "unknown",
			"architecture": strings.ReplaceAll(unfit.ReplaceAllString(cmp.Or(c.machine(), "unknown"), "_"), "-", "_")},
		"packages": []object{},
		"problem": object{"type": "core", "signal": c.signalNumber(), "component": name,
			"executable": cmp.Or(c.Exe, "unknown"),
			"user":       object{"root": p.UID == 0, "local": p.UID >= firstUser}, "stacktrace": stacks},
		"auth": object{"sha256": c.SHA256, "signature": c.Signature, "coarse": c.Coarse},
	}
}
