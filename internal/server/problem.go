package server

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"vitrine"
)

// A Problem is an error as clients see it (RFC 9457), with a code that stays and
// what to do about it.
type Problem struct {
	Title  string `json:"title" doc:"the status in words"`
	Status int    `json:"status" doc:"the HTTP status"`
	Detail string `json:"detail" doc:"what was wrong, and where"`
	Code   string `json:"code" doc:"stable name of the cause, such as invalid_input, unauthorized, too_large, busy, memory, not_found"`
	Fix    string `json:"fix,omitempty" doc:"what to do about it"`
	// RetryAfter is in seconds; 0: trying again is of no use, or may be done at once.
	RetryAfter int `json:"-"`
}

// The codes of problems that are no faults of the pipeline.
const (
	codeUnauthorized = "unauthorized"
	codeForbidden    = "forbidden"
	codeNotFound     = "not_found"
	codeTooLarge     = "too_large"
	codeConflict     = "conflict"
	codeTimeout      = "timeout"
	codeDraining     = "draining"
	codeNotReady     = "not_ready"
)

// CodeMemory is the code of a request that found no memory.
const CodeMemory = "memory"

func problem(status int, code, detail, fix string) *Problem {
	return &Problem{Title: http.StatusText(status), Status: status, Detail: detail, Code: code, Fix: fix}
}

func notFound(what string) *Problem {
	return problem(http.StatusNotFound, codeNotFound, "there is no "+what, "")
}

// Missing is the problem of a name that nothing has.
func Missing(what string) *Problem { return notFound(what) }

func invalid(detail, fix string) *Problem {
	return problem(http.StatusUnprocessableEntity, string(vitrine.FaultInvalidInput), detail, fix)
}

// Invalid is the problem of a body that has another shape than it should.
func Invalid(err error) *Problem { return invalid(err.Error(), "") }

func (p *Problem) after(seconds int) *Problem {
	p.RetryAfter = seconds
	return p
}

// draining is what new work hears while the server ends.
func draining() *Problem {
	return problem(http.StatusServiceUnavailable, codeDraining, "the server is ending; what is under way is finished", "ask again in a moment, or another server").after(5)
}

// problemOf makes a problem of a fault. The status is that of its code.
func problemOf(err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	f := vitrine.AsFault("server", err)
	p = problem(faultStatus(f.Code), string(f.Code), f.Message, f.Fix)
	if f.Code.Retryable() {
		p.RetryAfter = 1
	}
	return p
}

func (p *Problem) Error() string { return p.Detail }

// GetStatus is the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// GetHeaders are those that go with the status.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	if p.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(p.RetryAfter))
	}
	if p.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Basic realm="vitrine"`)
	}
	if unread(p.Status) || p.Code == CodeMemory {
		h.Set("Connection", "close")
	}
	return h
}

// unread says that a request may not have been read to its end, so that nothing can
// follow on its connection.
func unread(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusRequestEntityTooLarge
}

// ContentType is that of problems.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// Write answers a request that did not come as far as the API.
func (p *Problem) Write(w http.ResponseWriter) {
	for name, values := range p.GetHeaders() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // who asked may be gone
}

// ours gives the problems that the API library finds our shape. The offending
// values are left out: an output may have megabytes.
func ours(ctx huma.Context, _ string, v any) (any, error) {
	theirs, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	if unread(theirs.Status) {
		ctx.SetHeader("Connection", "close")
	}
	detail := theirs.Detail
	var where []string
	for _, e := range theirs.Errors {
		at := strings.TrimPrefix(strings.TrimPrefix(e.Location, "body"), ".")
		where = append(where, strings.TrimPrefix(at+": "+e.Message, ": "))
		if len(where) == 5 {
			break
		}
	}
	if len(where) > 0 {
		detail += ": " + strings.Join(where, "; ")
	}
	return problem(theirs.Status, codeOf(theirs.Status), detail, ""), nil
}

func codeOf(status int) string {
	switch status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusUnsupportedMediaType:
		return string(vitrine.FaultInvalidInput)
	case http.StatusRequestEntityTooLarge:
		return codeTooLarge
	case http.StatusRequestTimeout:
		return codeTimeout
	case http.StatusNotFound:
		return codeNotFound
	case http.StatusInternalServerError:
		return string(vitrine.FaultInternal)
	}
	return strings.ReplaceAll(strings.ToLower(http.StatusText(status)), " ", "_")
}
