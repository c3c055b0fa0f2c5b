package blob_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"vitrine"
	"vitrine/internal/blob"
	"vitrine/internal/leak"
	"vitrine/internal/queue"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

// stores are one of each kind, with how to spoil what lies there.
func stores(t *testing.T) map[string]struct {
	store blob.Store
	spoil func(hash string)
} {
	t.Helper()
	q, err := queue.Open(t.Context(), queue.Settings{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	stream := q.Blobs().(blob.Stream)
	dir := t.TempDir()
	bucket := newFakeS3(t)
	s3, err := blob.NewS3(blob.S3Settings{URL: bucket.url, Bucket: "bucket", Prefix: "p/", Key: "k", Secret: "s"})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]struct {
		store blob.Store
		spoil func(hash string)
	}{
		"files": {blob.Files{Dir: dir}, func(hash string) {
			if err := os.WriteFile(filepath.Join(dir, hash[:2], hash), []byte("other"), 0o644); err != nil {
				t.Error(err)
			}
		}},
		"stream": {stream, func(hash string) {
			if _, err := stream.Bucket.PutBytes(t.Context(), hash, []byte("other")); err != nil {
				t.Error(err)
			}
		}},
		"s3": {s3, func(hash string) { bucket.set("/bucket/p/"+hash, []byte("other")) }},
	}
}

func TestEveryStoreKeepsBytesByContent(t *testing.T) {
	t.Parallel()
	large := make([]byte, 3<<20)
	_, _ = rand.Read(large)
	for kind, s := range stores(t) {
		t.Run(kind, func(t *testing.T) {
			for name, data := range map[string][]byte{"nothing": {}, "text": []byte("a text"), "zeros": make([]byte, 1000), "large": large} {
				hash, err := s.store.Put(t.Context(), data)
				if err != nil || hash != blob.Hash(data) || len(hash) != 64 {
					t.Fatalf("%s: put: %q, %v", name, hash, err)
				}
				if again, err := s.store.Put(t.Context(), data); err != nil || again != hash {
					t.Errorf("%s: put again: %q, %v", name, again, err)
				}
				if got, err := s.store.Get(t.Context(), hash); err != nil || !bytes.Equal(got, data) {
					t.Errorf("%s: got %d bytes of %d, %v", name, len(got), len(data), err)
				}
			}
			t.Run("missing", func(t *testing.T) { missing(t, s.store) })
			t.Run("damaged", func(t *testing.T) {
				hash, err := s.store.Put(t.Context(), []byte("precious"))
				if err != nil {
					t.Fatal(err)
				}
				s.spoil(hash)
				if got, err := s.store.Get(t.Context(), hash); !errors.Is(err, blob.ErrDamaged) || got != nil {
					t.Errorf("got %q, %v, want ErrDamaged", got, err)
				}
			})
			t.Run("at once", func(t *testing.T) { atOnce(t, s.store) })
			t.Run("no time", func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				cancel()
				if kind == "files" {
					return // a disk does not wait
				}
				if _, err := s.store.Put(ctx, []byte("late")); !errors.Is(err, context.Canceled) {
					t.Errorf("got %v, want the error of the context", err)
				}
			})
		})
	}
}

func missing(t *testing.T, s blob.Store) {
	for _, name := range []string{
		blob.Hash([]byte("never put")), "", "abc", "../../etc/passwd", strings.Repeat("../", 21) + "x", strings.Repeat("Z", 64),
		strings.ToUpper(blob.Hash([]byte("a text"))), blob.Hash([]byte("a text")) + "/x", "\x00",
	} {
		if data, err := s.Get(t.Context(), name); !errors.Is(err, blob.ErrNotFound) || data != nil {
			t.Errorf("%.20q: got %q, %v, want ErrNotFound", name, data, err)
		}
	}
}

func atOnce(t *testing.T, s blob.Store) {
	data := bytes.Repeat([]byte("shared "), 50_000)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			hash, err := s.Put(t.Context(), data)
			if err != nil {
				t.Error(err)
			}
			if got, err := s.Get(t.Context(), hash); err != nil || !bytes.Equal(got, data) {
				t.Errorf("got %d bytes, %v", len(got), err)
			}
		})
	}
	all.Wait()
}

func TestFilesThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := blob.Files{Dir: file}.Put(t.Context(), []byte("x"))
	if err == nil || vitrine.AsFault("x", err).Code != vitrine.FaultUnwritable {
		t.Errorf("got %v, want unwritable", err)
	}
}

func TestSettingsThatAreNoS3(t *testing.T) {
	t.Parallel()
	for _, s := range []blob.S3Settings{
		{}, {URL: "http://x"}, {URL: "x", Bucket: "b"}, {URL: "ftp://x", Bucket: "b"}, {URL: "http://", Bucket: "b"}, {URL: "http://a b", Bucket: "b"},
	} {
		if _, err := blob.NewS3(s); err == nil || vitrine.AsFault("x", err).Code != vitrine.FaultUsage {
			t.Errorf("%+v: got %v, want usage", s, err)
		}
	}
}
