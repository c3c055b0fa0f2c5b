package openrlhf_test

import (
	"os"
	"testing"

	"vitrine"
	"vitrine/internal/leak"
	"vitrine/internal/server"
	"vitrine/internal/server/openrlhf"
	"vitrine/internal/server/servertest"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

// start runs the service with one task.
func start(t *testing.T) *servertest.Service {
	return servertest.Start(t, servertest.Options{
		Server: func(s *server.Settings) {
			s.Tasks = map[string]vitrine.Task{"t1": {ID: "t1", Instruction: "A tea shop"}}
		},
		Mount: func(s *server.Server) { s.Mount("/openrlhf/", openrlhf.Handler(s)) },
	})
}

func TestGolden(t *testing.T) {
	s := start(t)
	for _, name := range []string{"one", "empty", "several", "unjudged", "fallback", "no-prompts", "unknown-task", "wrong-types", "unknown-recipe", "bare-label", "fallback-nan"} {
		s.Golden(t, name)
	}
}
