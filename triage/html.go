package triage

import (
	_ "embed"
	"html/template"
	"io"
)

//go:embed groups.html
var groupsPage string

// WriteHTML writes bugs as a page that needs nothing else, no network and no script.
func WriteHTML(w io.Writer, bugs []*Bug) error {
	page, err := template.New("groups").Funcs(template.FuncMap{"date": date}).Parse(groupsPage)
	if err != nil {
		return err
	}
	cores := 0
	for _, b := range bugs {
		cores += b.Count
	}
	return page.Execute(w, struct {
		Bugs  []*Bug
		Cores int
	}{bugs, cores})
}

// Frames returns those of the example.
func (b *Bug) Frames() []Frame {
	if b.example == nil || b.example.Thread == nil {
		return nil
	}
	return b.example.Thread.Frames
}

// Evidence returns what the verdict of the example rests on.
func (b *Bug) Evidence() []string {
	if b.example == nil {
		return nil
	}
	return b.example.Evidence
}
