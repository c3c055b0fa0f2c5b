package require

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

// asked are the behaviours of requirements with what they act on, "create task", of which
// the instruction or the kind of site is a cue; defaults are left out.
func asked(q vitrine.Requirements) (names []string) {
	for _, r := range q.Behaviors {
		if !slices.Contains(r.Cues, "default") || len(r.Cues) > 1 {
			names = append(names, strings.TrimSpace(string(r.Behavior)+" "+r.Entity))
		}
	}
	return names
}

func TestMoulds(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"functionalities for", "Please implement a website for a bicycle workshop. The website should have functionalities for booking repairs, browsing spare parts, and parts search.", "submit repair|list spare part|search part"},
		{"users should be able to", "Build a library site. Users should be able to search for books, filter books by genre, borrow them, and view their loan history.", "search book|filter book|submit book|history loan history"},
		{"verbs that share an object", "Visitors can search and filter recipes.", "search recipe|filter recipe"},
		{"one verb, several objects", "Design a page. Members can browse trails, huts and peaks.", "list trail|list hut|list peak"},
		{"manage hides three", "A tool that lets teachers manage pupils.", "create pupil|edit pupil|delete pupil"},
		{"what I can create is no order to build", "Build a board. I can create issues, drag issues between columns and search issues.", "create issue|drag issue|search issue"},
		{"an animation in Chinese", "创建一个太阳系动画，要求：展示行星，计算轨道并实时更新。", "scene"},
		{"a site is not created by its users", "创建一个任务网站，用户可以创建任务。", "create 任务"},
		{"manage by a noun", "The system should have functionalities for supplier management.", "create supplier|edit supplier|delete supplier"},
		{"track status", "Customers can check the status of a parcel.", "lookup parcel"},
		{"view history", "Runners can view their past races.", "history race"},
		{"allowing users to", "Create a notice board, allowing users to post notices and comment on them.", "create notice|reply notice"},
		{"where users can", "A site where users can vote on songs and follow artists.", "join song|join artist"},
		{"featuring", "Create a page for a bakery, featuring a shopping cart, a contact form and a photo gallery.", "cart|submit|list"},
		{"showcasing", "Create a homepage for a sculptor, showcasing her sculptures and exhibitions.", "list sculpture|list exhibition"},
		{"forms of -ing", "An app for tracking parcels by uploading receipts and exporting tables.", "lookup parcel|upload receipt|export table"},
		{"a game", "Create a browser game where players steer a boat, collect shells and dodge rocks.", "game"},
		{"a game's name", "Write a minesweeper clone with a leaderboard and a dark mode toggle.", "order|setting|game"},
		{"not a game", "Create a website about chess, its rules and its champions.", ""},
		{"a scene", "Create a 3D model of a windmill, allowing users to rotate and zoom.", "scene windmill"},
		{"a calculator", "Make a tip calculator.", "calculate tip"},
		{"a site to draw on", "Build a paint program with brush colors, an eraser and a button to clear the canvas.", "draw"},
		{"what users draw", "A sandbox where users can draw lines with the mouse and balls bounce off them.", "draw line"},
		{"a pixel editor", "Build a pixel art editor.", "draw"},
		{"a site to draw on, in Chinese", "创建一个画板，可以选择颜色并清空画布。", "draw"},
		{"a chart that is drawn", "Create a weather chart. Draw a line for each city.", "chart weather"},
		{"a chatbot", "A chatbot for gardeners that answers questions about plants.", "chat gardener"},
		{"a music player", "A music player with playlists, where listeners can shuffle songs.", "media|customize song"},
		{"a relative clause between", "Users can filter flats that suit them, reserve flats, and view reservations.", "filter flat|submit flat|list reservation"},
		{"let me", "A wheel: let me add and remove options.", "create option|delete option"},
		{"what is counted", "A stopwatch that counts laps and counts up.", "live|aggregate lap"},
		{"the tab of the browser", "A tally whose draft is kept if I close the tab.", "aggregate|persist"},
		{"an assistant that answers", "An assistant that answers my questions.", "chat question"},
		{"my own", "Add my books to a shelf.", "create book"},
		{"found again", "A shelf that I find again tomorrow.", "persist"},
		{"built, not generated", "Generate an issue board with a search.", "search"},
		{"a verb of several words", "Hikers can get rid of routes and look back at their tours.", "delete route|history tour"},
		{"passives of any verb", "Tours are added by typing. Every tour can be renamed.", "create tour|edit tour"},
		{"no request behind when", "The sum is shown when a lamp is removed.", "aggregate sum"},
		{"orders to the page", "Generate a password.", "customize password"},
		{"orders to who builds it", "Generate a page for a password.", ""},
		{"what can be done to what is listed", "A page with a list of entries that can be deleted.", "list entry|delete entry"},
		{"each of several", "A list of expenses, each of which can be edited or deleted.", "list expense|edit expense|delete expense"},
		{"a form to order", "A bakery page with a form to order a loaf.", "submit loaf"},
		{"what I want to add", "A trip planner: I want to add people and expenses, delete expenses, and see the balance.", "create person|create expense|delete expense|aggregate balance"},
		{"what I want to be added to the page", "I want to add a dark mode.", "setting"},
		{"what was said before", "A habit tracker: add habits, tick them off and delete them.", "create habit|status habit|delete habit"},
		{"a button that says what was done", "A table of bills with a \"Paid\" button each.", "list bill|status"},
		{"kept in the browser", "A page of plants. Save it in the browser.", "persist"},
		{"totals of several words", "A rota with total hours for the week.", "aggregate week"},
		{"levels of a game", "Write minesweeper, and let me choose beginner/intermediate/expert.", "setting|game"},
		{"labels of several buttons", "Cards of plants with edit and delete buttons.", "delete|edit|list"},
		{"labels of three buttons", "Cards of plants with search, edit, and delete icons.", "search|delete|edit|list"},
		{"options of a row", "Plants are listed, with edit and delete options.", "list plant|edit|delete"},
		{"to what is no verb", "Flash cards where a click on a card turns it to the answer.", "panels"},
		{"a planner that makes the plan", "A trip planner that writes a day plan for the place I type.", "report day plan"},
		{"a picture from a disk", "Open a picture from my disk and turn it grey.", "upload"},
		{"text that is pasted", "Paste CSV and sort the rows.", "order"},
		{"what moves by itself", "A 3D animation of a mill whose sails move around a post.", "scene mill"},
		{"as people put it", "Vases: let me enter one, throw one away, look at one category only. A price below zero is not allowed.", "detail category|create|delete|filter|validate"},
		{"kept for tomorrow", "Jot vases down. They must be there tomorrow, and a wrong price is pointed out.", "persist|validate"},
		{"a list in one line", "An app for hikers. Features: - add tours - delete tours - a share button", "create tour|delete tour|export"},
		{"each of them", "Show every lamp with its price.", "list lamp"},
		{"words for something else", "Show only the open tours.", "filter"},
		{"a game by its rules", "Steer a boat with the arrow keys and avoid the rocks; three lives.", "game"},
		{"what a page is about", "A page about searching for fossils.", ""},
		{"a relative clause goes on", "A site that helps hikers and showcases remote huts.", "list remote hut"},
		{"denied", "Users can add notes without registering. There is no login.", "create note"},
		{"a result of it", "Users can share photos, creating a lively community.", "create photo"},
		{"topics of a text", "A site offering advice on camping, covering choosing a tent, adding pegs, and booking a pitch.", ""},
		{"drag and drop", "A planner where users drag and drop lessons between days.", "drag lesson|create"},
		{"charts", "An interactive dashboard for viewing rainfall trends with charts and a date range filter.", "chart rainfall trend|filter date range|list"},
		{"Chinese", "请做一个图书网站，用户可以添加图书、搜索图书、删除图书，并按分类筛选。", "create 图书|delete 图书|search 图书|filter"},
		{"nothing to operate", "Create a website for a harbour museum.", "list|detail"},
		{"the quoted label of a button", `A form with a field for codes and an "Add to List" button.`, "create"},
		{"prefaces are to the model", "You are a code expert. Make sure the code you generate is executable. Create a page where users can upload maps.", "upload map"},
	} {
		if got := strings.Join(asked(Read(c.text, nil, "")), "|"); got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.name, c.text, got, c.want)
		}
	}
}

// What sounds like a way of asking and says how to build, or what the page is about.
func TestOrdinaryTextAsksForNothing(t *testing.T) {
	for _, text := range []string{
		"External libraries are not allowed.", "Inline styles are not allowed.", "Use placeholder text.",
		"Patients come back tomorrow.", "A shop that has three sizes of shirts.", "Show only the logo in the header.",
		"Take out a subscription.", "Put in a header image.", "Turn the page into a dark poster.", "Come again next week.", "Colours can be changed in the style sheet.",
		"It should be pointed out that we are a family business.", "The news are below.", "Pick a kind tone.", "He throws a stone out of the window.",
	} {
		q := Read("A page about a bakery. "+text, nil, "")
		if got := asked(q); len(got) > 0 {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestStatics(t *testing.T) {
	q := Read(`Create a site for a pottery with pages including home, courses, and contact us. Show 12 bowls, each with a name, a price and a photo. `+
		`The title reads "Clay and Fire". Set the background to mint cream and the components to dark slate blue. It should be similar to Etsy and user-friendly.`, nil, "")
	if !slices.Equal(q.Pages, []string{"home", "courses", "contact us"}) {
		t.Errorf("pages %q", q.Pages)
	}
	if !slices.Equal(q.Texts, []string{"Clay and Fire"}) {
		t.Errorf("texts %q", q.Texts)
	}
	if !slices.Equal(q.Colors, []vitrine.ColorDemand{{Part: "background", Color: "mint cream"}, {Part: "components", Color: "dark slate blue"}}) {
		t.Errorf("colors %v", q.Colors)
	}
	if !slices.Equal(q.Counts, []vitrine.Count{{N: 12, What: "bowl"}}) {
		t.Errorf("counts %v", q.Counts)
	}
	if !slices.Contains(q.Unchecked, "similar to Etsy") || !slices.Contains(q.Unchecked, "user-friendly") {
		t.Errorf("unchecked %q", q.Unchecked)
	}
	if i := slices.IndexFunc(q.Entities, func(e vitrine.Entity) bool { return e.Name == "bowl" }); i < 0 || !slices.Equal(q.Entities[i].Fields, []string{"name", "price", "photo"}) {
		t.Errorf("entities %v", q.Entities)
	}
	if i := slices.IndexFunc(q.Behaviors, func(r vitrine.Requirement) bool { return r.Behavior == vitrine.BehaviorNav }); i < 0 || !slices.Equal(q.Behaviors[i].Cues, []string{"instruction"}) {
		t.Errorf("navigation %v", q.Behaviors)
	}
}

func TestColorsInOtherWords(t *testing.T) {
	for text, want := range map[string][]vitrine.ColorDemand{
		"Apply linen as the background; style all components with teal.":       {{Part: "background", Color: "linen"}, {Part: "components", Color: "teal"}},
		"Use snow for the outer layout and forest green for UI blocks.":        {{Part: "background", Color: "snow"}, {Part: "components", Color: "forest green"}},
		"The background color is #1a2b3c and buttons have the color #ff8800.":  {{Part: "background", Color: "#1a2b3c"}, {Part: "components", Color: "#ff8800"}},
		"Choose wheat for the background; set all component colors to maroon.": {{Part: "background", Color: "wheat"}, {Part: "components", Color: "maroon"}},
		"A shop for orange juice and olive oil.":                               nil,
	} {
		if got := Read(text, nil, "").Colors; !slices.Equal(got, want) {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// weightOf is what all requirements of a behaviour weigh together.
func weightOf(q vitrine.Requirements, b vitrine.Behavior) (sum float64) {
	for _, r := range q.Behaviors {
		if r.Behavior == b {
			sum += r.Weight
		}
	}
	return sum
}

func TestNamingMoreThingsWeighsNoMore(t *testing.T) {
	one := Read("Build a site for a café. Guests can browse drinks.", nil, "")
	three := Read("Build a site for a café. Guests can browse drinks, cakes and sandwiches.", nil, "")
	a, b := weightOf(one, vitrine.BehaviorList), weightOf(three, vitrine.BehaviorList)
	if a == 0 || b > a+0.02 || b < a-0.02 {
		t.Errorf("one thing weighs %.2f, three %.2f", a, b)
	}
	if n := weightOf(three, vitrine.BehaviorNav); n != weightOf(one, vitrine.BehaviorNav) {
		t.Errorf("navigation weighs %.2f beside three things", n)
	}
}

func TestFurtherRequirementsOfOneBehaviourWeighHalfTogether(t *testing.T) {
	q := Read("Build a polls website. Users can vote for options. Users can follow creators. Users can bookmark polls.", nil, "")
	heaviest := 0.0
	for _, r := range q.Behaviors {
		if r.Behavior == vitrine.BehaviorJoin {
			heaviest = max(heaviest, r.Weight)
		}
	}
	if sum := weightOf(q, vitrine.BehaviorJoin); heaviest == 0 || sum <= heaviest || sum > 1.5*heaviest+0.02 {
		t.Errorf("the heaviest weighs %.2f, all %.2f", heaviest, sum)
	}
}

func TestRolesOnlySuggestALogIn(t *testing.T) {
	for text, want := range map[string]float64{
		"Build an attendance site. Administrators can view all records.":         suggested,
		"Build an attendance site. It has a user login. Users can view records.": 1,
	} {
		if got := weightOf(Read(text, nil, ""), vitrine.BehaviorLogin); got != want {
			t.Errorf("%s: %.2f, want %.2f", text, got, want)
		}
	}
}

func TestPhrasesThatAreNoVerbWithAnObject(t *testing.T) {
	for text, want := range map[string]vitrine.Behavior{
		"A can counter that keeps my counts after a reload.":         vitrine.BehaviorPersist,
		"A list of chores which survives a reload.":                  vitrine.BehaviorPersist,
		"A roster in which turns are sorted by date.":                vitrine.BehaviorOrder,
		"A page with a drawer whose links go to the chapters.":       vitrine.BehaviorNav,
		"A harp tuner that writes down pitches; copy them as JSON.":  vitrine.BehaviorExport,
		"Clicking a stamp shows where it was printed.":               vitrine.BehaviorDetail,
		"A kettle timer that works out the litres.":                  vitrine.BehaviorCalculate,
		"A purse in which the balance moves with each coin.":         vitrine.BehaviorLedger,
		"A bedtime page with rain sounds.":                           vitrine.BehaviorMedia,
		"A right-click menu for each tile.":                          vitrine.BehaviorPanels,
		"A page that makes a travel plan of my dates.":               vitrine.BehaviorReport,
		"An egg clock where I set the length.":                       vitrine.BehaviorSetting,
		"A wall where neighbours can like posts.":                    vitrine.BehaviorJoin,
		"A trip planner that refuses an end before the start.":       vitrine.BehaviorValidate,
		"A sign-up page that says what is wrong with a short name.":  vitrine.BehaviorValidate,
		"A shelf of books that shows how many are left to read.":     vitrine.BehaviorAggregate,
		"A typing test with a running clock.":                        vitrine.BehaviorLive,
		"A radio that keeps a list of the stations that were heard.": vitrine.BehaviorHistory,
		"A reader with a dark or light page.":                        vitrine.BehaviorSetting,
		"A rota where I add shifts and can change them.":             vitrine.BehaviorEdit,
	} {
		q := Read(text, nil, "")
		if !slices.ContainsFunc(q.Behaviors, func(r vitrine.Requirement) bool { return r.Behavior == want }) {
			t.Errorf("%s: no %s", text, want)
		}
	}
	if q := Read("A museum site that keeps its visitors happy and saves them time.", nil, ""); weightOf(q, vitrine.BehaviorPersist) > 0 {
		t.Error("persistence is read where nothing is reloaded")
	}
}

func TestTestCasesAreCues(t *testing.T) {
	cases := []vitrine.TestCase{
		{Task: "Add a new lamp by the form.", ExpectedResult: "The lamp appears in the list."},
		{Task: "Navigate to the lamps section and delete the first lamp.", ExpectedResult: "It is gone."},
		{Task: "Submit the form with invalid data.", ExpectedResult: "Error messages are shown."},
		{Task: "Verify that the background is 'linen' and components are 'teal'.", ExpectedResult: "The background color is linen."},
	}
	q := Read("Build a web app to add lamps.", cases, "")
	byName := map[vitrine.Behavior]vitrine.Requirement{}
	for _, r := range q.Behaviors {
		byName[r.Behavior] = r
	}
	if r := byName[vitrine.BehaviorCreate]; !slices.Equal(r.Cues, []string{"instruction", "case 1"}) || !r.Central {
		t.Errorf("create %+v", r)
	}
	if r := byName[vitrine.BehaviorDelete]; !slices.Equal(r.Cues, []string{"case 2"}) || r.Entity != "lamp" {
		t.Errorf("delete %+v", r)
	}
	if r := byName[vitrine.BehaviorValidate]; !slices.Equal(r.Cues, []string{"case 3"}) {
		t.Errorf("validate %+v", r)
	}
}

func TestCentralNeedsTwoCues(t *testing.T) {
	for text, want := range map[string]vitrine.Behavior{
		"Create a chess game.": "",
		"Create a chess game where players move pieces and undo moves.": vitrine.BehaviorGame,
		"Create a website for a law firm with a contact form.":          "",
		"Create an online store where people buy lamps.":                vitrine.BehaviorCart,
	} {
		var got vitrine.Behavior
		for _, r := range Read(text, nil, "").Behaviors {
			if r.Central {
				got += r.Behavior
			}
		}
		if got != want {
			t.Errorf("%s: central %q, want %q", text, got, want)
		}
	}
}

func TestWordsBeginWithItsOwn(t *testing.T) {
	q := Read("Users can add lamps.", nil, "")
	if w := q.Behaviors[0].Words; w[0] != "add lamp" || !slices.Contains(w, "+") || w[len(w)-1] != "保存" {
		t.Errorf("words %q", w)
	}
	for b := range labels {
		if len(wordsOf(b, "", "")) < 4 {
			t.Errorf("%s has too few labels", b)
		}
	}
}

func TestChainsPointBackToTheAct(t *testing.T) {
	q := Read("Users can post questions, reply to questions, and view their past questions.", nil, "")
	byName := map[vitrine.Behavior]vitrine.Requirement{}
	for _, r := range q.Behaviors {
		byName[r.Behavior] = r
	}
	create := byName[vitrine.BehaviorCreate].ID
	for _, b := range []vitrine.Behavior{vitrine.BehaviorReply, vitrine.BehaviorHistory} {
		if !slices.Equal(byName[b].After, []string{create}) {
			t.Errorf("%s is after %v, want %s", b, byName[b].After, create)
		}
	}
}

func TestNothingAndMuch(t *testing.T) {
	for _, text := range []string{"", " \n\t ", "....", "((((((,,,,", "\xff\xfe\x00", "😀😀😀", "的的的"} {
		q := Read(text, []vitrine.TestCase{{}}, "")
		if q.By != "rules" || q.Behaviors == nil || q.Entities == nil {
			t.Errorf("%q: %+v", text, q)
		}
	}
	start := time.Now()
	for _, part := range []string{"Users can add lamps, search lamps and ", "a ", "\"x\" button ", "添加图书", "navigation, to to to ", "("} {
		text := strings.Repeat(part, 1<<20/len(part))
		q := Read(text, []vitrine.TestCase{{Task: text, ExpectedResult: text}}, "")
		if len(q.Behaviors) > 600 || len(q.Texts) > 40 {
			t.Errorf("%q: %d behaviours", part, len(q.Behaviors))
		}
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("six texts of 1 MB take %v", d)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"Users can add lamps, search lamps and view their past orders.", "功能：添加、删除", "A site with pages including a, b: \"c\" button (d; e) – f", "for reviewing and of"} {
		f.Add(seed, seed, "3D design")
	}
	f.Fuzz(func(t *testing.T, text, task, topic string) {
		q := Read(text, []vitrine.TestCase{{Task: task, ExpectedResult: text}}, topic)
		for i, r := range q.Behaviors {
			if r.Weight <= 0 || len(r.Words) == 0 || len(r.Words) > 40 || len(r.Cues) == 0 || len(r.Quote) > 200 || r.ID == "" {
				t.Fatalf("requirement %d: %+v", i, r)
			}
		}
		Decides(vitrine.TestCase{Task: task, ExpectedResult: text}, text, topic)
	})
}
