package export

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// severityFatal is SEVERITY_NUMBER_FATAL of OpenTelemetry's logs.
const severityFatal = 21

// otel makes a request of OTLP's logs in JSON: one record with the attributes of exceptions.
func otel(c *crash) object {
	about := attributes("exception.type", string(c.Cause), "exception.message", c.Title,
		"exception.stacktrace", c.trace(),
		"coredbg.confidence", c.Confidence, "coredbg.signature", c.Signature, "coredbg.coarse", c.Coarse,
		"coredbg.fine", c.Fine,
		"coredbg.core", c.Core, "coredbg.core.sha256", c.SHA256, "coredbg.signal", c.Signal)
	if c.died >= 0 {
		t := c.threads[c.died]
		about = append(about, number("thread.id", t.Thread.TID))
		about = append(about, attributes("thread.name", t.Name)...)
	}
	record := object{"severityNumber": severityFatal, "severityText": "FATAL", "body": object{"stringValue": c.Title},
		"eventName":  "exception",
		"attributes": about}
	if t, err := time.Parse(time.RFC3339, c.Modified); err == nil {
		record["timeUnixNano"] = strconv.FormatInt(t.UnixNano(), 10)
	}
	resource := attributes("service.name", c.Program, "process.executable.name", c.Program,
		"process.executable.path", c.Exe,
		"os.type", c.OS, "host.arch", cmp.Or(otelArch[c.Arch], c.Arch), "process.executable.build_id.gnu",
		c.BuildIDs[c.Exe])
	if c.PID > 0 {
		resource = append(resource, number("process.pid", c.PID))
	}
	return object{"resourceLogs": []object{{
		"resource": object{"attributes": resource},
		"scopeLogs": []object{{"scope": object{"name": "coredbg", "version": version()},
			"logRecords": []object{record}}},
	}}}
}

// otelArch are the architectures in the words of OpenTelemetry's host.arch.
var otelArch = map[string]string{"x86-64": "amd64", "aarch64": "arm64", "arm": "arm32", "i386": "x86",
	"ppc64le": "ppc64"}

// number makes the attribute of a number.
func number(key string, n int) object {
	return object{"key": key, "value": object{"intValue": strconv.Itoa(n)}}
}

// attributes makes the attributes of pairs whose value is not empty.
func attributes(pairs ...string) []object {
	list := []object{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			list = append(list, object{"key": pairs[i], "value": object{"stringValue": pairs[i+1]}})
		}
	}
	return list
}

// trace is the stack of the thread that died as text, the innermost frame first.
func (c *crash) trace() string {
	if c.died < 0 {
		return ""
	}
	var b strings.Builder
	for i := range c.threads[c.died].Frames {
		f := &c.threads[c.died].Frames[i]
		fmt.Fprintf(&b, "#%d %s", f.Index, f.Symbolic())
		if at := f.Position(); at != "" {
			fmt.Fprintf(&b, " at %s", at)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
