package sym

import (
	"os"
	"path/filepath"
	"testing"

	"coredbg/core/find"
)

// TestSplitKind: the path of split debugging information, which the program has, leads to nothing
// else: a bundle would take it.
func TestSplitKind(t *testing.T) {
	dir := t.TempDir()
	exe, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Skip(err)
	}
	for name, data := range map[string][]byte{"shadow": []byte("root:*:1:\n"), "other.dwo": exe} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
		f := dwarfFiles{files: &files{find: &find.Disk{}, opened: &sources{}}}
		if img, err := f.first(isSplit, filepath.Join(dir, name)); img != nil || err == nil {
			t.Errorf("%s was opened", name)
		}
	}
}
