package java

import (
	"context"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/object"
)

// methodsNamed returns the methods of a name like "demo.Demo.main" or
// "Demo.main".
func methodsNamed(ctx context.Context, a *art.ART, name string) ([]core.Addr, error) {
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 {
		return nil, fmt.Errorf("%q is not a class and method", name)
	}
	classes, err := a.ClassesNamed(ctx, name[:dot])
	if err != nil {
		return nil, err
	}
	var list []core.Addr
	for _, k := range classes {
		methods, err := a.Methods(k)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.Name, err)
		}
		for _, at := range methods {
			if a.Method(at).Name == name[dot+1:] {
				list = append(list, at)
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no method %q in the classes that are loaded", name)
	}
	return list, nil
}

var methodWalkers = []commands.Walker{{
	Name: "artmethod", Module: module, Addr: commands.AddrOptional,
	Summary: "the ArtMethods of the class at the address, or of all classes",
	Walk:    walkMethods,
}}

func walkMethods(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	var classes []*object.Class
	if c.HasAddr {
		k, err := a.Class(c.Dot)
		if err != nil {
			return err
		}
		classes = append(classes, k)
	} else if classes, err = a.Classes(ctx); err != nil {
		c.Warn("%w", err)
	}
	for _, k := range classes {
		methods, err := a.Methods(k)
		if err != nil {
			c.Warn("%s: %w", k.Name, err)
		}
		for _, m := range methods {
			if !yield(m) {
				return nil
			}
		}
	}
	return ctx.Err()
}
