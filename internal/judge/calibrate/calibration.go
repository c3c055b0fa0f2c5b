package calibrate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"vitrine"
	"vitrine/internal/stats"
	"vitrine/internal/strictyaml"
)

// Version is the version of the calibration file.
const Version = 1

// maxFile bounds a calibration file in bytes.
const maxFile = 64 << 10

// A Calibration is a fit of a measured judge to ratings.
type Calibration struct {
	Version int `yaml:"version" json:"version"`
	// Judge is the name@version of the judge whose checks were fitted. Another one
	// means other things by its scores.
	Judge    string   `yaml:"judge" json:"judge"`
	FittedOn FittedOn `yaml:"fitted_on" json:"fitted_on"`
	Folds    int      `yaml:"folds" json:"folds"`
	Seed     uint64   `yaml:"seed" json:"seed"`
	// Lambda is the ridge penalty, in units of the variance of a check.
	Lambda float64 `yaml:"lambda" json:"lambda"`
	// Calibrated are the figures of the fit out of fold, Default those of the
	// hand-set roll-up on the same ratings.
	Calibrated stats.Agreement `yaml:"calibrated" json:"calibrated"`
	Default    stats.Agreement `yaml:"default" json:"default"`

	Intercept float64 `yaml:"intercept" json:"intercept"`
	// Hand is the weight of the hand-set roll-up, in ratings.
	Hand   float64  `yaml:"hand" json:"hand"`
	Checks []Weight `yaml:"checks" json:"checks"`
	// Map turns sums into ratings. It is straight between its points, goes on beyond
	// its ends and is cut to the scale.
	Map []Point `yaml:"map" json:"map"`
}

// A Point of a map: from one to the next, sums rise and ratings never fall.
type Point struct {
	Sum    float64 `yaml:"sum" json:"sum"`
	Rating float64 `yaml:"rating" json:"rating"`
}

// FittedOn says which ratings a calibration was fitted on.
type FittedOn struct {
	Count int     `yaml:"count" json:"count"`
	Mean  float64 `yaml:"mean" json:"mean"`
	Low   float64 `yaml:"low" json:"low"` // lowest and highest rating: the scale
	High  float64 `yaml:"high" json:"high"`
	Hash  string  `yaml:"hash" json:"hash"` // of names, ratings, weights and groups
}

// A Weight is what a check counts for.
type Weight struct {
	ID     string  `yaml:"id" json:"id"`
	Weight float64 `yaml:"weight" json:"weight"` // in ratings, from score 0 to 1
	// Typical is the mean score of the check where it applied: it stands in where
	// the check does not apply.
	Typical float64 `yaml:"typical" json:"typical"`
}

// Parse reads a calibration of a judge, given its name@version and the ids of its
// checks. Unknown keys, another judge's calibration and impossible numbers are
// refused with a [*vitrine.Fault] of code [vitrine.FaultUsage].
func Parse(name string, data []byte, judge string, checks []string) (*Calibration, error) {
	var p Calibration
	err := decode(data, &p)
	if err == nil {
		err = p.validate(judge, checks)
	}
	if err != nil {
		return nil, vitrine.NewFault("judge", vitrine.FaultUsage, err, name+" is not a calibration for "+judge).
			WithFix("make one with vitrine judge calibrate --ratings ratings.csv --out calibration.yaml")
	}
	return &p, nil
}

func decode(data []byte, p *Calibration) error {
	if line, err := strictyaml.Check(data, maxFile); err != nil {
		return fmt.Errorf("line %d: %w", max(line, 1), err)
	}
	dec := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict())
	if err := dec.Decode(p); err != nil {
		if errors.Is(err, io.EOF) {
			return errors.New("it is empty")
		}
		return errors.New(firstLine(yaml.FormatError(err, false, false)))
	}
	if err := dec.Decode(new(Calibration)); !errors.Is(err, io.EOF) {
		return errors.New("it holds more than one document")
	}
	return nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

func (p *Calibration) validate(judge string, checks []string) error {
	f := p.FittedOn
	switch {
	case p.Version != Version:
		return fmt.Errorf("version is %d, this Vitrine reads %d", p.Version, Version)
	case p.Judge != judge:
		return fmt.Errorf("judge is %q: a calibration is for the judge that it was fitted with", p.Judge)
	case f.Count < 1 || !finite(f.Mean, f.Low, f.High) || f.Low >= f.High:
		return errors.New("fitted_on: want a count, and low below high")
	case !finite(p.Intercept):
		return errors.New("intercept: want a finite number")
	case !(p.Hand >= 0) || math.IsInf(p.Hand, 0):
		return fmt.Errorf("hand: want a weight of 0 or more, got %v", p.Hand)
	}
	seen := map[string]bool{}
	for i, c := range p.Checks {
		switch {
		case !slices.Contains(checks, c.ID):
			return fmt.Errorf("checks[%d]: there is no check %q", i, c.ID)
		case seen[c.ID]:
			return fmt.Errorf("checks[%d]: %s is there twice", i, c.ID)
		case !(c.Weight >= 0) || math.IsInf(c.Weight, 0):
			return fmt.Errorf("checks[%d]: weight of %s: want 0 or more, got %v", i, c.ID, c.Weight)
		case !(c.Typical >= 0 && c.Typical <= 1):
			return fmt.Errorf("checks[%d]: typical of %s: want 0 to 1, got %v", i, c.ID, c.Typical)
		}
		seen[c.ID] = true
	}
	return validMap(p.Map)
}

func validMap(points []Point) error {
	if len(points) < 2 {
		return errors.New("map: want at least two points {sum, rating}")
	}
	for i, p := range points {
		switch {
		case !finite(p.Sum, p.Rating):
			return fmt.Errorf("map[%d]: want finite numbers", i)
		case i > 0 && p.Sum <= points[i-1].Sum:
			return fmt.Errorf("map[%d]: want rising sums, got %v after %v", i, p.Sum, points[i-1].Sum)
		case i > 0 && p.Rating < points[i-1].Rating:
			return fmt.Errorf("map[%d]: want ratings that never fall, got %v after %v", i, p.Rating, points[i-1].Rating)
		}
	}
	return nil
}

// Marshal writes the calibration as YAML.
func (p *Calibration) Marshal() ([]byte, error) {
	b, err := yaml.MarshalWithOptions(p, yaml.Flow(false))
	if err != nil {
		return nil, fmt.Errorf("write calibration: %w", err)
	}
	return b, nil
}

// ID identifies what the calibration does to a judgement, for names and cache keys.
func (p *Calibration) ID() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %v %v %v %v %v", p.Judge, p.FittedOn, p.Intercept, p.Hand, p.Checks, p.Map))
	return hex.EncodeToString(sum[:4])
}

// Rating predicts what people would say, on the scale of the ratings, of a site
// with the hand-set roll-up hand in [0,1] and these findings.
func (p *Calibration) Rating(hand float64, findings []vitrine.Finding) float64 {
	scores := map[string]*float64{}
	for _, f := range findings {
		scores[f.Check] = f.Score
	}
	sum := p.Intercept + p.Hand*hand
	for _, c := range p.Checks {
		s := c.Typical
		if known := scores[c.ID]; known != nil {
			s = *known
		}
		sum += c.Weight * s
	}
	return p.cut(at(p.Map, sum))
}

// Position is where a rating lies on the scale: 0 at the lowest rating that was
// given, 1 at the highest.
func (p *Calibration) Position(rating float64) float64 {
	return (p.cut(rating) - p.FittedOn.Low) / (p.FittedOn.High - p.FittedOn.Low)
}

func (p *Calibration) cut(rating float64) float64 {
	return max(p.FittedOn.Low, min(p.FittedOn.High, rating))
}

func finite(xs ...float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}
