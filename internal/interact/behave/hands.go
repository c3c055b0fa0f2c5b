package behave

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"vitrine"
)

var (
	beatsText = regexp.MustCompile(`(?i)\b(rock|paper|scissors?)\s+(?:beats|crushes|smashes|covers|wraps|cuts)\s+(rock|paper|scissors?)\b`)
	beaten    = map[string]string{"rock": "scissor", "paper": "rock", "scissor": "paper"}
)

// hands says what of rock, paper, scissors a page says against its rules: each hand is played
// several times, and what is said to beat another must.
func (p *prover) hands(ctx context.Context, start *place) string {
	v := p.begin(ctx, start)
	for _, hand := range []string{"rock", "paper", "scissors"} {
		for _, c := range v.Controls {
			if !clickable(c) || off(c) || matches(c.Name, []string{hand}) < 50 && matches(identifier(c.Path), []string{hand}) < 50 {
				continue
			}
			for range 4 {
				step := p.click(ctx, c.Path)
				said := strings.Join(append(p.wait(ctx, 1500).Effect.Appeared, step.Effect.Appeared...), "\n") + "\n" + p.look(ctx).Text
				for _, m := range beatsText.FindAllStringSubmatch(said, -1) {
					one, other := strings.TrimSuffix(strings.ToLower(m[1]), "s"), strings.TrimSuffix(strings.ToLower(m[2]), "s")
					if beaten[one] != other {
						return fmt.Sprintf("it says that %s", strings.ToLower(m[0]))
					}
				}
				if _, _, there := p.look(ctx).control(c.Path); !there || step.Failed != "" {
					p.begin(ctx, start)
				}
			}
			break
		}
	}
	return ""
}

// nameFirst enters a name where a game asks for one before it starts.
func (p *prover) nameFirst(ctx context.Context, v *view) *view {
	for _, form := range v.survey.Forms {
		if len(form.Fields) != 1 || len(form.Buttons) == 0 || len(form.Buttons) > 2 {
			continue
		}
		c, f, ok := v.control(form.Fields[0])
		if ok && textField(c) && c.Value == "" && !off(c) && playerLabel.MatchString(strings.Join([]string{c.Name, f.Placeholder, identifier(c.Path)}, " ")) {
			if p.player == "" {
				p.player = p.tokens.word()
			}
			p.do(ctx, vitrine.Action{Kind: vitrine.ActType, Target: at(c.Path), Text: p.player})
			return p.look(ctx)
		}
	}
	return v
}

var playerLabel = regexp.MustCompile(`(?i)\b(name|player|nick\w*)\b|姓名|名字`)
