package blob_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A fakeS3 answers the few requests that a store of blobs makes: HEAD, GET and PUT
// of one object, the last also in signed chunks. It checks no signature.
type fakeS3 struct {
	url     string
	mu      sync.Mutex
	objects map[string][]byte // by path
}

func newFakeS3(t *testing.T) *fakeS3 {
	t.Helper()
	f := &fakeS3{objects: map[string][]byte{}}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	f.url = server.URL
	return f
}

func (f *fakeS3) set(path string, data []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.objects[path] = data
}

func (f *fakeS3) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=k/") {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	if r.Method == http.MethodPut {
		data, err := io.ReadAll(r.Body)
		if strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING-") {
			data, err = dechunk(data)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		f.set(r.URL.Path, data)
		w.Header().Set("ETag", `"e"`)
		return
	}
	f.mu.Lock()
	data, there := f.objects[r.URL.Path]
	f.mu.Unlock()
	if !there {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "<Error><Code>NoSuchKey</Code><Message>none</Message></Error>")
		return
	}
	w.Header().Set("ETag", `"e"`)
	http.ServeContent(w, r, "", time.Unix(0, 0).Add(time.Hour), bytes.NewReader(data))
}

// dechunk reads a body of signed chunks: SIZE;chunk-signature=…, data, and an empty
// chunk at the end.
func dechunk(body []byte) ([]byte, error) {
	var out []byte
	r := bufio.NewReader(bytes.NewReader(body))
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return nil, err
		}
		size, err := strconv.ParseInt(strings.Split(strings.TrimSpace(line), ";")[0], 16, 64)
		if err != nil || size == 0 {
			return out, err
		}
		chunk := make([]byte, size+2)
		if _, err := io.ReadFull(r, chunk); err != nil {
			return nil, err
		}
		out = append(out, chunk[:size]...)
	}
}
