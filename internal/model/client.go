package model

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"vitrine"
	"vitrine/internal/digest"
	"vitrine/internal/singleflight"
)

// Settings is all that a client is told. The zero value of a field is its default,
// but for Dial.
type Settings struct {
	// Dial makes the models; it has to be given: providers.Dial.
	Dial Dial
	// Models are the entries of the models file: aliases, addresses, prices.
	Models map[string]Entry
	// Tape keeps conversations, so that equal ones are not asked twice, or not at
	// all; nil asks every time.
	Tape Tape

	BudgetUSD    float64 // stop before more than this is spent; 0: no limit
	BudgetTokens int     // stop before more than this is used, in and out; 0: no limit

	MaxConnections  int           // conversations with one endpoint at once; 64
	Retries         int           // tries after the first; 5. Negative: none
	AttemptDeadline time.Duration // for one try; 3 minutes
	Deadline        time.Duration // for a conversation with all its tries, from its first; 15 minutes
	Backoff         time.Duration // the first wait between tries is at most this; 500 ms

	// OnRetry is told of every further try before its wait. It must not block.
	OnRetry func(Retry)
	// Getenv reads variables. It must be set.
	Getenv func(string) string
	// Transport carries the requests; Go's own, with proxies by the usual variables.
	Transport http.RoundTripper
}

// A Retry is a try that failed and will be followed by another.
type Retry struct {
	Name    string        // provider/model
	Attempt int           // which try failed, from 1
	Cause   Cause         // why
	Status  int           // HTTP status, 0 without one
	Wait    time.Duration // until the next
}

// A Tape keeps conversations by their hash. It is safe for concurrent use.
type Tape interface {
	// Find returns the answer to a conversation. An error means that it may not be
	// asked either.
	Find(c Conversation) (response Response, found bool, err error)
	// Keep keeps an answered conversation.
	Keep(c Conversation) error
}

// A Client asks models by name. It is safe for concurrent use.
type Client struct {
	settings Settings
	prices   map[string]*Price
	ledger   *ledger
	calls    singleflight.Group[Reply]

	mu        sync.Mutex
	endpoints map[string]*endpoint
	idle      func() // closes the connections that the client opened
}

// NewClient makes a client. An error is ours, or a setting out of its range.
func NewClient(s Settings) (*Client, error) {
	if s.Dial == nil {
		return nil, fmt.Errorf("model client: Settings.Dial is missing")
	}
	if !(s.BudgetUSD >= 0) || s.BudgetTokens < 0 || s.MaxConnections < 0 {
		return nil, vitrine.NewFault("judge", vitrine.FaultUsage, nil, "budgets and connections cannot be negative").
			WithFix("leave the flag out for no limit")
	}
	rows, err := Prices()
	if err != nil {
		return nil, err
	}
	c := &Client{prices: map[string]*Price{}, endpoints: map[string]*endpoint{}, idle: func() {}}
	for _, r := range rows {
		c.prices[r.Name] = &r.Price
	}
	if s.Retries == 0 {
		s.Retries = 5
	}
	s.MaxConnections = cmp.Or(s.MaxConnections, 64)
	s.AttemptDeadline = cmp.Or(s.AttemptDeadline, 3*time.Minute)
	s.Deadline = cmp.Or(s.Deadline, 15*time.Minute)
	s.Backoff = cmp.Or(s.Backoff, 500*time.Millisecond)
	if s.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConnsPerHost = s.MaxConnections
		s.Transport, c.idle = t, t.CloseIdleConnections
	}
	c.settings, c.ledger = s, newLedger(s)
	return c, nil
}

// Close closes idle connections. Nothing may be asked afterwards.
func (c *Client) Close() { c.idle() }

// Spent is what was used up to now.
func (c *Client) Spent() Spending { return c.ledger.spent() }

// A Reply is an answer with what it took.
type Reply struct {
	Response
	Name string `json:"name"` // provider/model as asked for, aliases resolved
	// USD is the cost now: 0 if it came from the tape, nil if the price is not known
	// or the endpoint did not count its tokens.
	USD      *float64      `json:"usd"`
	Latency  time.Duration `json:"-"`        // of the attempt that answered; 0 from the tape
	Attempts int           `json:"attempts"` // 1: the first try; 0: none was needed
	Cached   bool          `json:"cached"`   // from the tape, or from an equal conversation under way
	Hash     string        `json:"hash"`     // of the conversation
}

// Ask has a conversation with a model: provider/model or an alias. r.Model is
// filled in. The error is a [*vitrine.Fault] of stage judge with an [*Error] in
// its chain if an endpoint said something: no_key, rate_limited, model_error,
// model_request, no_recording, budget, usage or interrupted. An answer that was
// cut off or refused is no error: Finish says so.
func (c *Client) Ask(ctx context.Context, name string, r Request) (Reply, error) {
	info, key, err := c.resolve(name)
	if err != nil {
		return Reply{}, err
	}
	if r.Model = info.Model; len(r.Embed) == 0 {
		r.MaxTokens = cmp.Or(r.MaxTokens, DefaultMaxTokens)
	} else if info.Protocol != OpenAI {
		return Reply{}, vitrine.NewFault("judge", vitrine.FaultUsage, nil, info.Name+" turns no texts into vectors").
			WithFix("name a model of an endpoint with OpenAI's /embeddings, such as openai/text-embedding-3-small or openai-api/NAME/MODEL")
	}
	if err := r.check(info.MaxImages); err != nil {
		return Reply{}, vitrine.NewFault("judge", vitrine.FaultModelRequest, NewError(CauseRequest, 0, err.Error(), nil), info.Name+" cannot be asked this")
	}
	talk := info.conversation(r)
	if c.settings.Tape == nil {
		return c.askNow(ctx, info, key, r, talk.Hash)
	}
	reply, shared, err := c.calls.Do(ctx, talk.Hash,
		func() (Reply, error) { return c.askOnce(ctx, info, key, r, talk) },
		func(reply Reply) (Reply, error) { return c.again(reply), nil })
	if shared && err != nil && ctx.Err() != nil {
		err = info.fault(ctx.Err())
	}
	return reply, err
}

// askOnce asks unless the tape has the answer, and keeps the answer.
func (c *Client) askOnce(ctx context.Context, info Info, key Secret, r Request, talk Conversation) (Reply, error) {
	response, found, err := c.settings.Tape.Find(talk)
	if err != nil {
		return Reply{}, err
	}
	if found {
		return c.again(Reply{Response: response, Name: info.Name, Hash: talk.Hash}), nil
	}
	reply, err := c.askNow(ctx, info, key, r, talk.Hash)
	if err != nil {
		return Reply{}, err
	}
	talk.Response = reply.Response
	return reply, c.settings.Tape.Keep(talk)
}

// again is a reply that costs nothing more.
func (c *Client) again(reply Reply) Reply {
	c.ledger.note(func(s *sums) { s.Cached++ })
	reply.USD, reply.Latency, reply.Attempts, reply.Cached = new(float64), 0, 0, true
	return reply
}

// askNow asks the endpoint within the budget.
func (c *Client) askNow(ctx context.Context, info Info, key Secret, r Request, hash string) (Reply, error) {
	expected := r.estimate(info.Protocol)
	if err := c.priced(info, expected); err != nil {
		return Reply{}, err
	}
	e, err := c.endpoint(info, key)
	if err != nil {
		return Reply{}, err
	}
	most := info.amount(expected)
	if err := c.ledger.reserve(ctx, most); err != nil {
		return Reply{}, info.fault(err)
	}
	a, err := e.ask(ctx, r)
	if err != nil {
		c.ledger.settle(most, amount{}, func(s *sums) { s.Failed++; s.Retries += max(a.attempts-1, 0) })
		return Reply{}, info.fault(err)
	}
	return c.book(info, a, most, hash), nil
}

// book settles an answered conversation. Where its tokens were not counted or
// their price is not known, the budget counts the most it was expected to use.
func (c *Client) book(info Info, a answer, most amount, hash string) Reply {
	reply := Reply{Response: a.Response, Name: info.Name, Latency: a.latency, Attempts: a.attempts, Hash: hash}
	used := info.amount(a.Usage)
	_, priced := info.Price.cost(a.Usage)
	if a.Usage.In+a.Usage.Out == 0 {
		used, priced = most, false
	}
	if priced {
		usd := used.cost.usd()
		reply.USD = &usd
	} else {
		used.cost = most.cost
	}
	c.ledger.settle(most, used, func(s *sums) {
		s.Calls++
		s.Retries += a.attempts - 1
		s.In, s.Out = s.In+a.Usage.In, s.Out+a.Usage.Out
		if priced {
			s.cost += used.cost
		} else {
			s.Unpriced++
		}
	})
	return reply
}

// amount is what tokens take of a budget.
func (i Info) amount(u Usage) amount {
	cost, _ := i.Price.cost(u)
	return amount{cost, u.In + u.Out}
}

// Abilities says what the endpoint of a name takes, as far as it was asked by this
// client.
func (c *Client) Abilities(name string) (Abilities, error) {
	info, key, err := c.resolve(name)
	if err != nil {
		return Abilities{}, err
	}
	e, err := c.endpoint(info, key)
	if err != nil {
		return Abilities{}, err
	}
	return e.abilities(), nil
}

// endpoint is the endpoint of a model, made when it is first asked.
func (c *Client) endpoint(info Info, key Secret) (*endpoint, error) {
	if err := info.wantKey(); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	id := digest.Of(info.Provider, info.BaseURL, string(key), info.Model)
	if e, there := c.endpoints[id]; there {
		return e, nil
	}
	m, err := c.settings.Dial(Target{
		Protocol: info.Protocol, BaseURL: info.BaseURL, Key: key, Model: info.Model,
		HTTP: httpClient(c.settings.Transport, key),
	})
	if err != nil {
		return nil, vitrine.NewFault("judge", vitrine.FaultInternal, err, info.Name+" cannot be reached")
	}
	e := &endpoint{model: m, name: info.Name, s: &c.settings, slots: newSlots(c.settings.MaxConnections)}
	c.endpoints[id] = e
	return e, nil
}

func (s *Settings) retrying(r Retry) {
	if s.OnRetry != nil {
		s.OnRetry(r)
	}
}
