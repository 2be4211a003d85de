package mcp

import (
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"coredbg"
	"coredbg/cmd/coredbg/ask"
	"coredbg/commands"
	"coredbg/triage"
)

const corpus = "../../../testdata/cores"

// A client talks to a server in this process, and checks each answer against the tool's schema.
type client struct {
	t       *testing.T
	session *sdk.ClientSession
	server  *Server
	schemas map[string]*jsonschema.Resolved
}

func connect(t *testing.T, dirs ...string) *client {
	t.Helper()
	if _, err := os.Stat(corpus); err == nil {
		dirs = append(dirs, corpus)
	}
	folders, err := ask.NewFolders(dirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	var open func(ctx context.Context, path, _ string, search []string) (*commands.Session, error)
	open = func(ctx context.Context, path, _ string, search []string) (*commands.Session, error) {
		f, real, err := folders.Open(path)
		if err != nil {
			return nil, err
		}
		o := coredbg.Options{Opened: f}
		for _, dir := range search {
			at, err := folders.Folder(dir)
			if err != nil {
				return nil, err
			}
			o.Search = append(o.Search, at)
		}
		s, err := coredbg.Open(real, o)
		if err == nil {
			s.Other = func(path string) (*commands.Session, error) { return open(ctx, path, "", nil) }
		}
		return s, err
	}
	s, err := New(Options{Version: "test", Folders: folders, Timeout: time.Minute, Open: open,
		Triage: func(ctx context.Context, cores []string, emit func(*triage.Line) error) error {
			for _, path := range cores {
				l := &triage.Line{Core: path, Status: triage.Unopened, Error: "not a core"}
				if s, err := open(ctx, path, "", nil); err == nil {
					l = triage.NewLine(ctx, &s.Target)
					l.Core, l.Status = path, triage.Read
					s.Close()
				}
				if err := emit(l); err != nil {
					return err
				}
			}
			return nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	near, far := sdk.NewInMemoryTransports()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Run(ctx, far)
	}()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), near, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		stop()
		<-ended
	})
	c := &client{t: t, session: session, server: s, schemas: map[string]*jsonschema.Resolved{}}
	c.readSchemas()
	return c
}

func (c *client) readSchemas() {
	list, err := c.session.ListTools(c.t.Context(), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, tool := range list.Tools {
		b, _ := json.Marshal(tool.OutputSchema)
		var s jsonschema.Schema
		if err := json.Unmarshal(b, &s); err != nil {
			c.t.Fatalf("%s: %v", tool.Name, err)
		}
		if c.schemas[tool.Name], err = s.Resolve(nil); err != nil {
			c.t.Fatalf("%s: %v", tool.Name, err)
		}
		if tool.InputSchema == nil || tool.Description == "" || !tool.Annotations.ReadOnlyHint {
			c.t.Errorf("%s lacks something", tool.Name)
		}
	}
}

// A got is an answer.
type got struct {
	reply
	text string
	all  string // the result, as JSON
}

// call calls a tool with arguments in JSON.
func (c *client) call(tool, args string) *got {
	c.t.Helper()
	r, err := c.session.CallTool(c.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		c.t.Fatalf("%s %s: %v", tool, args, err)
	}
	b, err := json.Marshal(r)
	if err != nil {
		c.t.Fatal(err)
	}
	if len(b) > 16<<10 {
		c.t.Errorf("%s %s: %d bytes", tool, args, len(b))
	}
	if err := c.schemas[tool].Validate(r.StructuredContent); err != nil {
		c.t.Errorf("%s %s: its schema: %v", tool, args, err)
	}
	g := &got{text: r.Content[0].(*sdk.TextContent).Text, all: string(b)}
	structured, _ := json.Marshal(r.StructuredContent)
	if err := json.Unmarshal(structured, &g.reply); err != nil {
		c.t.Fatal(err)
	}
	if r.IsError != (g.Error != nil) {
		c.t.Errorf("%s %s: error %v, %v", tool, args, r.IsError, g.Error)
	}
	return g
}
