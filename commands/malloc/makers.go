package malloc

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes/malloc/class"
)

// A makerRecord is code that makes objects of a class.
type makerRecord struct {
	_        out.Record `record:"cmaker"`
	Class    string     `json:"class"`
	At       core.Addr  `json:"addr" dot:"always"` // of the instruction
	Function string     `json:"function"`
	File     string     `json:"file,omitempty"`
	Line     int        `json:"line,omitempty"`
	Unsure   bool       `json:"unsure,omitempty"` // the function has no name: it may be the destructor
}

// String is the line for people.
func (r *makerRecord) String() string {
	how := "made"
	if r.Unsure {
		how = "made or destroyed"
	}
	s := fmt.Sprintf("%s is %s in %s", r.Class, how, r.Function)
	if r.File != "" {
		s += fmt.Sprintf(" (%s:%d)", r.File, r.Line)
	}
	return s + fmt.Sprintf(", at %x", uint64(r.At))
}

const (
	maxMakers   = 16       // of a class
	maxMadeCode = 64 << 20 // bytes of a module's code that are searched
)

// emitMakers emits the code that makes objects of the lost classes: it takes the address of their table of
// virtual functions.
func emitMakers(ctx context.Context, c *commands.Call, rows []*leakRecord) error {
	p := c.Session.Process
	if p.Arch != core.AMD64 {
		return c.Unknown("code that makes objects is known on x86-64 only")
	}
	tables := map[core.Addr]string{}
	cur := p.Cursor()
	for _, r := range rows {
		if v := cur.Pointer(r.First); r.Kind == class.Vtable && cur.Reset() == nil {
			tables[v] = r.Class
		}
	}
	counts := map[string]int{}
	for _, m := range p.Modules {
		for _, part := range m.Parts {
			if !p.Executable(part.Start) || len(tables) == 0 {
				continue
			}
			code, _ := core.ReadBytes(p.Space, part.Start, min(uint64(part.End-part.Start), maxMadeCode))
			for _, hit := range makersIn(c, code, part.Start, tables) {
				if r := maker(c, hit.at, hit.class); counts[r.Class] < maxMakers && ctx.Err() == nil {
					counts[r.Class]++
					if err := c.Emit(r); err != nil {
						return err
					}
				}
			}
		}
	}
	return ctx.Err()
}

// A making is an instruction that makes an object of a class.
type making struct {
	at    core.Addr
	class string
}

// makersIn returns the instructions of code that take the address of a class's table. If a constructor does,
// its callers make the object; a destructor makes none.
func makersIn(c *commands.Call, code []byte, start core.Addr, tables map[core.Addr]string) (out []making) {
	constructors := map[core.Addr]string{}
	for i := 0; i+7 <= len(code); i++ {
		if code[i]&0xfb != 0x48 || code[i+1] != 0x8d || code[i+2]&0xc7 != 0x05 {
			continue // it is no lea reg, [rip+disp32]
		}
		at := start + core.Addr(i)
		of := tables[at+7+displacement(code[i+3:])]
		if of == "" {
			continue
		}
		y, _, _ := c.Session.Symbols.Lookup(at)
		name, own := sym.Demangle(y.Name, false), of[strings.LastIndex(of, ":")+1:]
		switch {
		case strings.Contains(name, "::~"):
		case strings.HasPrefix(name, of+"::"+own+"("):
			constructors[y.Addr] = of
		default:
			out = append(out, making{at, of})
		}
	}
	for i := 0; i+5 <= len(code) && len(constructors) > 0; i++ {
		if at := start + core.Addr(i); code[i] == 0xe8 { // call rel32
			if of := constructors[at+5+displacement(code[i+1:])]; of != "" {
				out = append(out, making{at, of})
			}
		}
	}
	return out
}

// displacement returns four bytes as a distance.
func displacement(b []byte) core.Addr { return core.Addr(int32(binary.LittleEndian.Uint32(b))) }

// maker describes an instruction that makes an object.
func maker(c *commands.Call, at core.Addr, of string) *makerRecord {
	r := &makerRecord{Class: of, At: at, Function: "a function without a name", Unsure: true}
	if y, _, ok := c.Session.Symbols.Lookup(at); ok {
		r.Function, r.Unsure = sym.Demangle(y.Name, false), false
	}
	lines := c.Session.Symbols.Lines(at)
	// The outermost function that was not inlined is the program's own place.
	if i := slices.IndexFunc(lines, func(l sym.Line) bool { return !l.Inlined }); i >= 0 {
		r.File, r.Line = lines[i].File, lines[i].Line
	}
	return r
}
