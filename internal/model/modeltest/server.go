// Package modeltest is a server for tests that speaks the wire formats of OpenAI's
// Chat Completions and Embeddings, Anthropic's Messages and Gemini's generateContent. A test says
// what the model answers, or how the endpoint fails:
//
//	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
//		return modeltest.Answer{Text: `{"score": 4}`}
//	})
//	client := server.Client(t, model.Settings{})
//	reply, err := client.Ask(ctx, "openai/gpt-5-mini", request)
//
// Nothing but this server is reached: names of every provider, also with their
// usual addresses, lead to it.
package modeltest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vitrine/internal/model"
	"vitrine/internal/model/providers"
)

// Key is the key that the server expects from everybody. It is a canary: it must
// not be found in errors, logs or recordings.
const Key = "canary-5f1d0c3e9b7a"

// A Question is a request as the server read it off the wire.
type Question struct {
	Protocol model.Protocol
	Call     int // which request of this server it is, from 1
	Model    string
	System   string
	Text     string // the texts of all messages, a line each
	Messages []model.Message
	Images   []model.Image // of all messages, in order
	Embed    []string      // to be turned into vectors; Text has them, too, a line each
	// Schema is what the endpoint is asked to enforce, as it was sent; JSON is set if
	// it is asked for any JSON.
	Schema      []byte
	JSON        bool
	MaxTokens   int
	LimitName   string // under which name MaxTokens came
	Temperature *float64
	TopP        *float64
	Seed        *int64
	Thinking    int // tokens that it may think for, as Anthropic's protocol says it; 0: not
}

// An Answer is what the model says, or Failure what the endpoint does instead.
type Answer struct {
	Text    string
	Finish  model.Finish // FinishStop if empty
	Refusal string       // with FinishRefused
	Vectors [][]float64  // of the texts of Embed
	Model   string       // the model that was asked if empty
	// Usage is counted from the texts and pictures if it is zero, unless NoUsage.
	Usage   model.Usage
	NoUsage bool
	// InPieces sends it a few bytes at a time, as a stream of chunks.
	InPieces bool
	// Wait holds the answer back until it is closed, or the caller gives up.
	Wait    <-chan struct{}
	Failure *Failure
}

// A Failure is an endpoint in trouble. The first of the fields that is set decides;
// without any it is status 500.
type Failure struct {
	CutOff bool // the connection breaks in the middle of a good answer
	Hang   bool // there is no answer until the caller gives up
	Stall  bool // half of a good answer comes, and no more until the caller gives up
	// Endless is sent again and again, as ContentType, until the caller hangs up.
	Endless string
	// Location is where a redirect with Status leads.
	Location string
	Body     string // sent as it is, with Status (200 if 0) and ContentType
	// Status with an error in the protocol's own form.
	Status      int
	Message     string
	Type        string // OpenAI: type and code; Anthropic: type; Google: status
	Param       string // OpenAI
	RetryAfter  string // the header
	RetryMillis int    // the header retry-after-ms, or Google's retryDelay
	ContentType string
}

// A Server is a local server of all protocols. It is safe for concurrent use.
type Server struct {
	URL string

	mu     sync.Mutex
	calls  int
	answer func(Question) Answer
	server *httptest.Server
}

// New starts a server that answers by a function, which may be called by several
// at once. It ends with the test.
func New(t testing.TB, answer func(Question) Answer) *Server {
	t.Helper()
	s := &Server{answer: answer}
	s.server = httptest.NewServer(s)
	s.URL = s.server.URL
	t.Cleanup(func() {
		s.server.CloseClientConnections()
		s.server.Close()
	})
	return s
}

// Calls is how many requests came in.
func (s *Server) Calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

// Env are the variables that lead every provider to the server.
func (s *Server) Env() map[string]string {
	return map[string]string{
		"OPENAI_API_KEY": Key, "OPENAI_BASE_URL": s.URL + "/v1",
		"ANTHROPIC_API_KEY": Key, "ANTHROPIC_BASE_URL": s.URL,
		"GOOGLE_API_KEY": Key, "GOOGLE_BASE_URL": s.URL,
		"OPENROUTER_API_KEY": Key, "OPENROUTER_BASE_URL": s.URL + "/v1",
		"VLLM_API_KEY": Key, "VLLM_BASE_URL": s.URL + "/v1",
		"SGLANG_API_KEY": Key, "SGLANG_BASE_URL": s.URL + "/v1",
		"OLLAMA_API_KEY": Key, "OLLAMA_HOST": strings.TrimPrefix(s.URL, "http://"),
		"TEST_API_KEY": Key, "TEST_BASE_URL": s.URL,
	}
}

// keys are the variables of keys alone: the addresses stay the providers' own.
func keys(name string) string {
	if strings.HasSuffix(name, "_API_KEY") && name != "GEMINI_API_KEY" {
		return Key
	}
	return ""
}

// Client is a client whose every request comes here. The addresses are the
// providers' own, so that recordings do not depend on the server's port. Fields of
// s that are set stay, but for Dial; waits between tries are short.
func (s *Server) Client(t testing.TB, settings model.Settings) *model.Client {
	t.Helper()
	settings.Dial = providers.Dial
	if settings.Getenv == nil {
		settings.Getenv = keys
	}
	if settings.Backoff == 0 {
		settings.Backoff = time.Millisecond
	}
	if settings.Transport == nil {
		transport := &detour{to: s.URL, base: &http.Transport{MaxIdleConnsPerHost: 64}}
		t.Cleanup(transport.base.CloseIdleConnections)
		settings.Transport = transport
	}
	client, err := model.NewClient(settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// detour leads every request to one server.
type detour struct {
	to   string
	base *http.Transport
}

// RoundTrip implements [http.RoundTripper].
func (d *detour) RoundTrip(req *http.Request) (*http.Response, error) {
	to, err := url.Parse(d.to)
	if err != nil {
		return nil, err
	}
	req = req.Clone(req.Context())
	req.URL.Scheme, req.URL.Host, req.Host = to.Scheme, to.Host, to.Host
	return d.base.RoundTrip(req)
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return // the caller is gone
	}
	speak, known := speakers[protocolOf(req.URL.Path)]
	if !known {
		http.Error(w, "no such path: "+req.URL.Path, http.StatusNotFound)
		return
	}
	q, err := speak.read(req, body)
	if err != nil {
		speak.fail(w, Failure{Status: http.StatusBadRequest, Message: "the test server cannot read this: " + err.Error(), Type: "invalid_request_error"})
		return
	}
	if key := speak.key(req); key != Key {
		speak.fail(w, Failure{Status: http.StatusUnauthorized, Message: "Incorrect API key provided: " + key, Type: "authentication_error"})
		return
	}
	s.mu.Lock()
	s.calls++
	q.Call = s.calls
	s.mu.Unlock()
	a := s.answer(q)
	if a.Wait != nil {
		select {
		case <-a.Wait:
		case <-req.Context().Done():
			return
		}
	}
	reply(w, req, speak, q, a)
}

func reply(w http.ResponseWriter, req *http.Request, speak speaker, q Question, a Answer) {
	good := speak.write(q, a.filled(q))
	switch f := a.Failure; {
	case f == nil && a.InPieces:
		w.Header().Set("Content-Type", "application/json")
		for piece := range slices.Chunk(good, 7) {
			_, _ = w.Write(piece)
			_ = http.NewResponseController(w).Flush()
		}
	case f == nil:
		send(w, http.StatusOK, "application/json", good)
	case f.CutOff:
		w.Header().Set("Content-Length", fmt.Sprint(len(good)))
		_, _ = w.Write(good[:len(good)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler) // how net/http breaks a connection
	case f.Hang:
		<-req.Context().Done()
	case f.Stall:
		_, _ = w.Write(good[:len(good)/2])
		_ = http.NewResponseController(w).Flush()
		<-req.Context().Done()
	case f.Endless != "":
		w.Header().Set("Content-Type", f.ContentType)
		for gone := error(nil); gone == nil; {
			_, gone = io.WriteString(w, f.Endless)
		}
	case f.Location != "":
		http.Redirect(w, req, f.Location, f.Status)
	case f.Body != "":
		headers(w, *f)
		send(w, max(f.Status, 200), f.ContentType, []byte(f.Body))
	default:
		speak.fail(w, *f)
	}
}

// filled completes an answer. Where a test says no usage, a token is four bytes.
func (a Answer) filled(q Question) Answer {
	if a.Finish == "" {
		a.Finish = model.FinishStop
	}
	if a.Model == "" {
		a.Model = q.Model
	}
	if a.Usage == (model.Usage{}) && !a.NoUsage {
		a.Usage = model.Usage{In: len(q.System+q.Text)/4 + 1, Out: len(a.Text)/4 + 1}
	}
	return a
}

func headers(w http.ResponseWriter, f Failure) {
	if f.RetryAfter != "" {
		w.Header().Set("Retry-After", f.RetryAfter)
	}
	if f.RetryMillis > 0 {
		w.Header().Set("Retry-After-Ms", fmt.Sprint(f.RetryMillis))
	}
}

func send(w http.ResponseWriter, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func sendJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain values of ours
	}
	send(w, status, "application/json", body)
}
