package out

import (
	_ "embed"
	"html/template"
)

// A PageHead is the head of a page of HTML that needs no other file and no network. The
// policy in it holds a browser to that.
type PageHead struct {
	Title   string
	Style   template.CSS
	Scripts bool // the page has scripts, and frames with data of its own
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
