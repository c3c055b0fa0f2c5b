package measured

import (
	"fmt"

	"vitrine"
)

// blank asks whether every view shows something at all.
func blank(in *input) vitrine.Finding {
	if !in.ev.Validity.Valid {
		return scored(reading{score: 0, why: fmt.Sprintf("The site does not render: %s.", in.invalidWhy())})
	}
	n := len(in.ev.Views)
	if n == 0 {
		return notApplicable("No view of the site was captured.")
	}
	good := len(in.views)
	if good == n {
		return scored(reading{score: 1, why: fmt.Sprintf("The site shows something on %s.", count(n, "view"))})
	}
	bad := firstInvalid(in.ev.Views)
	return scored(reading{
		score: float64(good) / float64(n),
		why:   fmt.Sprintf("%d of %s show nothing; the first is %s: %s.", n-good, count(n, "view"), bad.Route, sentence(bad.Validity.Why)),
	})
}

func firstInvalid(views []vitrine.View) *vitrine.View {
	for i := range views {
		if !views[i].Validity.Valid {
			return &views[i]
		}
	}
	return &vitrine.View{}
}
