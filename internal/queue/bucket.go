package queue

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"vitrine"
)

// A Bucket keeps values by key where every process on the queue finds them: JetStream's
// key-value store. A value that is too large for a message lies in the object store
// besides, and the entry has its name. What was not written for [KeepState] goes.
//
// Errors are [ErrNoEntry], [ErrConflict], [ErrDamaged], that of the context, or a fault with
// code no_queue or disk_full.
type Bucket struct {
	name   string
	js     jetstream.JetStream
	stream jetstream.Stream
	kv     jetstream.KeyValue
	large  jetstream.ObjectStore
	inline int          // bytes of a value that a message takes
	room   func() error // whether the disk has room for a write
}

// KeepState is how long an entry is kept that is not written again.
const KeepState = 7 * 24 * time.Hour

// Why a bucket does not do what it is asked.
var (
	ErrNoEntry  = errors.New("there is no such entry")
	ErrConflict = errors.New("the entry was changed meanwhile")
	ErrDamaged  = errors.New("the entry is damaged")
)

// An Entry is a value as it was once.
type Entry struct {
	Key      string
	Value    []byte
	Revision uint64    // its place among all writes of the bucket
	At       time.Time // when it was written, by the clock of the server
	Deleted  bool      // it is gone

	bucket, object string
}

// Decode reads the value as JSON.
func (e *Entry) Decode(into any) error {
	if err := json.Unmarshal(e.Value, into); err != nil {
		return e.damaged(err)
	}
	return nil
}

func (e *Entry) damaged(err error) error { return Damaged(e.Key+" in the bucket "+e.bucket, err) }

// Damaged is the fault of something that was kept and cannot be read.
func Damaged(what string, err error) error {
	return vitrine.NewFault("queue", vitrine.FaultInternal, fmt.Errorf("%w: %w", ErrDamaged, err), fmt.Sprintf("%s is damaged: %v", what, err)).
		WithFix("delete the job or session that it belongs to, and send it again")
}

// largeValue begins the value of an entry whose value is an object; JSON never begins so.
const largeValue = "\x00object "

// largeTimeout is how long a large value may take to be read or written.
const largeTimeout = time.Minute

// openBucket makes a bucket, or finds it. Direct reads, which kv.Create would allow, may be
// answered by a replica that does not have the last write.
func (q *Queue) openBucket(ctx context.Context, name string, large jetstream.ObjectStore) (*Bucket, error) {
	stream, err := q.stream(ctx, jetstream.StreamConfig{
		Name: "KV_" + name, Subjects: []string{"$KV." + name + ".>"}, MaxMsgsPerSubject: 1, MaxAge: KeepState, AllowRollup: true, DenyDelete: true, Replicas: q.settings.Replicas,
	})
	if err != nil {
		return nil, err
	}
	kv, err := q.js.KeyValue(ctx, name)
	return &Bucket{name, q.js, stream, kv, large, int(q.conn.MaxPayload()) - 4096, q.room}, err
}

// Get reads the entry of a key.
func (b *Bucket) Get(ctx context.Context, key string) (e *Entry, err error) {
	for range 3 { // a large value that is replaced meanwhile is gone
		var found jetstream.KeyValueEntry
		err = withTimeout(ctx, func(ctx context.Context) error {
			found, err = b.kv.Get(ctx, key)
			return err
		})
		if err != nil {
			return nil, b.fault("read", key, err)
		}
		if e, err = b.entry(ctx, found); !errors.Is(err, jetstream.ErrObjectNotFound) {
			break
		}
	}
	return e, err
}

// Last is the revision of the newest entry whose key a pattern matches; 0 without one.
func (b *Bucket) Last(ctx context.Context, pattern string) (revision uint64, err error) {
	err = withTimeout(ctx, func(ctx context.Context) error {
		m, err := b.stream.GetLastMsgForSubject(ctx, "$KV."+b.name+"."+pattern)
		if err == nil {
			revision = m.Sequence
		}
		return err
	})
	if errors.Is(err, errNone) {
		return 0, nil
	}
	return revision, b.fault("read", pattern, err)
}

// Create writes an entry that is not there.
func (b *Bucket) Create(ctx context.Context, key string, v any) (revision uint64, err error) {
	return b.write(ctx, key, v, func(ctx context.Context, data []byte) (uint64, error) { return b.kv.Create(ctx, key, data) })
}

// Replace writes an entry that is as it was.
func (b *Bucket) Replace(ctx context.Context, old *Entry, v any) (revision uint64, err error) {
	revision, err = b.write(ctx, old.Key, v, func(ctx context.Context, data []byte) (uint64, error) {
		return b.kv.Update(ctx, old.Key, data, old.Revision)
	})
	if err == nil {
		b.drop(ctx, old.object)
	}
	return revision, err
}

// CreateAfter writes an entry unless one that a pattern matches was written after the
// revision last.
func (b *Bucket) CreateAfter(ctx context.Context, key string, v any, pattern string, last uint64) (revision uint64, err error) {
	prefix := "$KV." + b.name + "."
	return b.write(ctx, key, v, func(ctx context.Context, data []byte) (uint64, error) {
		ack, err := b.js.PublishMsg(ctx, &nats.Msg{Subject: prefix + key, Data: data}, jetstream.WithExpectLastSequenceForSubject(last, prefix+pattern))
		if err != nil {
			return 0, err
		}
		return ack.Sequence, nil
	})
}

// write writes a value where it fits; the object of one that is refused goes.
func (b *Bucket) write(ctx context.Context, key string, v any, put func(context.Context, []byte) (uint64, error)) (revision uint64, err error) {
	data, err := json.Marshal(v)
	if err != nil {
		return 0, fmt.Errorf("%s in the bucket %s: %w", key, b.name, err)
	}
	if err := b.room(); err != nil {
		return 0, err
	}
	object := ""
	if len(data) > b.inline {
		object = key + "." + rand.Text()
		ctx = context.WithoutCancel(ctx) // a client that goes away would leave a part of the object
		storing, cancel := context.WithTimeout(ctx, largeTimeout)
		defer cancel()
		if _, err := b.large.PutBytes(storing, object, data); err != nil {
			return 0, b.fault("write", key, err)
		}
		data = []byte(largeValue + object)
	}
	err = withTimeout(ctx, func(ctx context.Context) error {
		revision, err = put(ctx, data)
		return err
	})
	if err != nil && !b.mayName(ctx, key, object) {
		b.drop(ctx, object)
	}
	return revision, b.fault("write", key, err)
}

// mayName reports whether the entry of a key may name an object, after a write of which it is
// not known whether it came to the server.
func (b *Bucket) mayName(ctx context.Context, key, object string) bool {
	if object == "" {
		return false
	}
	var found jetstream.KeyValueEntry
	err := withTimeout(ctx, func(ctx context.Context) (err error) {
		found, err = b.kv.Get(ctx, key)
		return err
	})
	if err != nil {
		return !errors.Is(err, jetstream.ErrKeyNotFound)
	}
	return objectOf(found.Value()) == object
}

// drop removes the object of an entry that is gone, if it had one. What stays goes by its age.
func (b *Bucket) drop(ctx context.Context, object string) {
	if object != "" {
		_ = withTimeout(context.WithoutCancel(ctx), func(ctx context.Context) error { return b.large.Delete(ctx, object) })
	}
}

// Delete removes the entry of a key, which those who watch it see.
func (b *Bucket) Delete(ctx context.Context, key string) error {
	return b.fault("delete", key, withTimeout(ctx, func(ctx context.Context) error { return b.kv.Delete(ctx, key) }))
}

// DeleteAt removes an entry that was not written since it was read; else the error is
// [ErrConflict].
func (b *Bucket) DeleteAt(ctx context.Context, old *Entry) error {
	err := withTimeout(ctx, func(ctx context.Context) error {
		return b.kv.Delete(ctx, old.Key, jetstream.LastRevision(old.Revision))
	})
	if err == nil {
		b.drop(ctx, old.object)
	}
	return b.fault("delete", old.Key, err)
}

// Purge removes entries by their key or a pattern, with their objects, and leaves nothing of
// them: those who watch them see nothing.
func (b *Bucket) Purge(ctx context.Context, pattern string) error {
	objects, err := b.objects(ctx, pattern)
	if err != nil {
		return err
	}
	err = withTimeout(ctx, func(ctx context.Context) error {
		return b.stream.Purge(ctx, jetstream.WithPurgeSubject("$KV."+b.name+"."+pattern))
	})
	if err == nil {
		for _, object := range objects {
			b.drop(ctx, object)
		}
	}
	return b.fault("delete", pattern, err)
}

// objects are the objects that the entries of a pattern name.
func (b *Bucket) objects(ctx context.Context, pattern string) (names []string, err error) {
	w, err := b.Watch(ctx, pattern)
	if err != nil {
		return nil, err
	}
	defer w.Stop()
	for {
		found, err := w.next(ctx)
		if found == nil {
			return names, err
		}
		if object := objectOf(found.Value()); object != "" {
			names = append(names, object)
		}
	}
}

// objectOf is the object that has a value; empty if the entry has it itself.
func objectOf(value []byte) string {
	if object, isLarge := strings.CutPrefix(string(value), largeValue); isLarge {
		return object
	}
	return ""
}

// entry is what was found, with its value if that is an object.
func (b *Bucket) entry(ctx context.Context, found jetstream.KeyValueEntry) (*Entry, error) {
	e := &Entry{Key: found.Key(), Value: found.Value(), Revision: found.Revision(), At: found.Created(), Deleted: found.Operation() != jetstream.KeyValuePut, bucket: b.name}
	if e.object = objectOf(e.Value); e.object == "" {
		return e, nil
	}
	ctx, cancel := context.WithTimeout(ctx, largeTimeout)
	defer cancel()
	var err error
	e.Value, err = b.large.GetBytes(ctx, e.object)
	if errors.Is(err, jetstream.ErrObjectNotFound) || errors.Is(err, jetstream.ErrDigestMismatch) {
		return e, e.damaged(err)
	}
	return e, b.fault("read", e.Key, err)
}

// What the server says where it may store nothing more.
const (
	codeInsufficient = 10023
	codeStorage      = 10047
	codeStoreFailed  = 10077
)

// fault says what went wrong in the terms of the bucket.
func (b *Bucket) fault(what, key string, err error) error {
	var api *jetstream.APIError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrInvalidKey):
		return fmt.Errorf("%w: %s in the bucket %s", ErrNoEntry, key, b.name)
	case errors.Is(err, jetstream.ErrKeyExists) || underWay(err):
		return fmt.Errorf("%w: %s in the bucket %s", ErrConflict, key, b.name)
	case errors.As(err, &api) && (api.ErrorCode == codeInsufficient || api.ErrorCode == codeStorage || api.ErrorCode == codeStoreFailed):
		return vitrine.NewFault("queue", vitrine.FaultDiskFull, err, "the queue's server may store nothing more").
			WithFix("make room on its disk, or raise the limits of its account")
	}
	return unreachable(fmt.Errorf("%s %s in the bucket %s: %w", what, key, b.name, err))
}
