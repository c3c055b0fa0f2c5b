package build

import (
	"strings"
	"testing"
)

func TestPlainEnums(t *testing.T) {
	t.Parallel()
	for source, plain := range map[string]bool{
		"":                                       true,
		"const enumerate = 1":                    true,
		"enum A { B, C }":                        true,
		"export const enum A {B='b',C = \"c\",}": true,
		"enum A {\n  Up = 1,\n  Down = -1,\n  Flag = 1 << 4\n}\nenum B { X }": true,
		"enum A { B = 'b', C = B + B }":                                       false,
		"enum A { B = 'b', C = `${B}${B}` }":                                  false,
		"enum A { B = 'b', C = A.B }":                                         false,
		"enum A { B = '" + strings.Repeat("b", 100) + "' }":                   false,
		"enum A { B = '}', C = B + B }":                                       false,
		"/* enum X { Y } */ enum A { B = 'b', C = B + B } enum E { F }":       false,
		"enum/**/A { B = 'b', C = B + B }":                                    false,
		"enum A { /* } */ B = 'b', C = B + B }":                               false,
		"enum A { ['B'] = 'b', C = B + B }":                                   false,
		"'enum A { B }'; enum\nC { D = 'x', E = D + D }":                      false,
		"enum \\u0041 { B = 'b', C = B + B }":                                 false,
	} {
		if got := PlainEnums(source); got != plain {
			t.Errorf("%q: %v", source, got)
		}
	}
}
