// Package blob keeps bytes by their content, where several machines find them: in
// a folder, in JetStream's object store or in a bucket of any S3. What is read is
// checked against its name, wherever it comes from. Bundles are evidence folders
// as one blob.
package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

// A Store keeps bytes by their content.
type Store interface {
	// Put keeps data and returns its name: SHA-256, 64 hexadecimal digits in
	// lower case. What is there already is not written again.
	Put(ctx context.Context, data []byte) (hash string, err error)
	// Get returns the bytes of a name. It is ErrNotFound if there are none, or no
	// longer, and ErrDamaged if they are not what was put.
	Get(ctx context.Context, hash string) ([]byte, error)
}

// What Get may say of a name.
var (
	ErrNotFound = errors.New("no such blob")
	ErrDamaged  = errors.New("the blob is not what was put")
)

// Hash names bytes by their content.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// checkName refuses what Hash never gives, before it becomes a path.
func checkName(hash string) error {
	raw, err := hex.DecodeString(hash)
	if err != nil || len(raw) != sha256.Size || hex.EncodeToString(raw) != hash {
		return fmt.Errorf("%w: %.80q is not 64 hexadecimal digits", ErrNotFound, hash)
	}
	return nil
}

// checkContent refuses bytes that do not have the name that they were asked by.
func checkContent(hash string, data []byte) ([]byte, error) {
	if Hash(data) != hash {
		return nil, fmt.Errorf("%w: %s", ErrDamaged, hash)
	}
	return data, nil
}
