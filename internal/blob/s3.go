package blob

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"vitrine"
)

// S3Settings say which bucket of which S3 keeps the blobs.
type S3Settings struct {
	URL    string // of the service, such as https://s3.example.org; no path
	Bucket string // it must exist
	Prefix string // before each name; default none
	Region string // default us-east-1
	Key    string // access key; empty: the bucket takes unsigned requests
	Secret string
	// Transport carries the requests; default that of minio-go.
	Transport http.RoundTripper
}

// An S3 keeps blobs as objects of a bucket, under Prefix and their name.
type S3 struct {
	client         *minio.Client
	bucket, prefix string
}

// NewS3 makes a store of a bucket. Nothing is asked of the service yet.
func NewS3(s S3Settings) (*S3, error) {
	u, err := url.Parse(s.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || s.Bucket == "" {
		return nil, vitrine.NewFault("store", vitrine.FaultUsage, err, fmt.Sprintf("%q with the bucket %q is no S3", s.URL, s.Bucket)).
			WithFix("give an address such as https://s3.example.org and the name of a bucket")
	}
	if s.Region == "" {
		s.Region = "us-east-1"
	}
	client, err := minio.New(u.Host, &minio.Options{
		Creds: credentials.NewStaticV4(s.Key, s.Secret, ""), Secure: u.Scheme == "https",
		Region: s.Region, BucketLookup: minio.BucketLookupPath, Transport: s.Transport, MaxRetries: 3,
	})
	if err != nil {
		return nil, fmt.Errorf("s3: %w", err)
	}
	return &S3{client, s.Bucket, s.Prefix}, nil
}

// Put keeps data.
func (s *S3) Put(ctx context.Context, data []byte) (string, error) {
	hash := Hash(data)
	if _, err := s.client.StatObject(ctx, s.bucket, s.prefix+hash, minio.StatObjectOptions{}); err == nil {
		return hash, nil
	}
	options := minio.PutObjectOptions{ContentType: "application/octet-stream", DisableMultipart: true}
	if _, err := s.client.PutObject(ctx, s.bucket, s.prefix+hash, bytes.NewReader(data), int64(len(data)), options); err != nil {
		return "", fmt.Errorf("keep blob: %w", err)
	}
	return hash, nil
}

// Get reads a blob.
func (s *S3) Get(ctx context.Context, hash string) ([]byte, error) {
	if err := checkName(hash); err != nil {
		return nil, err
	}
	object, err := s.client.GetObject(ctx, s.bucket, s.prefix+hash, minio.GetObjectOptions{})
	if err != nil {
		return nil, fmt.Errorf("read blob: %w", err)
	}
	defer object.Close()
	data, err := io.ReadAll(object)
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return nil, fmt.Errorf("%w: %s", ErrNotFound, hash)
	}
	if err != nil {
		return nil, fmt.Errorf("read blob: %w", err)
	}
	return checkContent(hash, data)
}
