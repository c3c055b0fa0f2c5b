package main

import (
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"vitrine/internal/blob"
	"vitrine/internal/queue"
)

// What a service on one machine keeps of evidence.
const (
	keepEvidence    = 24 * time.Hour
	maxEvidenceByte = 16 << 30
)

// evidence is where evidence is kept by its content, so that server and workers find
// it: in a folder of dir where they are one process (dir is empty otherwise), with the
// queue, or in a bucket.
func (j *joining) evidence(c *common, q *queue.Queue, dir string) (blob.Store, error) {
	switch {
	case j.store == "" && dir != "":
		return blob.Files{Dir: filepath.Join(dir, "evidence"), Keep: keepEvidence, MaxBytes: maxEvidenceByte}, nil
	case j.store == "" || j.store == "queue":
		return q.Blobs(), nil
	}
	const form = "--evidence s3+https://HOST/BUCKET/PREFIX, with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY set"
	u, err := url.Parse(j.store)
	scheme, s3 := strings.CutPrefix(j.store[:strings.IndexByte(j.store+":", ':')], "s3+")
	if err != nil || !s3 {
		return nil, usage("--evidence: "+j.store+" is no place for evidence", "leave it out, or say "+form)
	}
	bucket, prefix, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	if prefix != "" {
		prefix = strings.TrimSuffix(prefix, "/") + "/"
	}
	return blob.NewS3(blob.S3Settings{
		URL: scheme + "://" + u.Host, Bucket: bucket, Prefix: prefix,
		Region: c.getenv("AWS_REGION"), Key: c.getenv("AWS_ACCESS_KEY_ID"), Secret: c.getenv("AWS_SECRET_ACCESS_KEY"),
	})
}
