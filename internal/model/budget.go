package model

import (
	"context"
	"fmt"
	"sync"

	"vitrine"
)

// Spending is what a client has used up.
type Spending struct {
	Calls    int `json:"calls"`    // conversations that an endpoint answered
	Cached   int `json:"cached"`   // conversations that the tape or another caller answered
	Failed   int `json:"failed"`   // conversations without an answer
	Retries  int `json:"retries"`  // attempts after the first
	Unpriced int `json:"unpriced"` // answered calls whose cost is not known
	In       int `json:"tokens_in"`
	Out      int `json:"tokens_out"`
	// USD is the cost of the calls whose cost is known, exact to the millionth of a
	// cent. Attempts that failed are not in it: endpoints do not tell what they cost.
	USD float64 `json:"usd"`
}

// String says it in a line; what is not known is never $0.
func (s Spending) String() string {
	return fmt.Sprintf("%d calls, %d from earlier, %d retries, %d failed; %d tokens in, %d out; %s", s.Calls, s.Cached, s.Retries, s.Failed, s.In, s.Out, s.Cost())
}

// Cost says what the calls cost.
func (s Spending) Cost() string {
	switch {
	case s.Unpriced == 0:
		return fmt.Sprintf("$%.4f", s.USD)
	case s.USD > 0:
		return fmt.Sprintf("$%.4f and what %d calls of unknown price cost", s.USD, s.Unpriced)
	}
	return "$?"
}

// amount is what a conversation may use, or used.
type amount struct {
	cost   money
	tokens int
}

func (a amount) plus(b amount) amount  { return amount{a.cost + b.cost, a.tokens + b.tokens} }
func (a amount) minus(b amount) amount { return amount{a.cost - b.cost, a.tokens - b.tokens} }

// within reports whether an amount keeps to a limit; a zero limit is none.
func (a amount) within(limit amount) bool {
	return (limit.cost == 0 || a.cost <= limit.cost) && (limit.tokens == 0 || a.tokens <= limit.tokens)
}

// A ledger keeps what was used and stops at a limit. Before a conversation, the
// most it can use is set aside; afterwards what it used is booked. What is set
// aside for others may come back, so a conversation that finds too little left
// waits for those under way before it is refused.
type ledger struct {
	limit amount

	mu       sync.Mutex
	used     amount
	aside    amount
	underWay int
	reached  bool          // one was refused: all are, from then on
	changed  chan struct{} // closed when a conversation under way ends
	sum      sums
}

// sums is what was booked.
type sums struct {
	Spending
	cost money // of the calls whose cost is known
}

func newLedger(s Settings) *ledger {
	return &ledger{limit: amount{inMoney(s.BudgetUSD), s.BudgetTokens}, changed: make(chan struct{})}
}

// reserve sets an amount aside. The error is a fault of code budget, or that of
// ctx.
func (l *ledger) reserve(ctx context.Context, most amount) error {
	for {
		l.mu.Lock()
		fits := l.used.plus(l.aside).plus(most).within(l.limit)
		switch {
		case l.reached || !fits && (l.underWay == 0 || !l.used.plus(most).within(l.limit)):
			l.reached = true
			used := l.used
			l.mu.Unlock()
			return l.refuse(used, most)
		case fits:
			l.aside = l.aside.plus(most)
			l.underWay++
			l.mu.Unlock()
			return nil
		}
		changed := l.changed
		l.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (l *ledger) refuse(used, most amount) error {
	message := fmt.Sprintf("the budget is reached: %d of %d tokens are used, the next conversation may take %d", used.tokens, l.limit.tokens, most.tokens)
	if l.limit.cost > 0 && !used.plus(most).within(amount{cost: l.limit.cost}) || l.limit.tokens == 0 {
		message = fmt.Sprintf("the budget is reached: $%.4f of $%.4f are used, the next conversation may cost $%.4f", used.cost.usd(), l.limit.cost.usd(), most.cost.usd())
	}
	return vitrine.NewFault("judge", vitrine.FaultBudget, nil, message).
		WithFix("go on with --resume and a larger --budget-usd or --budget-tokens")
}

// settle ends what reserve began: most is given back and what was used is booked.
func (l *ledger) settle(most, used amount, book func(*sums)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.aside = l.aside.minus(most)
	l.used = l.used.plus(used)
	l.underWay--
	book(&l.sum)
	close(l.changed)
	l.changed = make(chan struct{})
}

// note books what uses nothing of the budget.
func (l *ledger) note(book func(*sums)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	book(&l.sum)
}

func (l *ledger) spent() Spending {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.sum.Spending
	s.USD = l.sum.cost.usd()
	return s
}
