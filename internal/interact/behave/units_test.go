package behave

import "testing"

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
