package crash

import (
	"regexp"
	"strings"
)

// folder is the folder of a path in a text.
var folder = regexp.MustCompile(`[^\s()]*/`)

// Beyond returns the evidence that the title does not state already. The title names files without their folders.
func (v *Verdict) Beyond() (list []string) {
	for _, e := range v.Evidence {
		short := strings.TrimPrefix(folder.ReplaceAllString(e, ""), "the heap is ")
		if !strings.Contains(v.Title, e) && !strings.Contains(v.Title, short) {
			list = append(list, e)
		}
	}
	return list
}
