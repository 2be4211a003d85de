package art

import "context"

// Touch opens the dex files of all classes, as names of objects need them; see
// runtimes.Toucher.
func (a *ART) Touch(ctx context.Context) {
	a.knownDexFiles() // what cannot be opened cannot be copied
}
