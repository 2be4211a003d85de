package lines

import "testing"

func TestIsFile(t *testing.T) {
	for _, c := range []struct {
		path, name string
		want       bool
	}{
		{"/src/app/srv.cc", "srv.cc", true}, {"/src/app/srv.cc", "app/srv.cc", true},
		{"/src/app/srv.cc", "/src/app/srv.cc", true},
		{"/src/app/srv.cc", "/app/srv.cc", false}, {"/src/app/srv.cc", "rv.cc", false}, {"srv.cc", "./srv.cc", true},
		{`C:\app\srv.cc`, "app/srv.cc", true}, {"/src/srv.cc", "", false},
	} {
		if got := IsFile(c.path, c.name); got != c.want {
			t.Errorf("%s is %s: %v", c.path, c.name, got)
		}
	}
}
