//go:build !linux

package browser

import (
	"errors"
	"os"
)

// memoryFile is for the sandbox, which other systems do not have.
func memoryFile(string) (*os.File, error) { return nil, errors.ErrUnsupported }
