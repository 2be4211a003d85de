package debuginfod

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Defaults for unset variables; the times are the standard client's.
const (
	// DefaultTimeout is how long a server may take for the next 100 KiB.
	DefaultTimeout = 90 * time.Second
	// DefaultMaxSize is the most bytes of one file.
	DefaultMaxSize = 4 << 30
	// DefaultRetries is how often a server is asked again that failed.
	DefaultRetries = 2
)

// Options say which servers are asked, and within which bounds. The zero value asks none.
type Options struct {
	// URLs are the servers, in the order of the requests.
	URLs []string
	// Cache is the folder of the cache.
	Cache string
	// Timeout is how long a server may take for the next 100 KiB; 0 for
	// DefaultTimeout, less for any time.
	Timeout time.Duration
	// MaxTime is how long one file may take; 0 for any time.
	MaxTime time.Duration
	// MaxSize is the most bytes of one file; 0 for DefaultMaxSize.
	MaxSize int64
	// Retries is how often a server is asked again that failed.
	Retries int
	// Progress is told how far a download has come; it may be nil.
	Progress func(doing string, done, total int64)
	// Warn is called with the reason why a server will not be asked again; it may be nil.
	Warn func(error)
	// Now returns the time; it dates the cache's records of missing files. If it is nil, such records
	// are not used.
	Now func() time.Time
}

// FromEnviron returns the options from the variables of debuginfod-client-config(7), or nil if
// DEBUGINFOD_URLS names no server. A value that is not a number counts as not set.
func FromEnviron(getenv func(string) string) *Options {
	urls := strings.Fields(getenv("DEBUGINFOD_URLS"))
	if len(urls) == 0 {
		return nil
	}
	number := func(name string, otherwise int64) int64 {
		n, err := strconv.ParseInt(strings.TrimSpace(getenv(name)), 10, 64)
		if err != nil || n < 0 {
			return otherwise
		}
		return n
	}
	const most = int64(1<<63-1) / int64(time.Second)
	seconds := func(name string) time.Duration {
		return time.Duration(min(number(name, 0), most)) * time.Second
	}
	o := &Options{URLs: urls, Cache: cacheFolder(getenv), Timeout: DefaultTimeout,
		MaxTime: seconds("DEBUGINFOD_MAXTIME"),
		MaxSize: number("DEBUGINFOD_MAXSIZE", 0),
		Retries: int(min(number("DEBUGINFOD_RETRY_LIMIT", DefaultRetries), 100))}
	if getenv("DEBUGINFOD_TIMEOUT") != "" {
		if o.Timeout = seconds("DEBUGINFOD_TIMEOUT"); o.Timeout == 0 {
			o.Timeout = -1
		}
	}
	return o
}

// cacheFolder returns the folder of the standard client's cache.
func cacheFolder(getenv func(string) string) string {
	if dir := getenv("DEBUGINFOD_CACHE_PATH"); dir != "" {
		return dir
	}
	home := getenv("HOME")
	if home == "" {
		home = "/"
	}
	legacy := filepath.Join(home, ".debuginfod_client_cache")
	if _, err := os.Stat(legacy); err == nil {
		return legacy
	}
	if dir := getenv("XDG_CACHE_HOME"); dir != "" {
		return filepath.Join(dir, "debuginfod_client")
	}
	return filepath.Join(home, ".cache", "debuginfod_client")
}
