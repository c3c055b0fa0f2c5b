package queue

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"vitrine/internal/blob"
)

// Names of ours at the server.
const (
	jobStream      = "VITRINE_WORK"
	jobSubject     = "vitrine.work." // then the provenance, then the key
	resultStream   = "VITRINE_RESULTS"
	resultSubject  = "vitrine.results."
	returnSubject  = "vitrine.returned."
	workerSubject  = "vitrine.workers."
	workerConsumer = "workers-" // then the provenance
	whoSubject     = "vitrine.who"
	blobBucket     = "vitrine-blobs"
	batchBucket    = "vitrine-batches"
	sessionBucket  = "vitrine-sessions"
	largeBucket    = "vitrine-large"
)

// A Queue is one process's end of the queue: it asks for jobs, takes jobs, or
// both. It is safe for concurrent use.
type Queue struct {
	settings    Settings
	node        *node // nil on a cluster
	conn        *nats.Conn
	js          jetstream.JetStream
	jobs        jetstream.Stream
	results     jetstream.Stream
	takers      jetstream.Consumer
	blobs       blob.Store
	batches     *Bucket
	sessions    *Bucket
	ackWait     time.Duration // as the queue has it, whoever made it
	fingerprint string        // of the provenance

	stop func()                         // ends what runs in the background
	work sync.WaitGroup                 // what runs in the background
	run  func(do func(context.Context)) // in the background, until Close
	wake chan struct{}                  // there may be something to publish

	mu         sync.Mutex // guards what follows; nothing slow happens under it
	closed     bool
	flights    map[string]*flight // asked for and not answered, by key
	line       fairQueue
	inFlight   int // flights that are published
	seen       map[string]Worker
	workerSeen time.Time // when a worker was last there that may take our jobs
	worker     string    // who takes jobs here
}

// Open opens the queue and makes what is missing of it. It waits for a cluster that
// is on its way until ctx ends, at most half a minute. Close ends it.
func Open(ctx context.Context, s Settings) (*Queue, error) {
	s = s.withDefaults()
	if err := s.check(); err != nil {
		return nil, err
	}
	q := &Queue{
		settings: s, fingerprint: s.Provenance.Fingerprint(), stop: func() {}, wake: make(chan struct{}, 1),
		flights: map[string]*flight{}, line: newFairQueue(), seen: map[string]Worker{}, workerSeen: time.Now(),
	}
	if err := q.open(ctx); err != nil {
		q.Close()
		return nil, err
	}
	background, stop := context.WithCancel(context.Background())
	q.stop = stop
	q.run = func(do func(context.Context)) { q.work.Go(func() { do(background) }) }
	q.run(q.pump)
	q.run(q.reconcile)
	return q, nil
}

func (q *Queue) open(ctx context.Context) (err error) {
	if q.settings.URL == "" {
		if q.node, err = startNode(q.settings); err != nil {
			return err
		}
	}
	if q.conn, err = connect(q.settings, q.node); err != nil {
		return err
	}
	if q.js, err = jetstream.New(q.conn); err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	try := q.retry // a cluster may be on its way
	if q.node != nil {
		try = withTimeout
	}
	if err := try(ctx, q.build); err != nil {
		return unreachable(err)
	}
	return q.listen()
}

// build makes the streams, or finds them.
func (q *Queue) build(ctx context.Context) (err error) {
	s := q.settings
	q.jobs, err = q.stream(ctx, jetstream.StreamConfig{
		Name: jobStream, Subjects: []string{jobSubject + "*.*"}, Retention: jetstream.WorkQueuePolicy, MaxAge: s.Keep, Replicas: s.Replicas,
	})
	if err != nil {
		return err
	}
	q.results, err = q.stream(ctx, jetstream.StreamConfig{
		Name: resultStream, Subjects: []string{resultSubject + "*", returnSubject + "*"}, MaxMsgsPerSubject: 1,
		MaxAge: s.Keep, MaxBytes: s.KeepBytes, Replicas: s.Replicas, Compression: jetstream.S2Compression,
	})
	if err != nil {
		return err
	}
	if q.takers, err = q.consumer(ctx); err != nil {
		return err
	}
	info, err := q.takers.Info(ctx)
	if err != nil {
		return err
	}
	q.ackWait = info.Config.AckWait
	bucket, err := q.objects(ctx, jetstream.ObjectStoreConfig{Bucket: blobBucket, TTL: s.Keep, MaxBytes: s.BlobBytes, Replicas: s.Replicas})
	if err != nil {
		return err
	}
	q.blobs = blob.Stream{Bucket: bucket}
	large, err := q.objects(ctx, jetstream.ObjectStoreConfig{Bucket: largeBucket, TTL: KeepState, Replicas: s.Replicas})
	if err != nil {
		return err
	}
	if q.batches, err = q.openBucket(ctx, batchBucket, large); err != nil {
		return err
	}
	q.sessions, err = q.openBucket(ctx, sessionBucket, large)
	return err
}

// stream makes a stream. On a cluster, one that is there stays as it is: others
// use it.
func (q *Queue) stream(ctx context.Context, config jetstream.StreamConfig) (jetstream.Stream, error) {
	if q.node != nil {
		return q.js.CreateOrUpdateStream(ctx, config)
	}
	made, err := q.js.CreateStream(ctx, config)
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		return q.js.Stream(ctx, config.Name)
	}
	return made, err
}

// subject is that of the job of a key, for workers of our provenance.
func (q *Queue) subject(key string) string { return jobSubject + q.fingerprint + "." + key }

// key is that of the job that a subject of ours is about.
func (q *Queue) key(subject string) string { return strings.TrimPrefix(subject, q.subject("")) }

// unusedAfter is after how long the place of workers is cleared that are of a provenance which
// no process has any more.
const unusedAfter = 30 * 24 * time.Hour

// consumer is the place of the workers of our provenance.
func (q *Queue) consumer(ctx context.Context) (jetstream.Consumer, error) {
	config := jetstream.ConsumerConfig{
		Durable: workerConsumer + q.fingerprint, FilterSubject: q.subject("*"), InactiveThreshold: unusedAfter, AckPolicy: jetstream.AckExplicitPolicy, AckWait: q.settings.AckWait,
		MaxDeliver: -1, MaxAckPending: -1, MaxWaiting: 8192, Replicas: q.settings.Replicas,
	}
	if q.node != nil {
		return q.jobs.CreateOrUpdateConsumer(ctx, config)
	}
	made, err := q.jobs.CreateConsumer(ctx, config)
	if errors.Is(err, jetstream.ErrConsumerExists) {
		return q.jobs.Consumer(ctx, config.Durable)
	}
	return made, err
}

// objects makes an object store, or finds it.
func (q *Queue) objects(ctx context.Context, config jetstream.ObjectStoreConfig) (jetstream.ObjectStore, error) {
	if q.node != nil {
		return q.js.CreateOrUpdateObjectStore(ctx, config)
	}
	made, err := q.js.CreateObjectStore(ctx, config)
	if errors.Is(err, jetstream.ErrBucketExists) {
		return q.js.ObjectStore(ctx, config.Bucket)
	}
	return made, err
}

// listen hears every answer as it is published, and every worker. An answer that is
// not heard is found by reconcile.
func (q *Queue) listen() error {
	_, err := q.conn.Subscribe(resultSubject+"*", func(m *nats.Msg) {
		q.onResult(m.Subject[len(resultSubject):], m.Header, m.Data)
	})
	if err == nil {
		_, err = q.conn.Subscribe(workerSubject+"*", func(m *nats.Msg) { q.onHeartbeat(m.Data) })
	}
	if err == nil {
		_, err = q.conn.Subscribe(whoSubject, q.introduce)
	}
	if err == nil {
		err = q.conn.Flush()
	}
	if err != nil {
		return unreachable(err)
	}
	return nil
}

// retry tries until it works or ctx ends.
func (q *Queue) retry(ctx context.Context, try func(context.Context) error) error {
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		err := withTimeout(ctx, try)
		if err == nil || errors.Is(err, nats.ErrConnectionClosed) {
			return err
		}
		q.settings.Log.Warn("queue: trying again", "error", err)
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(wait):
		}
	}
}

// withTimeout gives one request to the server its time.
func withTimeout(ctx context.Context, try func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return try(ctx)
}

// Blobs keeps bytes by their content where every process on the queue finds them.
func (q *Queue) Blobs() blob.Store { return q.blobs }

// Batches keeps what a service knows of its batches.
func (q *Queue) Batches() *Bucket { return q.batches }

// Sessions keeps what a service knows of its sessions.
func (q *Queue) Sessions() *Bucket { return q.sessions }

// URL is where the server inside takes workers of other processes; empty if it
// takes none.
func (q *Queue) URL() string {
	if q.node == nil || q.settings.Listen == "" {
		return q.settings.URL
	}
	return q.node.server.ClientURL()
}

// Token is what workers of other processes show to the server inside; empty if it takes
// none.
func (q *Queue) Token() string {
	if q.node == nil {
		return ""
	}
	return q.node.token
}

// TokenFile is where a token lies that was made since none was given; empty if one was.
func (q *Queue) TokenFile() string {
	if q.node == nil || q.node.token == q.settings.Token {
		return ""
	}
	return filepath.Join(q.settings.Dir, tokenFile)
}

// Close answers everyone who waits with a fault with code interrupted and ends what
// runs. Jobs that are published stay, as do results. Close it last: what was taken
// and is not answered by then goes to another worker only after AckWait.
func (q *Queue) Close() {
	q.mu.Lock()
	q.closed = true
	for _, f := range q.flights {
		q.remove(f)
		f.end(nil, closing())
	}
	q.mu.Unlock()
	q.stop()
	q.work.Wait()
	if q.conn != nil {
		_ = q.conn.FlushTimeout(time.Second) // jobs that were given back
		q.conn.Close()
	}
	if q.node != nil {
		q.node.stop()
	}
}
