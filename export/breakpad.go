package export

import (
	"cmp"
	"encoding/hex"
	"strings"

	"coredbg/core"
	"coredbg/stack"
)

// The words of rust-minidump for systems and processors.
var (
	minidumpOS   = map[string]string{"linux": "Linux", "darwin": "Mac OS X", "windows": "Windows NT"}
	minidumpArch = map[string]string{"x86-64": "amd64", "i386": "x86", "aarch64": "arm64", "arm": "arm",
		"ppc64": "ppc64", "ppc64le": "ppc64"}
)

// breakpad makes the JSON of rust-minidump.
func breakpad(c *crash) object {
	threads := []object{}
	for _, t := range c.threads {
		threads = append(threads, c.minidumpThread(t))
	}
	modules, main := c.minidumpModules()
	info := object{"type": nil, "address": nil, "crashing_thread": nil, "assertion": nil}
	d := object{"status": "OK", "pid": c.PID, "thread_count": len(threads), "threads": threads,
		"modules": modules, "main_module": main, "modules_contains_cert_info": false, "unloaded_modules": []object{},
		"system_info": object{"os": cmp.Or(minidumpOS[c.OS], "unknown"), "os_ver": nil,
			"cpu_arch": cmp.Or(minidumpArch[c.Arch], "unknown"), "cpu_info": nil, "cpu_count": nil,
			"cpu_microcode_version": nil},
		"crash_info":     info,
		"lsb_release":    nil,
		"mac_crash_info": nil,
		"sensitive":      object{"exploitability": nil},
	}
	info.set("type", strings.TrimSuffix(c.Signal+" / "+c.Code, " / "))
	if c.Addr != nil {
		info["address"] = c.padded(*c.Addr)
	}
	if c.Cause == "assertion" || c.Cause == "abort-message" {
		info["assertion"] = c.Title
	}
	if c.died >= 0 {
		info["crashing_thread"] = c.died
		t := c.minidumpThread(c.threads[c.died])
		t["threads_index"], t["registers"] = c.died, c.registers()
		d["crashing_thread"] = t
	}
	return d
}

func (c *crash) minidumpThread(t *stack.Stack) object {
	frames := []object{}
	var inlines []object
	for i := range t.Frames {
		f := &t.Frames[i]
		line := any(nil)
		if f.Line > 0 {
			line = f.Line
		}
		if f.Inlined {
			inlines = append(inlines, object{"function": orNull(f.Name), "file": orNull(f.File), "line": line})
			continue
		}
		x := object{"frame": len(frames), "trust": minidumpTrust(f.Trust), "offset": c.padded(f.PC), "module": nil,
			"module_offset": nil,
			"function":      orNull(f.Name), "function_offset": nil, "file": orNull(f.File), "line": line,
			"missing_symbols": f.Name == "", "inlines": nil}
		if f.Module != "" {
			x["module"], x["module_offset"] = core.BaseName(f.Module), c.padded(f.ModuleOffset)
		}
		if f.HasOffset {
			x["function_offset"] = c.padded(core.Addr(f.Offset))
		}
		if inlines != nil {
			x["inlines"] = inlines
			inlines = nil
		}
		frames = append(frames, x)
	}
	return object{"thread_name": orNull(t.Name), "last_error_value": nil, "frame_count": len(frames), "frames": frames}
}

// orNull is a string, or null if it is empty.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// registers returns the registers of the thread that died that fit into a word.
func (c *crash) registers() object {
	regs := object{}
	for _, r := range c.process.Registers(c.threads[c.died].Thread) {
		if r.Bytes == nil && (r.Set == "general" || r.Set == "") {
			regs[r.Name] = c.padded(core.Addr(r.Value))
		}
	}
	return regs
}

func (c *crash) minidumpModules() (list []object, main int) {
	list = []object{}
	for _, m := range c.process.Modules {
		if m.Exe {
			main = len(list)
		}
		id := m.Facts().BuildID
		x := object{"base_addr": c.padded(m.Start), "end_addr": c.padded(m.End), "debug_file": core.BaseName(m.Path),
			"debug_id": nil, "filename": core.BaseName(m.Path),
			"code_id": nil, "version": nil, "cert_subject": nil, "missing_symbols": m.Facts().Err != nil,
			"loaded_symbols": m.Facts().Image != nil, "corrupt_symbols": false, "symbol_url": nil}
		if len(id) > 0 {
			x["code_id"], x["debug_id"] = hex.EncodeToString(id), strings.ToUpper(c.debugID(id, c.isMach()))+"0"
		}
		list = append(list, x)
	}
	return list, main
}
