package java

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/file"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/dex"
)

var dexCommands = []commands.Command{{
	Name: "dex", Module: module, Addr: commands.AddrOptional,
	Options: []commands.Option{
		{Letter: 'o', Arg: "file", Help: "write the dex file to a new file"},
		{Letter: 'd', Arg: "directory", Help: "write all dex files into a directory"},
	},
	Summary: "check dex files, and take them out of the core",
	Detail: `Says of each dex file, or of that at the address, whether all of its bytes can be
had and whether they are what its header promises: adler32 and SHA-1. They differ
where ART changed a file in memory, as it did until Android 11 to make its code
faster. For compact dex the shared data is written too; it has no checksums
of its own. Existing files are not overwritten.`,
	Example: "::dex -d dexes",
	SeeAlso: []string{"dexfile", "artmethod"},
	Run:     runDex,
}}

// dexRecord is what checking a dex file, or taking it out, gave.
type dexRecord struct {
	_        out.Record `record:"dex" cols:"Begin Bytes good bad Location File"`
	Addr     core.Addr  `json:"addr,omitzero"` // the art::DexFile
	Begin    core.Addr  `json:"begin" col:",18,%#x" ink:"addr"`
	Location string     `json:"location,omitempty" col:",gap=2"`
	Bytes    int        `json:"bytes" col:",10,right"`
	Check    *dexSums   `json:"check,omitempty"`
	Problem  string     `json:"problem,omitempty"`
	File     string     `json:"file,omitempty" col:",-> %s,zero="`
	good     string     `col:""`
	bad      string     `col:",gap=0" ink:"error"`
	at       core.Addr  `dot:"always"`
}

// dexSums says which of a dex file's sums match its bytes.
type dexSums struct {
	Adler32 bool `json:"adler32_ok"`
	SHA1    bool `json:"sha1_ok"`
}

func runDex(ctx context.Context, c *commands.Call) error {
	list, all, err := dexesOf(ctx, c)
	if err != nil {
		return err
	}
	if c.Flag('o') && c.Flag('d') {
		return c.Usage("-o and -d exclude each other")
	}
	if c.Flag('o') && all {
		return c.Usage("-o needs the address of a dex file")
	}
	if c.Flag('o') || c.Flag('d') {
		if err := c.Session.MayWrite(); err != nil {
			return err
		}
	}
	if dir := c.Str('d'); dir != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	done := 0
	for i, d := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := c.Str('o')
		if dir := c.Str('d'); dir != "" {
			path = filepath.Join(dir, dexName(i, d))
		}
		r, err := takeOut(ctx, d, path)
		switch {
		case err != nil && (!all || ctx.Err() != nil):
			return err // what was interrupted is not done
		case err != nil:
			c.Warn("%w", err)
			continue
		}
		done++
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	if done == 0 {
		return c.Unknown("none of %d dex files could be taken out", len(list))
	}
	return nil
}

// dexName makes a file name from a dex file's place in the list and its location. Only letters, digits and a
// few signs of the location are used.
func dexName(i int, d *code.DexFile) string {
	base := d.Location[strings.LastIndexByte(d.Location, '/')+1:]
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '_'
	}, base)
	ext := ".dex"
	if d.File != nil && d.File.Compact {
		ext = ".cdex"
	}
	return fmt.Sprintf("%03d-%s%s", i, clean[:min(len(clean), 80)], ext)
}

// takeOut checks a dex file and writes it to path, if there is one. A file of
// which bytes are missing is not written.
func takeOut(ctx context.Context, d *code.DexFile, path string) (*dexRecord, error) {
	if d.File == nil {
		return nil, fmt.Errorf("dex file at %v, %s: %w", d.Begin, d.Location, d.Err)
	}
	b, missing := d.File.Extract()
	sums, err := d.File.Check(b)
	r := newDex(d, len(b), missing, sums, err)
	if path == "" {
		return r, nil
	}
	if missing != nil {
		return nil, fmt.Errorf("%s is not written: %w", path, missing)
	}
	if err := file.WriteFile(ctx, path, b, false); err != nil {
		return nil, err
	}
	r.File = path
	return r, nil
}

// newDex says what checking a dex file gave: missing is about bytes that cannot be
// had, unchecked why there are no sums.
func newDex(d *code.DexFile, n int, missing error, sums dex.Check, unchecked error) *dexRecord {
	agree := func(ok bool) string {
		if ok {
			return "ok"
		}
		return "differs"
	}
	r := &dexRecord{Addr: d.Addr, Begin: d.Begin, Location: d.Location, Bytes: n, at: dexAddr(d)}
	switch {
	case missing != nil:
		r.Problem, r.bad = missing.Error(), fmt.Sprintf("incomplete: %v", missing)
	case unchecked != nil:
		r.Problem, r.good = unchecked.Error(), unchecked.Error()
	default:
		r.Check = &dexSums{sums.AdlerOK(), sums.SHA1OK()}
		r.good = fmt.Sprintf("adler32 %s, sha1 %s", agree(sums.AdlerOK()), agree(sums.SHA1OK()))
		if !sums.OK() {
			r.good, r.bad = "", r.good
		}
	}
	return r
}

var dexWalkers = []commands.Walker{{
	Name: "dexfile", Module: module, Addr: commands.AddrNone,
	Summary: "the art::DexFile of each dex file, or its header if there is no art::DexFile",
	Walk: func(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
		list, _, err := dexesOf(ctx, c)
		for _, d := range list {
			if !yield(dexAddr(d)) {
				return nil
			}
		}
		return err
	},
}}
