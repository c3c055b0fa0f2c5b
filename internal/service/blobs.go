package service

import (
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/blob"
	"vitrine/internal/queue"
)

// What a service on one machine keeps of evidence.
const (
	keepEvidence    = 24 * time.Hour
	maxEvidenceByte = 16 << 30
)

// blobs are where evidence is kept by its content, so that server and workers find it: in
// a folder where they are one process, with the queue, or in a bucket.
func (s Settings) blobs(q *queue.Queue) (blob.Store, error) {
	alone := s.Dir != "" && s.Queue.URL == "" && s.Queue.Listen == "" // else workers elsewhere write it, too
	switch {
	case s.Evidence == "" && alone:
		return blob.Files{Dir: filepath.Join(s.Dir, "evidence"), Keep: keepEvidence, MaxBytes: maxEvidenceByte}, nil
	case s.Evidence == "" || s.Evidence == "queue":
		return q.Blobs(), nil
	}
	const form = "--evidence s3+https://HOST/BUCKET/PREFIX, with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY set"
	u, err := url.Parse(s.Evidence)
	scheme, isS3 := strings.CutPrefix(s.Evidence[:strings.IndexByte(s.Evidence+":", ':')], "s3+")
	if err != nil || !isS3 {
		return nil, vitrine.NewFault("command", vitrine.FaultUsage, nil, "--evidence: "+s.Evidence+" is no place for evidence").WithFix("leave it out, or say " + form)
	}
	bucket, prefix, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	if prefix != "" {
		prefix = strings.TrimSuffix(prefix, "/") + "/"
	}
	return blob.NewS3(blob.S3Settings{
		URL: scheme + "://" + u.Host, Bucket: bucket, Prefix: prefix,
		Region: s.Getenv("AWS_REGION"), Key: s.Getenv("AWS_ACCESS_KEY_ID"), Secret: s.Getenv("AWS_SECRET_ACCESS_KEY"),
	})
}
