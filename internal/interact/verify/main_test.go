package verify

import (
	"os"
	"testing"

	"vitrine/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }
