package agent

import (
	"os"
	"testing"

	"vitrine/internal/browser"
	"vitrine/internal/browser/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Run(m, browser.Settings{Pages: 4})) }
