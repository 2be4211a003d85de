package out

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
)

// A PageHead is the head of a page of HTML that needs no other file and no network. The
// policy in it holds a browser to that.
type PageHead struct {
	Title   string
	Style   template.CSS
	Scripts []string // the only scripts that run, in the page and in frames with data of its own
}

// Hashes returns the sources of a Content-Security-Policy that allow the scripts.
func (h PageHead) Hashes() (all []string) {
	for _, s := range h.Scripts {
		sum := sha256.Sum256([]byte(s))
		all = append(all, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	return all
}

//go:embed page.html
var pageHead string

// PageTemplate returns the template of a page, in whose text {{template "head"}} of a PageHead
// is all up to the body. It panics if the text is not one.
func PageTemplate(text string, funcs template.FuncMap) *template.Template {
	page := template.Must(template.New("page").Funcs(funcs).Parse(text))
	template.Must(page.New("head").Parse(pageHead))
	return page
}
