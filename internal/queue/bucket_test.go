package queue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"vitrine"
)

// next wants the next entry of a watch to be of a key; empty is that all were seen.
func next(t *testing.T, w *Watch, key string) *Entry {
	t.Helper()
	e, err := w.Next(t.Context())
	must(t, err)
	if e == nil && key != "" || e != nil && e.Key != key {
		t.Fatalf("the watch shows %+v, want %q", e, key)
	}
	return e
}

func TestEntriesAreWrittenOnce(t *testing.T) {
	t.Parallel()
	b := start(t, Settings{}).Batches()
	ctx := t.Context()
	first, err := b.Create(ctx, "head.a", "one")
	must(t, err)
	if _, err := b.Create(ctx, "head.a", "again"); !errors.Is(err, ErrConflict) {
		t.Errorf("an entry was created twice: %v", err)
	}
	if _, err := b.CreateAfter(ctx, "head.b", "two", "head.*", first-1); !errors.Is(err, ErrConflict) {
		t.Errorf("an entry was created though another came before: %v", err)
	}
	last, err := b.Last(ctx, "head.*")
	must(t, err)
	_, err = b.CreateAfter(ctx, "head.b", "two", "head.*", last)
	must(t, err)
	old, err := b.Get(ctx, "head.a")
	must(t, err)
	_, err = b.Replace(ctx, old, "changed")
	must(t, err)
	if _, err := b.Replace(ctx, old, "changed again"); !errors.Is(err, ErrConflict) {
		t.Errorf("an old entry was replaced: %v", err)
	}
	for _, key := range []string{"head.c", "head.*", "head.../../x", "", "head. "} {
		if _, err := b.Get(ctx, key); !errors.Is(err, ErrNoEntry) {
			t.Errorf("%q: %v", key, err)
		}
	}
}

// A watch shows what is there in order, and then what comes; a purged entry leaves no trace.
func TestWatch(t *testing.T) {
	t.Parallel()
	b := start(t, Settings{}).Batches()
	ctx := t.Context()
	for _, key := range []string{"head.a", "answer.a.1", "answer.a.0", "head.b"} {
		_, err := b.Create(ctx, key, key)
		must(t, err)
	}
	w, err := b.Watch(ctx, "head.a", "answer.a.*")
	must(t, err)
	defer w.Stop()
	for _, key := range []string{"head.a", "answer.a.1", "answer.a.0", ""} {
		next(t, w, key)
	}
	must(t, b.Purge(ctx, "answer.a.*"))
	must(t, b.Delete(ctx, "head.a"))
	if e := next(t, w, "head.a"); !e.Deleted {
		t.Errorf("not deleted: %+v", e)
	}
	if last, err := b.Last(ctx, "answer.*.*"); err != nil || last != 0 {
		t.Errorf("what was purged is there: %d %v", last, err)
	}
}

// Values that no message takes are objects, of which only those stay that are in use.
func TestLargeValues(t *testing.T) {
	t.Parallel()
	url := guarded(t, func(o *server.Options) { o.MaxPayload = 256 << 10 })
	b := start(t, Settings{URL: url}).Sessions()
	ctx := t.Context()
	text := strings.Repeat("a", 1<<20)
	_, err := b.Create(ctx, "state.a", text)
	must(t, err)
	if _, err := b.Create(ctx, "state.a", text); !errors.Is(err, ErrConflict) {
		t.Errorf("created twice: %v", err)
	}
	old, err := b.Get(ctx, "state.a")
	must(t, err)
	_, err = b.Replace(ctx, old, text+"b")
	must(t, err)
	e, err := b.Get(ctx, "state.a")
	must(t, err)
	var got string
	if must(t, e.Decode(&got)); got != text+"b" {
		t.Errorf("%d bytes came back, want %d", len(got), len(text)+1)
	}
	if all, err := b.large.List(ctx); err != nil || len(all) != 1 {
		t.Errorf("%d objects are kept, want 1: %v", len(all), err)
	}
	must(t, b.large.Delete(ctx, e.object))
	if _, err := b.Get(ctx, "state.a"); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "state.a in the bucket vitrine-sessions") {
		t.Errorf("an entry without its object: %v", err)
	}
	must(t, b.Purge(ctx, "state.a"))
	if _, err := b.Get(ctx, "state.a"); !errors.Is(err, ErrNoEntry) {
		t.Errorf("after it was purged: %v", err)
	}
}

// No object is left of a client that went away, nor of entries that were removed together.
func TestObjectsGoWithTheirEntries(t *testing.T) {
	t.Parallel()
	url := guarded(t, func(o *server.Options) { o.MaxPayload = 256 << 10 })
	b := start(t, Settings{URL: url}).Batches()
	text := strings.Repeat("a", 1<<20)
	for i := range 20 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*time.Millisecond)
		_, _ = b.Create(ctx, fmt.Sprint("answer.a.", i), text)
		cancel()
	}
	must(t, b.Purge(t.Context(), "answer.a.*"))
	if all, err := b.large.List(t.Context()); !errors.Is(err, jetstream.ErrNoObjectsFound) {
		t.Errorf("%d objects are left: %v", len(all), err)
	}
	stream, err := b.js.Stream(t.Context(), "OBJ_"+largeBucket)
	must(t, err)
	info, err := stream.Info(t.Context(), jetstream.WithSubjectFilter("$O."+largeBucket+".C.>"))
	must(t, err)
	if len(info.State.Subjects) != 0 {
		t.Errorf("parts of %d objects are left", len(info.State.Subjects))
	}
}

func TestDeleteAt(t *testing.T) {
	t.Parallel()
	b := start(t, Settings{}).Sessions()
	_, err := b.Create(t.Context(), "head.a", 1)
	must(t, err)
	old, err := b.Get(t.Context(), "head.a")
	must(t, err)
	_, err = b.Replace(t.Context(), old, 2)
	must(t, err)
	if err := b.DeleteAt(t.Context(), old); !errors.Is(err, ErrConflict) {
		t.Errorf("what was written meanwhile is deleted: %v", err)
	}
	now, err := b.Get(t.Context(), "head.a")
	must(t, err)
	must(t, b.DeleteAt(t.Context(), now))
	_, err = b.Create(t.Context(), "head.a", 3)
	must(t, err)
}

// The disk of the server inside is never full: what was there goes on to be read and deleted.
func TestRoomIsLeftOnTheDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	q := start(t, Settings{Dir: dir})
	_, err := q.Batches().Create(t.Context(), "head.a", 1)
	must(t, err)
	q.Close()
	b := start(t, Settings{Dir: dir, MinFree: 1 << 60}).Batches()
	_, err = b.Create(t.Context(), "head.b", 1)
	if f := vitrine.AsFault("x", err); err == nil || f.Code != vitrine.FaultDiskFull || !strings.Contains(f.Message, dir) {
		t.Errorf("without room: %v", err)
	}
	old, err := b.Get(t.Context(), "head.a")
	must(t, err)
	if _, err := b.Replace(t.Context(), old, 2); vitrine.AsFault("x", err).Code != vitrine.FaultDiskFull {
		t.Errorf("without room: %v", err)
	}
	must(t, b.Delete(t.Context(), "head.a"))
}

func TestAServerThatIsGoneIsAFault(t *testing.T) {
	t.Parallel()
	q := start(t, Settings{})
	b := q.Batches()
	q.Close()
	_, read := b.Get(t.Context(), "head.a")
	_, written := b.Create(t.Context(), "head.a", 1)
	_, watched := b.Watch(t.Context(), "head.*")
	for what, err := range map[string]error{"read": read, "write": written, "watch": watched} {
		if f := vitrine.AsFault("x", err); err == nil || f.Code != vitrine.FaultNoQueue {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// The permissions that docs/operations.md names are enough for a service.
func TestPermissionsOfAUser(t *testing.T) {
	t.Parallel()
	allowed := []string{"vitrine.>", "$JS.API.>", "$JS.ACK.>", "$JS.FC.>", "$KV.vitrine-batches.>", "$KV.vitrine-sessions.>", "$O.vitrine-blobs.>", "$O.vitrine-large.>", "_INBOX.>"}
	doc, err := os.ReadFile("../../docs/operations.md")
	must(t, err)
	for _, subject := range allowed {
		if !strings.Contains(string(doc), "`"+subject+"`") {
			t.Errorf("docs/operations.md does not name %s", subject)
		}
	}
	may := &server.SubjectPermission{Allow: allowed}
	url := guarded(t, func(o *server.Options) {
		o.Users = []*server.User{{Username: "vitrine", Password: "secret", Permissions: &server.Permissions{Publish: may, Subscribe: may}}}
	})
	b := start(t, Settings{URL: url, Auth: Auth{User: "vitrine", Password: "secret"}}).Batches()
	w, err := b.Watch(t.Context(), "answer.a.*")
	must(t, err)
	defer w.Stop()
	next(t, w, "")
	for i, value := range []string{"small", strings.Repeat("a", 2<<20)} {
		key := fmt.Sprint("answer.a.", i)
		_, err = b.Create(t.Context(), key, value)
		must(t, err)
		next(t, w, key)
	}
}

// A watch whose context ends while it begins has an end.
func TestAWatchThatEndsWhileItBegins(t *testing.T) {
	t.Parallel()
	b := start(t, Settings{}).Batches()
	for i := range 1000 {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for began := time.Now(); time.Since(began) < time.Duration(i)*time.Microsecond; { // finer than sleep
			}
			cancel()
		}()
		w, err := b.Watch(ctx, "head.*")
		if err != nil {
			continue
		}
		stopped := make(chan struct{})
		go func() { w.Stop(); close(stopped) }()
		select {
		case <-stopped:
		case <-time.After(20 * time.Second):
			t.Fatalf("the watch that was ended after %d µs does not stop", i)
		}
	}
}
