package service_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/pipeline"
	"vitrine/internal/reward"
	"vitrine/internal/service"
)

// A recipe that was changed has the name of the old one and gives other rewards.
func TestWorkerRefusesAnotherRecipeOfTheName(t *testing.T) {
	recipe, err := reward.Load("looks", os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	p := pipeline.New(pipeline.Settings{Recipe: recipe, NoCache: true})
	defer p.Close()
	find := service.Scorers(p, []*reward.Recipe{recipe}, nil)
	if _, err := find(recipe.ID()); err != nil {
		t.Error(err)
	}
	for _, other := range []string{"looks@00000000", "looks", ""} {
		var fault *vitrine.Fault
		if _, err := find(other); !errors.As(err, &fault) || fault.Code != vitrine.FaultUsage || !strings.Contains(fault.Message, recipe.ID()) {
			t.Errorf("%q: %v", other, err)
		}
	}
}
