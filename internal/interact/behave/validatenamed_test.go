package behave

import "testing"

// What must be greater than a number is not read as what must be at most that.
func TestMostIsReadOnlyWhereItIsSaid(t *testing.T) {
	t.Parallel()
	for quote, want := range map[string]float64{
		"asking for more than ten should be turned down":             10,
		"the amount must not exceed $1,500":                          1500,
		"a maximum of 6 guests":                                      6,
		"Age (max. 99)":                                              99,
		"shows an error message if the age is not over 18":           0,
		"the amount is greater than 0":                               0,
		"must be greater than 18 or it is rejected":                  0,
		"ages not higher than 18 are rejected":                       0,
		"error messages shown over the fields of the 3-step form":    0,
		"names of at most 20 characters":                             0,
		"keep the list up to date. 3 fields are checked in the form": 0,
	} {
		if got, ok := most(quote); got != want || ok != (want > 0) {
			t.Errorf("%q: %v, want %v", quote, got, want)
		}
	}
}
