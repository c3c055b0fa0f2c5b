package blob

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Stream keeps blobs in a bucket of JetStream's object store, for as long as the
// bucket's settings say.
type Stream struct {
	Bucket jetstream.ObjectStore
}

// Put keeps data.
func (s Stream) Put(ctx context.Context, data []byte) (string, error) {
	hash := Hash(data)
	if _, err := s.Bucket.GetInfo(ctx, hash); err == nil {
		return hash, nil
	}
	if _, err := s.Bucket.PutBytes(ctx, hash, data); err != nil {
		return "", fmt.Errorf("keep blob: %w", err)
	}
	return hash, nil
}

// Get reads a blob.
func (s Stream) Get(ctx context.Context, hash string) ([]byte, error) {
	if err := checkName(hash); err != nil {
		return nil, err
	}
	data, err := s.Bucket.GetBytes(ctx, hash)
	if err != nil && ctx.Err() == nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
		data, err = s.Bucket.GetBytes(ctx, hash) // whoever put the same at the same time has taken away the parts that were read
	}
	switch {
	case errors.Is(err, jetstream.ErrObjectNotFound):
		return nil, fmt.Errorf("%w: %s", ErrNotFound, hash)
	case errors.Is(err, jetstream.ErrDigestMismatch):
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, hash, err)
	case err != nil:
		return nil, fmt.Errorf("read blob: %w", err)
	}
	return checkContent(hash, data)
}
