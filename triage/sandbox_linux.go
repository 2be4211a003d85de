package triage

import (
	"fmt"
	"os"

	"github.com/landlock-lsm/go-landlock/landlock"
	kernel "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// netABI is the first ABI of Landlock that keeps processes from the network.
const netABI = 4

// rules are what Landlock is asked for: what the kernel does not know of it is left out.
var rules = landlock.V6.BestEffort()

// confine takes from this process what no core needs: writing but for temporary files, and
// the network. It returns why it could not; "" if it could.
func confine() (why string) {
	abi, err := kernel.LandlockGetABIVersion()
	if err != nil {
		return fmt.Sprintf("the kernel has no Landlock: %v", err)
	}
	err = rules.Restrict(landlock.RODirs("/"), landlock.RWDirs(os.TempDir()).IgnoreIfMissing())
	if err != nil {
		return err.Error()
	}
	if abi < netABI {
		return fmt.Sprintf("the kernel's Landlock (ABI %d) does not know the network", abi)
	}
	return ""
}

// narrow takes from this process all files but those at and below paths, and temporary ones.
// It returns why it could not; "" if it could.
func narrow(paths []string) (why string) {
	list := []landlock.Rule{landlock.RWDirs(os.TempDir()).IgnoreIfMissing()}
	for _, p := range paths {
		st, err := os.Stat(p)
		switch {
		case p == "" || err != nil:
		case st.IsDir():
			list = append(list, landlock.RODirs(p).IgnoreIfMissing())
		case st.Mode().IsRegular():
			list = append(list, landlock.ROFiles(p).IgnoreIfMissing())
		}
	}
	if err := rules.RestrictPaths(list...); err != nil {
		return err.Error()
	}
	return ""
}
