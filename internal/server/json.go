package server

import (
	"encoding/json"
	"fmt"
)

// How large the JSON of a request may become in memory, where an empty object takes
// some hundred times its bytes.
const (
	maxDepth  = 64
	maxNodes  = 1 << 18 // objects and lists
	maxValues = 1 << 21 // of all of them
)

// unmarshal reads JSON that is neither nested too deep nor of too many pieces.
func unmarshal(data []byte, v any) error {
	if err := bounded(data); err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

// bounded looks at JSON without keeping anything of it.
func bounded(data []byte) error {
	depth, nodes, values, quoted := 0, 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
			nodes++
		case c == ']' || c == '}':
			depth--
		case c == ',':
			values++
		}
		switch {
		case depth > maxDepth:
			return fmt.Errorf("the JSON is nested deeper than %d", maxDepth)
		case nodes > maxNodes:
			return fmt.Errorf("the JSON has more than %d objects and lists: send less at once", maxNodes)
		case values > maxValues:
			return fmt.Errorf("the JSON has more than %d values: send less at once", maxValues)
		}
	}
	return nil
}
