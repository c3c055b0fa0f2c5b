package imports

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"vitrine/internal/meta/answers"
)

// calista reads the looks of screenshots by people (Delitzas et al. 2023): the mean grade, 1 to
// 9, of those of Reinecke and Gajos (2014), in the authors' split; which of two of 100 pages is
// the more attractive; and the grade, 1 to 10, that the authors' Bradley-Terry model makes of that.
func calista(dir string) (lines []answers.Line, err error) {
	rated, compared := filepath.Join(dir, "rating-based-dataset"), filepath.Join(dir, "comparison-based-dataset")
	for _, half := range []struct {
		folder string
		read   func(string) ([]answers.Line, error)
	}{{rated, calistaMeans}, {compared, calistaScores}, {compared, calistaVotes}} {
		if _, err := os.Stat(half.folder); os.IsNotExist(err) {
			continue // each half has a licence of its own, and may be there without the other
		}
		more, err := half.read(half.folder)
		if err != nil {
			return nil, err
		}
		lines = append(lines, more...)
	}
	return lines, nil
}

// calistaMeans are people's mean grades. A copy may lack the list of the test pictures.
func calistaMeans(dir string) (lines []answers.Line, err error) {
	for _, list := range []struct{ file, split string }{{"train_means_list.csv", "fit"}, {"test_list.csv", "test"}} {
		rows, err := readCSV(filepath.Join(dir, "preprocess", list.file))
		if os.IsNotExist(err) && list.split == "test" {
			continue
		}
		if err != nil {
			return nil, err
		}
		for n, row := range rows {
			mean := grade(row["mean_score"])
			language, picture, ok := strings.Cut(strings.Trim(row["image"], "/"), "_resized/")
			if !ok || mean == nil {
				return nil, fmt.Errorf("%s, row %d: image %q, mean_score %q; want a picture of a _resized folder and a number", list.file, n+1, row["image"], row["mean_score"])
			}
			i := answers.Item{
				ID: language + "/" + picture + "#appeal", Kind: answers.Rating, Question: "appeal, 1 to 9", Task: language + "/" + picture,
				Category: language, Split: list.split, Truth: mean,
			}
			i.Shown = shownPicture(filepath.Join(dir, "images", language, picture))
			lines = append(lines, itemLine(i))
		}
	}
	return lines, nil
}

// shownPicture shows a picture; nothing where the copy lacks it.
func shownPicture(files ...string) (shown []answers.Thing) {
	for _, file := range files {
		if _, err := os.Stat(file); err != nil {
			return nil
		}
		shown = append(shown, answers.Thing{Picture: absolute(file)})
	}
	return shown
}

func calistaScores(dir string) (lines []answers.Line, err error) {
	rows, err := readCSV(filepath.Join(dir, "website_scores.csv"))
	if err != nil {
		return nil, err
	}
	for n, row := range rows {
		page, score := strings.TrimPrefix(row["website"], "image"), grade(row["score"])
		if _, err := strconv.Atoi(page); err != nil || score == nil {
			return nil, fmt.Errorf("website_scores.csv, row %d: website %q, score %q; want image and a number, and a number", n+1, row["website"], row["score"])
		}
		lines = append(lines, itemLine(answers.Item{
			ID: page + "#attractiveness", Kind: answers.Rating, Question: "attractiveness, 1 to 10", Task: page, Truth: score,
			Shown: shownPicture(filepath.Join(dir, "images", page+".png")),
		}))
	}
	return lines, nil
}

// calistaVotes are the choices of the sessions that their authors accept. A session has some
// pairs twice, with the places changed, and the same choice; it counts once. A pair that was
// passed over (-1) is no tie to them, and no label here.
func calistaVotes(dir string) (lines []answers.Line, err error) {
	var sessions []struct {
		ID struct {
			OID string `json:"$oid"`
		} `json:"_id"`
		Accepted bool `json:"acc"`
		Votes    []struct {
			Left   *int `json:"imL"`
			Right  *int `json:"imR"`
			Choice *int `json:"imC"`
		} `json:"vot"`
	}
	if err := readJSON(filepath.Join(dir, "data", "votesessions.json"), &sessions); err != nil {
		return nil, err
	}
	known, said := map[string]bool{}, map[string]bool{}
	for _, s := range sessions {
		if !s.Accepted {
			continue
		}
		for n, v := range s.Votes {
			if v.Left == nil || v.Right == nil || v.Choice == nil || *v.Left == *v.Right || *v.Choice != -1 && *v.Choice != *v.Left && *v.Choice != *v.Right {
				return nil, fmt.Errorf("votesessions.json, session %s, vote %d: want imL and imR, two pictures, and imC, one of them or -1", s.ID.OID, n+1)
			}
			a, b := min(*v.Left, *v.Right), max(*v.Left, *v.Right)
			id := fmt.Sprintf("%d, %d#more attractive", a, b)
			if *v.Choice == -1 || said[s.ID.OID+id] {
				continue
			}
			said[s.ID.OID+id] = true
			if !known[id] {
				known[id] = true
				lines = append(lines, itemLine(answers.Item{
					ID: id, Kind: answers.Pair, Question: "more attractive",
					Shown: shownPicture(filepath.Join(dir, "images", fmt.Sprintf("%d.png", a)), filepath.Join(dir, "images", fmt.Sprintf("%d.png", b))),
				}))
			}
			side := map[bool]string{true: "A", false: "B"}
			lines = append(lines, labelLine(answers.Label{Item: id, Rater: s.ID.OID, Value: answers.Text(side[*v.Choice == a]), First: side[*v.Left == a]}))
		}
	}
	return lines, nil
}
