// Package npm brings packages of an npm registry to this machine: as the registry
// stood on a date, checked against their hashes, unpacked once, and linked into
// sets that never change. What is kept is written by this process alone; the npm
// that resolves a project's dependencies in the sandbox sees copies through a [Proxy].
package npm

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// A Registry is the package registry of this machine and how to reach it: with the
// proxy, the certificates and the names that npm uses.
type Registry struct {
	base      *url.URL
	transport *http.Transport // to be cloned by each client, which closes its connections
}

// config is npm's configuration of the registry, from any of its files or the
// environment. Credentials are not shown, and are not sent.
type config struct {
	Registry   string `json:"registry"`
	HTTPSProxy string `json:"https-proxy"`
	CAFile     string `json:"cafile"`
	StrictSSL  *bool  `json:"strict-ssl"`
}

// NewRegistry reads the answer of "npm config list --json".
func NewRegistry(text string) (Registry, error) {
	var c config
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return Registry{}, fmt.Errorf("npm config: %w", err)
	}
	base, err := url.Parse(c.Registry)
	if err != nil || base.Host == "" {
		return Registry{}, fmt.Errorf("npm config: %q is no address of a registry", c.Registry)
	}
	base.Path = strings.TrimSuffix(base.Path, "/")
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 32
	t.ResponseHeaderTimeout = time.Minute
	if t.TLSClientConfig, err = c.tls(); err != nil {
		return Registry{}, err
	}
	if proxy, err := url.Parse(c.HTTPSProxy); err == nil && proxy.Host != "" {
		t.Proxy = http.ProxyURL(proxy)
	}
	return Registry{base, t}, nil
}

// tls trusts whom npm trusts.
func (c config) tls() (*tls.Config, error) {
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	for _, file := range []string{os.Getenv("NODE_EXTRA_CA_CERTS"), c.CAFile} {
		if file == "" {
			continue
		}
		pem, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("npm config: %w", err)
		}
		roots.AppendCertsFromPEM(pem)
	}
	return &tls.Config{RootCAs: roots, InsecureSkipVerify: c.StrictSSL != nil && !*c.StrictSSL}, nil
}

// maxAnswer is the size of one answer of the registry.
const maxAnswer = 512 << 20

var errTooBig = errors.New("an answer of the registry is too big")

// ErrUnanswered is in the chain of every error that is the registry's or the
// network's, not that of the packages asked for.
var ErrUnanswered = errors.New("the package registry does not answer")

// A statusError is an answer without a package.
type statusError struct {
	code int
	what string
}

func (e *statusError) Error() string { return fmt.Sprintf("%s: the registry says %d", e.what, e.code) }

// registryFailed reports whether a status is the registry's failure rather than
// that of the request.
func registryFailed(code int) bool {
	switch code {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired, http.StatusTooManyRequests:
		return true
	}
	return code >= http.StatusInternalServerError
}

// client has connections of its own, so that they can be closed.
type client struct {
	Registry
	http http.Client
}

func (r Registry) open() *client { return &client{r, http.Client{Transport: r.transport.Clone()}} }

func (c *client) close() { c.http.CloseIdleConnections() }

// attempts are how often a tarball or a packument is asked for.
const attempts = 3

// get asks for a path of the registry, again where it fails.
func (c *client) get(ctx context.Context, path *url.URL) (body io.ReadCloser, err error) {
	for range attempts {
		if body, err = c.once(ctx, path); err == nil || !errors.Is(err, ErrUnanswered) || ctx.Err() != nil {
			return body, err
		}
	}
	return nil, err
}

func (c *client) once(ctx context.Context, path *url.URL) (io.ReadCloser, error) {
	address := *c.base
	address.Path, address.RawPath = below(c.base, path)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, err
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnanswered, err)
	}
	if answer.StatusCode != http.StatusOK || answer.ContentLength > maxAnswer {
		_ = answer.Body.Close()
		switch {
		case answer.StatusCode == http.StatusOK:
			return nil, errTooBig
		case registryFailed(answer.StatusCode):
			return nil, fmt.Errorf("%w: %w", ErrUnanswered, &statusError{answer.StatusCode, path.Path})
		}
		return nil, &statusError{answer.StatusCode, path.Path}
	}
	return bounded(answer.Body), nil
}

// bounded ends an answer that is too long.
func bounded(body io.ReadCloser) io.ReadCloser {
	return struct {
		io.Reader
		io.Closer
	}{io.LimitReader(body, maxAnswer), body}
}

// below puts a path under the registry's own, unless it is there already: addresses
// of package files have it, names of packages do not.
func below(base, u *url.URL) (path, raw string) {
	if base.Path == "" || strings.HasPrefix(u.Path, base.Path+"/") {
		return u.Path, u.RawPath
	}
	joined := base.JoinPath(u.EscapedPath())
	return joined.Path, joined.RawPath
}
