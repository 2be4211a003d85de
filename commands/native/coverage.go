package native

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
)

var coverageCommands = []commands.Command{
	{
		Name:    "coverage",
		Options: []commands.Option{{Letter: 'v', Help: "list the ranges that are missing"}},
		Summary: "say which memory is missing, why, and how to get it",
		Detail: `Sums the address space by where its bytes come from: the core file, the files
that were mapped (whose build-id agrees), zeros, or nowhere, with the reason.
Then says what will not work for that, and how to make a core that has it.`,
		Example: "::coverage -v",
		SeeAlso: []string{"mappings", "objects", "status"},
		Run:     runCoverage,
	},
}

// A coverageRecord is the memory of one origin.
type coverageRecord struct {
	_      out.Record      `record:"coverage"`
	Origin string          `json:"origin" col:"FROM,14"` // core, file, zero, not dumped, truncated, …
	Bytes  uint64          `json:"bytes" col:"BYTES,18,right"`
	Ranges []coverageRange `json:"ranges,omitempty"`
	Count  int             `json:"count" col:"RANGES,8,right"` // of the ranges
	share  float64         `col:"SHARE,6,right,%.1f%%"`
	have   bool
}

// A coverageRange is a run of addresses of one origin.
type coverageRange struct {
	Start  core.Addr `json:"start"`
	End    core.Addr `json:"end"`
	Prot   string    `json:"prot"`
	Path   string    `json:"path,omitempty"`
	Detail string    `json:"detail,omitempty"`
}

// Addr returns the first missing address.
func (r *coverageRecord) Addr() (core.Addr, bool) {
	if len(r.Ranges) == 0 {
		return 0, false
	}
	return r.Ranges[0].Start, true
}

// Details writes the ranges.
func (r *coverageRecord) Details(w *out.Writer) {
	for _, g := range r.Ranges {
		w.Printf("    %16x %16x %s %s", uint64(g.Start), uint64(g.End), g.Prot, sym.Clean(g.Path))
		if g.Detail != "" && g.Detail != g.Path {
			w.Printf(" (%s)", sym.Clean(g.Detail))
		}
		w.Printf("\n")
	}
}

// An adviceRecord is a consequence of missing memory, and a remedy.
type adviceRecord struct {
	_      out.Record `record:"advice" text:"{lost}\n    {remedy}"`
	Lost   string     `json:"lost"`
	Remedy string     `json:"remedy"`
}

// A survey sums an address space.
type survey struct {
	p     *core.Process
	by    map[string]*coverageRecord
	total uint64
	// what is missing, by kind of mapping
	anonymous, text, stacks, truncated bool
	files                              map[string]core.Gap
}

// maxPieces bounds the pieces that a gap is resolved into: a filler that gives
// a byte at a time would take forever.
const maxPieces = 1 << 20

func newSurvey(ctx context.Context, p *core.Process) (*survey, error) {
	v := &survey{p: p, by: map[string]*coverageRecord{}, files: map[string]core.Gap{}}
	pieces := 0
	for _, s := range p.Space.Segments() {
		if s.Kind != core.SegGap {
			v.add(s)
			continue
		}
		for a := s.Start; a < s.End; {
			if pieces++; pieces > maxPieces {
				break
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			g, ok := p.Space.Resolve(a)
			if !ok || g.End <= a {
				break
			}
			g.Start, g.End = a, min(g.End, s.End)
			v.add(g)
			a = g.End
		}
	}
	return v, nil
}

// add counts a piece.
func (v *survey) add(s core.Segment) {
	origin := s.Kind.String()
	if s.Kind == core.SegGap {
		origin = s.Gap.String()
		if s.Prot == 0 {
			origin = "inaccessible" // unreadable in the living process too
		}
	}
	r := v.by[origin]
	if r == nil {
		r = &coverageRecord{Origin: origin, have: s.Kind != core.SegGap || s.Prot == 0}
		v.by[origin] = r
	}
	r.Bytes += s.Size()
	v.total += s.Size()
	m, _ := v.p.Mapping(s.Start)
	if n := len(r.Ranges); n > 0 && r.Ranges[n-1].End == s.Start && r.Ranges[n-1].Path == m.Path &&
		r.Ranges[n-1].Prot == s.Prot.String() {
		r.Ranges[n-1].End = s.End
	} else {
		r.Ranges = append(r.Ranges, coverageRange{s.Start, s.End, s.Prot.String(), m.Path, s.Detail})
		r.Count++
	}
	if !r.have {
		v.missing(s, m)
	}
}

// missing notes what a gap means.
func (v *survey) missing(s core.Segment, m core.Mapping) {
	if s.Gap == core.Truncated {
		v.truncated = true
	}
	for _, t := range v.p.Threads {
		if v.p.Arch == nil {
			break
		}
		if sp, ok := t.Regs.Get(v.p.Arch.SP); ok && s.Start <= core.Addr(sp) && core.Addr(sp) < s.End {
			v.stacks = true
		}
	}
	switch {
	case m.Path == "" || m.Path[0] == '[':
		v.anonymous = v.anonymous || m.Path != "[vvar]" && m.Path != "[vsyscall]" && m.Path != "[vvar_vclock]"
	case s.Prot&core.Write == 0:
		v.text = true
		v.files[m.Path] = s.Gap
	default:
		v.files[m.Path] = s.Gap
	}
}

// A remedies says how to make a core with more memory, by its system. The bits belong to coredump_filter,
// core(5).
type remedies struct{ cut, anonymous, files string }

func (v *survey) remedies() remedies {
	switch v.p.OS {
	case "linux":
		return remedies{
			cut:       "Raise the limit that cut it: ulimit -c unlimited, or ProcessSizeMax and ExternalSizeMax of systemd-coredump; look at the disk's free space.",
			anonymous: "Set bits 0 and 1 of /proc/PID/coredump_filter; memory with MADV_DONTDUMP is never dumped.",
			files:     "dump file pages: bits 2 and 3 of /proc/PID/coredump_filter (0x3f)",
		}
	case "darwin":
		const full = "process save-core --style full in lldb"
		return remedies{
			cut:       "Raise the limit that cut it: ulimit -c unlimited; look at the disk's free space.",
			anonymous: "Write the core with all memory: " + full + ".",
			files:     "write the core with all memory: " + full,
		}
	}
	return remedies{
		cut:       "Raise the limit that cut it: ulimit -c unlimited; look at the disk's free space.",
		anonymous: "Write the core with all memory.",
		files:     "write the core with all memory",
	}
}

// advice returns the consequences of missing memory.
func (v *survey) advice() []*adviceRecord {
	by := v.remedies()
	var all []*adviceRecord
	say := func(lost, remedy string) { all = append(all, &adviceRecord{Lost: lost, Remedy: remedy}) }
	if v.truncated {
		say("The core file was cut short: what its end held is gone.",
			by.cut)
	}
	if v.stacks && !v.truncated {
		say("The stacks of some threads are missing: these threads show one frame.", by.anonymous)
	}
	if v.anonymous && !v.stacks && !v.truncated {
		say("Some anonymous memory is missing: values in it show as <not dumped>, heaps are walked around it.",
			by.anonymous)
	}
	if len(v.files) > 0 {
		var names []string
		for path := range v.files {
			names = append(names, sym.Clean(path))
		}
		slices.Sort(names)
		const show = 5
		list := strings.Join(names[:min(len(names), show)], ", ")
		if len(names) > show {
			list += fmt.Sprintf(" and %d more", len(names)-show)
		}
		lost := "Pages of mapped files are missing: "
		if v.text {
			lost = "Code and constants of mapped files are missing, so their symbols and unwind information may be, too: "
		}
		say(lost+list+".",
			"Bring the files of the machine that the core comes from (-sysroot DIR, -search DIR), or "+by.files+".")
	}
	return all
}

func runCoverage(ctx context.Context, c *commands.Call) error {
	v, err := newSurvey(ctx, c.Session.Process)
	if err != nil {
		return err
	}
	var rows []*coverageRecord
	for _, r := range v.by {
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b *coverageRecord) int {
		if a.have != b.have {
			if a.have {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Origin, b.Origin))
	})
	for _, r := range rows {
		if v.total > 0 {
			r.share = 100 * float64(r.Bytes) / float64(v.total)
		}
		if r.have || !c.Flag('v') {
			r.Ranges = nil
		}
		if !r.have && r.Origin != core.Unmapped.String() {
			c.Session.Partial = c.Session.Partial || r.Origin == core.Truncated.String()
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	for _, a := range v.advice() {
		if err := c.Emit(a); err != nil {
			return err
		}
	}
	return nil
}
