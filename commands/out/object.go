package out

import (
	"bytes"
	"encoding/json"
)

// An Object is a JSON object whose keys come from the core, in their order.
type Object[T any] []Member[T]

// A Member is a key of an Object with its value.
type Member[T any] struct {
	Name  string
	Value T
}

// MarshalJSON implements json.Marshaler.
func (o Object[T]) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	for i := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(o[i].Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(o[i].Value)
		if err != nil {
			return nil, err
		}
		b.Write(append(append(name, ':'), value...))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
