package model

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/goccy/go-yaml"
)

// money is US dollars in units of 1e-12. A price of micro-dollars per million
// tokens times a number of tokens is such a number exactly, so that sums have no
// rounding; int64 holds nine million dollars.
type money int64

const (
	perUSD      = 1e12
	microPerUSD = 1e6
)

// usd is for showing and for reports; sums are made before.
func (m money) usd() float64 { return float64(m) / perUSD }

// inMoney rounds dollars down.
func inMoney(usd float64) money { return money(math.Min(usd*perUSD, math.MaxInt64/2)) }

// A Price is what tokens cost, in US dollars per million, as a provider published
// it on a day.
type Price struct {
	In  float64 `json:"in" yaml:"in"`
	Out float64 `json:"out" yaml:"out"`
	// Cached is for tokens that the provider had read before; nil means In.
	Cached *float64 `json:"cached,omitempty" yaml:"cached"`
	// UpTo is the longest conversation, in tokens, that the price holds for; 0 means
	// any. Beyond, the price is not known.
	UpTo   int    `json:"up_to,omitempty" yaml:"up_to"`
	Date   string `json:"date" yaml:"date"`               // YYYY-MM-DD
	Source string `json:"source,omitempty" yaml:"source"` // where it is published
}

// check wants prices that are exact in micro-dollars, and a date.
func (p Price) check() error {
	amounts := []float64{p.In, p.Out}
	if p.Cached != nil {
		amounts = append(amounts, *p.Cached)
	}
	for _, a := range amounts {
		micro := a * microPerUSD
		if !(a >= 0 && a <= 1e5) || math.Abs(micro-math.Round(micro)) > 1e-3 {
			return fmt.Errorf("price: want dollars per million tokens, 0 to 100000 with at most six decimals, got %v", a)
		}
	}
	if _, err := time.Parse(time.DateOnly, p.Date); err != nil {
		return fmt.Errorf("price: date: want the day the price was looked up, such as 2026-11-21, got %q", p.Date)
	}
	if p.UpTo < 0 {
		return fmt.Errorf("price: up_to: want a number of tokens, got %d", p.UpTo)
	}
	return nil
}

// cost is exact. ok is false where the price does not hold.
func (p *Price) cost(u Usage) (cost money, ok bool) {
	if p == nil || p.UpTo > 0 && u.In > p.UpTo {
		return 0, false
	}
	cached := p.In
	if p.Cached != nil {
		cached = *p.Cached
	}
	read := min(u.Cached, u.In)
	return perToken(p.In)*money(u.In-read) + perToken(cached)*money(read) + perToken(p.Out)*money(u.Out), true
}

// perToken is the price of one token: dollars per million are micro-dollars per
// token, and micro-dollars per million the unit of money.
func perToken(usd float64) money { return money(math.Round(usd * microPerUSD)) }

//go:embed prices.yaml
var pricesYAML []byte

// A PriceRow is a line of the table of prices.
type PriceRow struct {
	Name  string `json:"name" yaml:"name"` // provider/model
	Price `yaml:",inline"`
}

// Prices is the table that comes with Vitrine, by name. A model that is not in it
// has no known price.
func Prices() ([]PriceRow, error) {
	var rows []PriceRow
	if err := yaml.NewDecoder(bytes.NewReader(pricesYAML), yaml.Strict()).Decode(&rows); err != nil {
		return nil, fmt.Errorf("table of prices: %w", err)
	}
	for _, r := range rows {
		if err := r.check(); err != nil {
			return nil, fmt.Errorf("table of prices: %s: %w", r.Name, err)
		}
	}
	slices.SortFunc(rows, func(a, b PriceRow) int { return compareNames(a.Name, b.Name) })
	return rows, nil
}

// PricesOf are the known prices of models, each name once.
func PricesOf(all []Info) []PriceRow {
	rows, seen := []PriceRow{}, map[string]bool{}
	for _, m := range all {
		name := m.Name
		if m.Alias != "" {
			name = m.Alias
		}
		if m.Price != nil && !seen[name] {
			seen[name] = true
			rows = append(rows, PriceRow{Name: name, Price: *m.Price})
		}
	}
	return rows
}
