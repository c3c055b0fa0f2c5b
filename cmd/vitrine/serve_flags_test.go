package main

import (
	"testing"

	"vitrine/internal/queue"
)

func TestSecretsOfTheQueueComeFromVariables(t *testing.T) {
	t.Parallel()
	c := &common{state: state{getenv: func(name string) string { return map[string]string{"VITRINE_NATS_TOKEN": "secret"}[name] }}}
	j := joining{nats: "nats://queue:4222"}
	if got := j.shown(c); got != (queue.Auth{Token: "secret"}) {
		t.Errorf("shown: %+v", got)
	}
}
