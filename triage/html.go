package triage

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"coredbg/commands/out"
)

var (
	//go:embed groups.html
	groupsText string
	//go:embed groups.css
	groupsStyle string
)

// WriteHTML writes bugs as a page that needs nothing else, no network and no script.
func WriteHTML(w io.Writer, bugs []*Bug) error {
	cores := 0
	for _, b := range bugs {
		cores += b.Count
	}
	title := fmt.Sprintf("%d bugs of %d cores", len(bugs), cores)
	page := out.PageTemplate(groupsText, template.FuncMap{"date": date})
	return page.Execute(w, struct {
		Head out.PageHead
		Bugs []*Bug
	}{out.PageHead{Title: title, Style: template.CSS(groupsStyle)}, bugs})
}

// Frames returns the frames of the example.
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
