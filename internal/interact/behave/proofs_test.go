package behave

import (
	"testing"

	"vitrine"
)

// What the instruction names decides whether keys with digits are a proof, and what else is.
func TestInstructionDecidesWhatIsCalculated(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		entity, quote, instruction string
		keypad                     bool
		formulas                   int
		proofs                     int
	}{
		{"", "calculator", "A calculator.", true, 0, 2},
		{"", "calculator", "Create a calculator with dark mode and history.", true, 0, 2},
		{"", "calculator", "A simple calculator that adds, subtracts, multiplies and divides.", true, 0, 2},
		{"", "计算器", "科学计算器", true, 0, 2},
		{"", "calculator", "A retro calculator", true, 0, 0},
		{"tip", "tip calculator", "A tip calculator.", false, 2, 1},
		{"simple interest", "simple interest calculator", "A simple interest calculator.", false, 1, 1},
		{"mass index", "calculates the body mass index", "A page that calculates the body mass index", false, 2, 1},
		{"", "计算器", "年龄计算器", false, 2, 1},
		{"dog age", "dog age calculator", "A dog age calculator", false, 0, 0},
		{"grade average", "weighted grade average calculator", "A weighted grade average calculator", false, 0, 0},
		{"kilometer", "kilometers converter", "Miles to kilometers converter", false, 0, 1},
		{"", "换算器", "单位换算器", false, 0, 1},
		{"euro", "Convert euros", "Convert euros to dollars.", false, 0, 1},
		{"time", "convert time zones", "Convert time zones.", true, 0, 0},
		{"total", "calculate the total", "Calculate the total for tickets at $12 each with 8 % tax.", false, 1, 1},
		{"total", "calculate the total", "Calculate the total for tickets at $12 each with shipping.", true, 0, 0},
	} {
		p := &prover{need: vitrine.Requirement{Entity: c.entity, Quote: c.quote}, instruction: c.instruction}
		if keypad, formulas, proofs := p.takesKeypad(), len(p.formulas()), len(p.proofs()); keypad != c.keypad || formulas != c.formulas || proofs != c.proofs {
			t.Errorf("%s: keypad %t, %d formulas, %d proofs; want %t, %d, %d", c.instruction, keypad, formulas, proofs, c.keypad, c.formulas, c.proofs)
		}
	}
}
