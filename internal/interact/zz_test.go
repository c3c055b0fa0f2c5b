package interact
import ("testing";"context";"os";"vitrine")
func TestZZ(t *testing.T){
	switch os.Getenv("OP") {
	case "play": d := director(t, body(tasks)); for range 20 { play(t, d, func(ctx context.Context, s *Stage){}) }
	case "type": play(t, director(t, body(tasks)), func(ctx context.Context, s *Stage){ for range 20 { s.Do(ctx, vitrine.Action{Kind:"type",Target:on("#new"),Text:"Anna Berg"}) } })
	case "type1": play(t, director(t, body(tasks)), func(ctx context.Context, s *Stage){ for range 20 { s.Do(ctx, vitrine.Action{Kind:"type",Target:on("#new"),Text:"A"}) } })
	case "check": play(t, director(t, body(tasks)), func(ctx context.Context, s *Stage){ for range 20 { s.Do(ctx, vitrine.Action{Kind:"click",Target:on("#c")}) } })
	}
}
