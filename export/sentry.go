package export

import (
	"encoding/hex"
	"path"

	"coredbg/runtimes"
	"coredbg/stack"
)

// sentry makes an event. Its id comes from the core's file, so that an event that is sent twice is one.
func sentry(c *crash) object {
	e := object{"platform": "native", "level": "fatal", "logger": "coredbg",
		"sdk": object{"name": "coredbg", "version": version()},
		"contexts": object{"os": object{"type": "os", "name": c.OS},
			"device": object{"type": "device", "arch": c.machine()}},
		"tags": tags(c), "extra": extra(c), "debug_meta": object{"images": sentryImages(c)}}
	if len(c.SHA256) >= 32 {
		e["event_id"] = c.SHA256[:32]
	}
	e.set("timestamp", c.Modified)
	if c.Coarse != "" {
		e["fingerprint"] = []string{c.Coarse, c.Program}
	}
	threads := []object{}
	for i, t := range c.threads {
		x := object{"id": t.Thread.TID, "crashed": i == c.died, "current": i == c.died}
		x.set("name", t.Name)
		x.set("state", t.State)
		if i != c.died { // the exception has its own thread
			x["stacktrace"] = object{"frames": c.sentryFrames(t)}
		}
		threads = append(threads, x)
	}
	e["threads"] = object{"values": threads}
	if c.Cause != "snapshot" {
		x := object{"type": string(c.Cause), "value": c.Title, "mechanism": c.mechanism()}
		if c.died >= 0 {
			x["thread_id"] = c.threads[c.died].Thread.TID
			x["stacktrace"] = object{"frames": c.sentryFrames(c.threads[c.died])}
		}
		e["exception"] = object{"values": []object{x}}
	}
	return e
}

func (c *crash) mechanism() object {
	m := object{"type": "coredump", "handled": false, "synthetic": true}
	if g := c.process.Signal; g != nil {
		signal := object{"number": g.Number, "name": g.Name}
		if g.HasCode {
			signal["code"] = g.Code
			signal.set("code_name", g.CodeName)
		}
		m["meta"] = object{"signal": signal}
	}
	return m
}

// sentryFrames returns frames, the outermost first.
func (c *crash) sentryFrames(t *stack.Stack) []object {
	list := []object{}
	for i := len(t.Frames) - 1; i >= 0; i-- {
		f := &t.Frames[i]
		x := object{"in_app": c.own(f), "instruction_addr": c.padded(f.PC)}
		x.set("function", f.Name)
		x.set("package", f.Module)
		if f.File != "" {
			x["filename"], x["abs_path"] = path.Base(f.File), f.File
		}
		x.set("lineno", f.Line)
		x.set("colno", f.Column)
		switch f.Kind {
		case runtimes.JS:
			x["platform"] = "javascript"
		case runtimes.Java:
			x["platform"] = "java"
		}
		list = append(list, x)
	}
	return list
}

func sentryImages(c *crash) []object {
	list := []object{}
	for _, m := range c.process.Modules {
		id := m.Facts().BuildID
		if len(id) == 0 || m.End <= m.Start {
			continue
		}
		kind := "elf"
		if c.isMach() {
			kind = "macho"
		}
		d := c.debugID(id, c.isMach())
		list = append(list, object{"type": kind, "code_id": hex.EncodeToString(id), "code_file": m.Path,
			"arch":       c.machine(),
			"debug_id":   d[:8] + "-" + d[8:12] + "-" + d[12:16] + "-" + d[16:20] + "-" + d[20:],
			"image_addr": c.padded(m.Start), "image_size": uint64(m.End - m.Start)})
	}
	return list
}

// tags are what events are searched by.
func tags(c *crash) object {
	t := object{}
	t.set("cause", string(c.Cause))
	t.set("confidence", c.Confidence)
	t.set("signal", c.Signal)
	t.set("program", c.Program)
	return t
}

// extra is the event's additional data.
func extra(c *crash) object {
	x := object{}
	x.set("core", c.Core)
	x.set("sha256", c.SHA256)
	x.set("signature", c.Signature)
	x.set("evidence", c.Evidence)
	x.set("missing", c.Missing)
	return x
}
