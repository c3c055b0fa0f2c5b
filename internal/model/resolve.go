package model

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vitrine"
)

// compareNames orders names by provider as the documentation does, then by model.
func compareNames(a, b string) int {
	rank := func(name string) int {
		first, _, _ := strings.Cut(name, "/")
		return slices.Index(Providers(), first)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

// Describe says what is known of a name, which is provider/model or an alias,
// without asking anybody. The error is a fault of code usage.
func (c *Client) Describe(name string) (Info, error) {
	info, _, err := c.resolve(name)
	return info, err
}

// resolve describes a name and reads its key, which no Info holds: those are
// printed.
func (c *Client) resolve(name string) (info Info, key Secret, err error) {
	full, e, alias := name, c.settings.Models[name], ""
	if e.Model != "" {
		full, alias = e.Model, name
		if under, ok := c.settings.Models[full]; ok { // what is said of the full name holds for aliases too
			e = e.over(under)
		}
	}
	p, id, err := find(full)
	if err != nil {
		return Info{}, "", c.orAlias(err)
	}
	info = Info{Name: full, Alias: alias, Provider: p.name, Protocol: p.protocol, Model: id, NeedsKey: !p.keyless, MaxImages: e.MaxImages}
	if e.KeyVariable != "" {
		p.keys, info.NeedsKey = []string{e.KeyVariable}, true
	}
	if info.KeyVariable, key, err = p.key(c.settings.Getenv); err != nil {
		return Info{}, "", err
	}
	info.HasKey = key != ""
	if e.BaseURL != "" {
		info.BaseURL, err = baseURL(p.protocol, e.BaseURL)
	} else {
		info.BaseURL, err = p.where(c.settings.Getenv)
	}
	if info.Price = e.Price; info.Price == nil {
		info.Price = c.prices[full]
	}
	return info, key, err
}

// over fills what an entry leaves open from another.
func (e Entry) over(under Entry) Entry {
	e.BaseURL, e.KeyVariable = cmp.Or(e.BaseURL, under.BaseURL), cmp.Or(e.KeyVariable, under.KeyVariable)
	e.MaxImages = cmp.Or(e.MaxImages, under.MaxImages)
	e.Price = cmp.Or(e.Price, under.Price)
	return e
}

// orAlias adds the aliases to what an unknown name could have been.
func (c *Client) orAlias(err error) error {
	f := vitrine.AsFault("judge", err)
	var aliases []string
	for word, e := range c.settings.Models {
		if e.Model != "" {
			aliases = append(aliases, word)
		}
	}
	if len(aliases) > 0 {
		slices.Sort(aliases)
		f.Fix += fmt.Sprintf("; aliases: %s", strings.Join(aliases, ", "))
	}
	return f
}

// Known describes every model that the models file or the table of prices names,
// by name; aliases come first. What cannot be described, such as a server whose
// variable is not set, is left out.
func (c *Client) Known() []Info {
	var all []Info
	for _, word := range slices.Sorted(maps.Keys(c.settings.Models)) {
		if info, err := c.Describe(word); err == nil {
			all = append(all, info)
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(c.prices), compareNames) {
		if _, there := c.settings.Models[name]; there {
			continue
		}
		if info, err := c.Describe(name); err == nil {
			all = append(all, info)
		}
	}
	return all
}

// Ready checks that a name can be asked: it is known, its key is there, and its
// price is known if there is a budget in dollars. Commands call it before they
// begin.
func (c *Client) Ready(name string) error {
	info, err := c.Describe(name)
	if err != nil {
		return err
	}
	if err := c.priced(info, Usage{}); err != nil {
		return err
	}
	return info.wantKey()
}

func (i Info) wantKey() error {
	if i.HasKey || !i.NeedsKey {
		return nil
	}
	return vitrine.NewFault("judge", vitrine.FaultNoKey, nil, fmt.Sprintf("%s needs a key: %s is not set", i.Name, i.KeyVariable)).
		WithFix("export " + i.KeyVariable + "=…")
}

// priced refuses tokens whose cost is not known where there is a budget in dollars.
func (c *Client) priced(i Info, expected Usage) error {
	_, known := i.Price.cost(expected)
	if c.settings.BudgetUSD == 0 || known {
		return nil
	}
	what := "the price of " + i.Name
	if i.Price != nil {
		what += fmt.Sprintf(" beyond %d tokens", i.Price.UpTo)
	}
	return vitrine.NewFault("judge", vitrine.FaultUsage, nil, what+" is not known, so a budget in dollars cannot hold").
		WithFix("use --budget-tokens, or give the price in the models file (docs/models.md)")
}
