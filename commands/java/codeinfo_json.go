package java

import (
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/codeinfo"
)

type registerJSON struct {
	Register int    `json:"register"`
	Kind     string `json:"kind"`
	Value    int32  `json:"value"`
	Place    string `json:"place"`
}

func (r *compiledRecord) registersJSON(regs []codeinfo.Location) []registerJSON {
	var list []registerJSON
	for i, l := range regs {
		if l.Kind != codeinfo.None {
			list = append(list, registerJSON{i, l.Kind.String(), l.Value, r.place(l)})
		}
	}
	return list
}

type inlinedJSON struct {
	Method    string         `json:"method,omitempty"`
	Addr      core.Addr      `json:"method_addr,omitzero"`
	DexPC     uint32         `json:"dex_pc"`
	File      string         `json:"file,omitempty"`
	Line      int            `json:"line,omitempty"`
	Registers []registerJSON `json:"registers,omitempty"`
}

type stackMapJSON struct {
	Addr      core.Addr      `json:"addr"`
	Offset    uint32         `json:"offset"`
	Kind      string         `json:"kind"`
	DexPC     uint32         `json:"dex_pc"`
	Line      int            `json:"line,omitempty"`
	Registers []registerJSON `json:"registers,omitempty"`
	Refs      []string       `json:"references,omitempty"`
	Inlined   []inlinedJSON  `json:"inlined,omitempty"`
}

// MarshalJSON gives {"type":"codeinfo",…}.
func (r *compiledRecord) MarshalJSON() ([]byte, error) {
	j := struct {
		_         out.Record     `record:"codeinfo"`
		Addr      core.Addr      `json:"addr"`
		Size      uint64         `json:"size,omitempty"`
		JIT       bool           `json:"jit,omitempty"`
		Methods   []string       `json:"methods,omitempty"`
		CodeInfo  core.Addr      `json:"codeinfo,omitzero"`
		Flags     []string       `json:"flags,omitempty"`
		FrameSize uint32         `json:"frame_size,omitempty"`
		Saved     []string       `json:"saved,omitempty"`
		Registers uint32         `json:"dex_registers,omitempty"`
		Count     int            `json:"stack_map_count"`
		Maps      []stackMapJSON `json:"stack_maps,omitempty"`
	}{Addr: r.code.Header.Code, Size: r.code.Size, JIT: r.code.JIT}
	methods := r.code.Methods
	if len(methods) == 0 && r.method != nil {
		methods = []*code.Method{r.method}
	}
	for _, m := range methods {
		j.Methods = append(j.Methods, m.String())
	}
	if i := r.code.Info; i != nil {
		j.CodeInfo, j.Flags, j.FrameSize, j.Registers, j.Count = i.Addr, r.flags(), i.FrameSize, i.DexRegisters, i.StackMaps()
		j.Saved = r.saved()
	}
	for _, m := range r.maps {
		j.Maps = append(j.Maps, r.mapJSON(m))
	}
	return out.Marshal(j)
}

func (r *compiledRecord) mapJSON(m stackMap) stackMapJSON {
	s := stackMapJSON{Addr: r.code.Header.Code + core.Addr(m.NativePC), Offset: m.NativePC, Kind: m.Kind.String(),
		DexPC: m.DexPC, Registers: r.registersJSON(m.regs), Refs: m.refs}
	if r.method != nil {
		s.Line = r.method.Line(m.DexPC)
	}
	for _, f := range m.frames {
		in := inlinedJSON{DexPC: f.DexPC, Addr: f.ArtMethod, Registers: r.registersJSON(f.regs)}
		if f.method != nil {
			in.Method, in.File, in.Line = f.method.String(), f.method.File, f.method.Line(f.DexPC)
		}
		s.Inlined = append(s.Inlined, in)
	}
	return s
}
