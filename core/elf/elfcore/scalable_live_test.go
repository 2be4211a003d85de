package elfcore_test

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestLiveScalable compares the scalable registers of arm64 with the values that the program says it
// put there, and tags of memory with the values that the processor had for them.
func TestLiveScalable(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			p := openLive(t, path)
			regs := map[string]core.Register{}
			for _, r := range p.Threads[0].Registers() {
				regs[r.Name] = r
			}
			said, err := os.Open(filepath.Join(filepath.Dir(path), "out.txt"))
			if err != nil {
				t.Fatal(err)
			}
			defer said.Close()
			compared, rows := 0, 0
			for in := bufio.NewScanner(said); in.Scan(); {
				name, value, _ := strings.Cut(in.Text(), " ")
				switch name {
				case "tag":
					var at core.Addr
					var want uint8
					if _, err := fmt.Sscanf(value, "0x%x %d", &at, &want); err != nil {
						t.Fatal(err)
					}
					run, ok := p.TagRun(at)
					if !ok {
						t.Fatalf("%v: no tags", at)
					}
					// The memory freed last has another tag since; the last line shows it.
					if tag, err := run.Tag(at); tag != want || err != nil {
						if strings.Contains(path, "freed") && tag == 0 {
							continue
						}
						t.Errorf("%v: tag %d, %v, not %d", at, tag, err, want)
					}
					compared++
				case "access":
					if got := fmt.Sprintf("%#x", uint64(p.Signal.Addr)); got != value &&
						p.Signal.CodeName != "SEGV_MTEAERR" {
						t.Errorf("access to %s, not %s", got, value)
					}
				case "vl", "svcr":
					if strings.Contains(path, "-ssve-") || strings.Contains(path, "-both-") {
						name = strings.Replace(name, "vl", "svl", 1)
					}
					if got := fmt.Sprint(regs[name].Value); got != value {
						t.Errorf("%s: %s, not %s", name, got, value)
					}
				default:
					compared++
					if strings.HasPrefix(name, "za[") {
						rows++
					}
					r, ok := regs[name]
					b := r.Bytes
					if b == nil {
						b = p.Arch.Order.(interface {
							AppendUint64([]byte, uint64) []byte
						}).AppendUint64(nil, r.Value)[:r.Size]
					}
					if got := hex.EncodeToString(b); !ok || got != value {
						t.Errorf("%s: %s, not %s", name, got, value)
					}
				}
			}
			for name := range regs {
				if strings.HasPrefix(name, "za[") {
					rows--
				}
			}
			if compared < 16 || rows != 0 {
				t.Errorf("%d values compared; %d rows of ZA too few", compared, rows)
			}
		})
	}
}
