package behave

import (
	"slices"
	"testing"
)

// A label names a unit where all its words do: of other measures nothing is known here.
func TestALabelNamesAUnitByAllItsWords(t *testing.T) {
	t.Parallel()
	for label, dimension := range map[string]string{
		"Meters": "length", "Kilometers (km)": "length", "ft": "length", "Degrees Celsius (°C)": "temperature", "°F": "temperature", "Ounces (oz)": "weight", "公里": "length",
		"Square meters": "", "m²": "", "m^2": "", "sq ft": "", "Cubic meters": "", "km/h": "", "m/s": "", "Miles per hour": "", "Kilometers/hour": "",
		"Fluid ounces": "", "fl oz": "", "Nautical miles": "", "Feet and inches": "", "平方米": "", "degrees": "", "": "",
	} {
		u, ok := unitOf(label)
		if u.dimension != dimension || ok != (dimension != "") {
			t.Errorf("%q is of %q, want %q", label, u.dimension, dimension)
		}
	}
}

// Each dimension of a list has a pair before any has its second.
func TestConversionsTakeTheDimensionsInTurn(t *testing.T) {
	t.Parallel()
	var list measured
	for _, label := range []string{"Meters", "Kilometers", "Feet", "Celsius", "Fahrenheit", "Grams"} {
		u, _ := unitOf(label)
		list.labels, list.units = append(list.labels, label), append(list.units, u)
	}
	want := []conversion{{0, 1}, {3, 4}, {1, 0}, {4, 3}, {2, 0}}
	if got := conversions(list, list); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
