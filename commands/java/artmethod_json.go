package java

import (
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/dex"
)

type codeItemJSON struct {
	Addr      core.Addr `json:"addr"`
	Insns     core.Addr `json:"insns"`
	Registers int       `json:"registers"`
	Ins       int       `json:"ins"`
	Outs      int       `json:"outs"`
	Units     uint32    `json:"units"`
}

type bytecodeJSON struct {
	PC       uint32     `json:"pc"`
	Addr     core.Addr  `json:"addr"`
	Line     int        `json:"line,omitempty"`
	Op       string     `json:"op"`
	Operands string     `json:"operands,omitempty"`
	Target   *uint32    `json:"target,omitempty"`
	Cases    []caseJSON `json:"cases,omitempty"`
	Marked   bool       `json:"marked,omitempty"`
}

type caseJSON struct {
	Key    int32 `json:"key"`
	Offset int32 `json:"offset"`
}

type handlerJSON struct {
	Type string `json:"catches"`
	PC   uint32 `json:"pc"`
}

type tryJSON struct {
	Start    uint32        `json:"start"`
	End      uint32        `json:"end"`
	Handlers []handlerJSON `json:"handlers"`
}

type localJSON struct {
	Name      string `json:"name"`
	Java      string `json:"java_type"`
	Signature string `json:"signature,omitempty"`
	Register  uint32 `json:"register"`
	Start     uint32 `json:"start"`
	End       uint32 `json:"end"`
}

type lineJSON struct {
	PC   uint32 `json:"pc"`
	Line int    `json:"line"`
}

// MarshalJSON gives {"type":"artmethod",…}.
func (r *methodRecord) MarshalJSON() ([]byte, error) {
	m := r.method
	j := struct {
		_         out.Record      `record:"artmethod"`
		Addr      core.Addr       `json:"addr,omitzero"`
		Name      string          `json:"name"`
		Signature string          `json:"signature,omitempty"`
		Runtime   bool            `json:"runtime,omitempty"`
		Class     core.Addr       `json:"class,omitzero"`
		Access    uint32          `json:"access"`
		Modifiers string          `json:"modifiers,omitempty"`
		Index     uint32          `json:"index"`
		File      string          `json:"file,omitempty"`
		Dex       *dexFileJSON    `json:"dex,omitempty"`
		Entry     core.Addr       `json:"entry_point,omitzero"`
		EntryIs   string          `json:"entry_point_is,omitempty"`
		JNI       core.Addr       `json:"jni_code,omitzero"`
		JNIIs     string          `json:"jni_code_is,omitempty"`
		Code      *codeItemJSON   `json:"code,omitempty"`
		Bytecode  []bytecodeJSON  `json:"bytecode,omitempty"`
		Tries     []tryJSON       `json:"tries,omitempty"`
		Locals    []localJSON     `json:"locals,omitempty"`
		Lines     []lineJSON      `json:"lines,omitempty"`
		Compiled  *compiledRecord `json:"compiled,omitempty"`
		Problem   string          `json:"problem,omitempty"`
	}{Addr: m.Addr, Name: m.String(), Signature: m.Signature, Runtime: m.Runtime, Class: m.DeclaringClass,
		Access: m.Access, Modifiers: code.Modifiers(m.Access, true), Index: m.Index, File: m.File, Entry: m.EntryPoint,
		EntryIs: r.entry, JNI: r.jni, JNIIs: r.jniName, Compiled: r.compiled, Problem: m.Problem}
	if m.Dex != nil {
		d := dexFileOf(m.Dex)
		j.Dex = &d
	}
	if c := m.Code; c != nil {
		j.Code = &codeItemJSON{c.Addr, c.Insns, c.Registers, c.Ins, c.Outs, c.Units}
	}
	j.Bytecode = r.bytecodeJSON()
	if r.options[1] {
		j.Tries, j.Locals = r.triesJSON(), r.localsJSON()
		for _, pc := range r.linePCs() {
			j.Lines = append(j.Lines, lineJSON{pc, r.lines[pc]})
		}
	}
	return out.Marshal(j)
}

func (r *methodRecord) bytecodeJSON() []bytecodeJSON {
	var list []bytecodeJSON
	for i, in := range r.code {
		b := bytecodeJSON{PC: in.PC, Addr: r.method.Code.Insns + core.Addr(in.PC)*2, Line: r.lines[in.PC], Op: in.Name,
			Operands: r.operands[i], Marked: int64(in.PC) == r.mark}
		if in.HasTarget {
			b.Target = &in.Target
		}
		if in.Payload != nil {
			for _, k := range in.Payload.Cases {
				b.Cases = append(b.Cases, caseJSON(k))
			}
		}
		list = append(list, b)
	}
	return list
}

func (r *methodRecord) triesJSON() []tryJSON {
	var list []tryJSON
	for _, t := range r.tries {
		j := tryJSON{Start: t.Start, End: t.End, Handlers: []handlerJSON{}}
		for _, h := range t.Handlers {
			j.Handlers = append(j.Handlers, handlerJSON{r.typeName(h.Type), h.PC})
		}
		list = append(list, j)
	}
	return list
}

func (r *methodRecord) localsJSON() []localJSON {
	var list []localJSON
	for _, l := range r.locals {
		list = append(list, localJSON{l.Name, dex.TypeName(l.Type), l.Signature, l.Register, l.Start, l.End})
	}
	return list
}
