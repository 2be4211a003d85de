package values

import (
	"encoding/json"
	"math"
	"testing"
)

// TestExact writes integers as JSON. Node says which of these JSON.parse rounds.
func TestExact(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{exact(uint64(0)), "0"}, {exact(uint64(1 << 53)), "9007199254740992"}, {exact(uint64(1<<53 + 1)), `"9007199254740993"`},
		{exact(uint64(math.MaxUint64)), `"18446744073709551615"`}, {exact(int64(-1)), "-1"}, {exact(int64(1<<53 + 1)), `"9007199254740993"`},
		{exact(int64(-1 << 53)), "-9007199254740992"}, {exact(int64(-1<<53 - 1)), `"-9007199254740993"`}, {exact(int64(math.MinInt64)), `"-9223372036854775808"`},
	} {
		if got, err := json.Marshal(c.value); err != nil || string(got) != c.want {
			t.Errorf("%v is %s, %v; want %s", c.value, got, err, c.want)
		}
	}
}
