package behave

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/browser/browsertest"
	"vitrine/internal/interact"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Run(m, browser.Settings{Pages: 4})) }

// pages are where each relation has a page on which it holds, a broken one and one that
// cheats.
const pages = "../../../testdata/behave"

// entities are what the pages are about, by behaviour.
var entities = map[string]vitrine.Requirement{
	"login-named": {}, "login-pin": {Quote: "administrators"}, "status-gate": {Words: []string{"clock in"}}, "status-shift": {Words: []string{"clock in"}},
	"history-shift": {Entity: "hour"}, "aggregate-shift": {Entity: "statistic"}, "setting-policy": {Verb: "configure", Entity: "policy", Words: []string{"configure"}},
	"live-entry": {Entity: "job", Quote: "how long each job runs"}, "live-typed": {Entity: "speed"},
	"live-monitor": {Verb: "monitor", Entity: "telegram", Words: []string{"monitor"}},
	"submit-steps": {Entity: "survey"}, "validate-steps": {Entity: "survey"}, "create-role": {Entity: "booking"}, "create-button": {Entity: "riddle"}, "login-role": {Quote: "permission management", Words: []string{"permissions"}}, "report-form": {Entity: "menu"}, "report-count": {Entity: "visit"},
	"join-stars": {Entity: "answer", Words: []string{"rate"}}, "edit-cell": {Entity: "member"}, "reply-unfold": {Entity: "question"}, "detail-chips": {Entity: "book"},
	"scene-lit": {Quote: "an interactive scene that answers to the mouse"}, "scene-pointer": {Quote: "an interactive scene that can be dragged"},
	"submit": {Entity: "message"}, "submit-booking": {Entity: "table", Words: []string{"reserve"}},
	"edit": {Entity: "client"}, "edit-first": {}, "edit-modal": {Entity: "item"}, "edit-prompt": {Entity: "client"}, "edit-double": {Entity: "todo"}, "edit-profile": {Entity: "profile", Words: []string{"profile"}},
	"status": {Entity: "request", Words: []string{"approve"}}, "status-box": {Entity: "todo"}, "status-word": {Entity: "trip"}, "status-row": {Entity: "errand"}, "status-board": {Entity: "task"}, "status-page": {Words: []string{"clock in"}},
	"join": {Entity: "post", Words: []string{"like"}}, "join-fold": {Words: []string{"join"}}, "join-all": {Words: []string{"join"}}, "join-follow": {Words: []string{"follow"}}, "join-poll": {Words: []string{"vote"}}, "join-twice": {Words: []string{"vote"}}, "join-rate": {Words: []string{"rate"}},
	"chat": {Entity: "chatbot"}, "chat-echo": {Entity: "chatbot"}, "chat-room": {Entity: "room"}, "chat-topic": {Entity: "assistant"},
	"history": {Entity: "transfer", Words: []string{"history"}}, "history-spin": {Entity: "win", Words: []string{"history"}}, "history-stay": {Entity: "reservation"},
	"aggregate": {Entity: "expense", Words: []string{"total expenses"}}, "aggregate-plus": {Quote: "counts all pieces of fruit", Entity: "piece"}, "aggregate-mean": {Entity: "grade", Words: []string{"average"}}, "validate": {}, "validate-tool": {}, "validate-marks": {}, "validate-stay": {}, "validate-blanks": {Entity: "plant"}, "cart-twofold": {Entity: "lamp"},
	"reply": {Entity: "post"}, "reply-beside": {Entity: "remark"}, "reply-open": {Entity: "question"}, "persist": {Entity: "note"},
	"ledger": {Entity: "money", Words: []string{"transfer"}}, "ledger-shop": {Words: []string{"upgrade"}}, "lookup": {Entity: "parcel"}, "login": {}, "login-demo": {},
	"create": {Entity: "task", Words: []string{"add task"}}, "create-blank": {Entity: "jotting"}, "create-any": {Entity: "task"},
	"join-page": {Words: []string{"vote"}}, "login-banner": {Quote: "administrators"}, "customize-counted": {Verb: "generate", Entity: "name"}, "customize-kept": {Verb: "generate", Entity: "name"},
	"list":   {Entity: "plant", Fields: []string{"name", "price"}},
	"search": {Entity: "book"}, "search-gate": {Entity: "book"},
	"delete": {Entity: "note"},
	"filter": {Entity: "film"}, "filter-chips": {Entity: "film"}, "filter-boxes": {Entity: "film"}, "filter-todo": {Entity: "task"}, "filter-state": {Entity: "task"}, "filter-classes": {Entity: "letter"},
	"filter-made": {Entity: "errand"}, "filter-both": {Entity: "order"}, "persist-gone": {Entity: "note"}, "persist-theme": {Entity: "list", Quote: "still there next week"}, "live-session": {Entity: "session"}, "aggregate-rooms": {Entity: "room", Words: []string{"total"}}, "status-title": {Entity: "todo"}, "status-drawn": {Entity: "habit"}, "drag-made": {Entity: "item"},
	"game-noughts": {Quote: "a tic-tac-toe game"}, "game-rows": {Quote: "a tic-tac-toe game"}, "game-pieces": {Quote: "a five in a row game"},
	"filter-slider": {Entity: "boat"}, "filter-fields": {Entity: "boat"}, "filter-menu": {Entity: "boat"}, "filter-toggles": {Entity: "boat"},
	"search-parts": {Entity: "house"}, "search-criteria": {Entity: "house"}, "detail-alert": {Entity: "house"},
	"cart": {Entity: "tea"}, "cart-numbered": {Entity: "kit"}, "delete-dialog": {Entity: "remark"}, "live": {Entity: "power"}, "customize": {Entity: "mug", Words: []string{"color"}}, "customize-generate": {Verb: "generate", Entity: "name"},
	"draw": {Quote: "a paint program with colors, undo and a clear button"}, "draw-trail": {Quote: "a paint program"}, "draw-undo": {Quote: "a paint program with undo"}, "draw-clear": {Quote: "a paint program with a clear button"},
	"draw-color": {Quote: "a paint program with colors"}, "draw-fade": {Quote: "a paint program"}, "draw-form": {Quote: "a contract with a signature pad and a button to clear the signature; set the background color to white"}, "draw-fields": {Quote: "a pixel art editor"},
	"scene-once": {Entity: "flower"}, "scene-short": {Entity: "flower"}, "panels-keys": {Quote: "a deck of slides that the arrow keys turn over"}, "calculate-preview": {}, "calculate-link": {Entity: "link"}, "setting-panel": {Quote: "dark mode"}, "panels-chinese": {Quote: "tabs of tools"}, "upload-html": {},
	"list-named": {Values: []string{"Cumin", "Clove", "Anise", "Black Pepper"}}, "cart-counted": {Quote: "count of the bags in the basket"}, "chart-shown": {Entity: "cyclist", Shown: true}, "chart-shown-other": {Entity: "cyclist", Shown: true}, "chart-pointed": {Entity: "sale"}, "chart-pointed-svg": {Entity: "sale"},
	"chart": {Entity: "sale"}, "compare": {Entity: "phone"}, "report": {Entity: "month"}, "quiz": {Entity: "capital"}, "filter-pictures": {Entity: "picture"}, "filter-operators": {Entity: "award"},
	"customize-popup": {Verb: "spin", Entity: "wheel"}, "history-drawer": {Entity: "record", Words: []string{"history"}}, "join-cards": {Words: []string{"vote"}}, "join-link": {Words: []string{"vote"}}, "chart-bars": {Entity: "result"},
	"nav-current": {}, "list-icon": {Entity: "plant", Fields: []string{"price"}},
	"panels-cards": {Quote: "a carousel of cards", Entity: "card"},
	"detail":       {Entity: "recipe"}, "detail-expand": {Entity: "recipe"},
	"panels": {Quote: "product page with tabs"}, "panels-pages": {Quote: "three tabs at the bottom"}, "setting-other": {Quote: "switch between sheets", Verb: "switch", Entity: "sheet", Words: []string{"switch", "settings", "theme", "dark mode"}}, "customize-rows": {Entity: "text colour", Words: []string{"generate", "preview", "apply", "customize"}}, "panels-modal": {Quote: "a modal dialog"}, "panels-carousel": {Quote: "a carousel"}, "panels-wizard": {Quote: "a wizard"},
	"setting": {Quote: "dark mode"}, "setting-toggle": {Quote: "switch between a simple and an expert mode"}, "validate-login": {}, "setting-select": {Entity: "difficulty"}, "setting-photo": {Entity: "brightness", Words: []string{"brightness"}}, "order-pasted": {Entity: "row"},
	"order-age": {Entity: "lamp"}, "filter-kinds": {Entity: "message"}, "status-all": {Entity: "mail", Quote: "marking all as read"}, "status-every": {Entity: "mail", Quote: "marking all as read"},
	"submit-apart": {Entity: "request"}, "search-signs": {}, "search-placed": {Entity: "product"}, "aggregate-hours": {Entity: "hour", Words: []string{"total"}}, "delete-icon": {Entity: "item"},
	"edit-beside": {Entity: "habit"}, "edit-spelled": {Entity: "habit"}, "persist-chat": {Entity: "conversation"},
	"create-time": {Entity: "alarm"}, "create-saved": {Entity: "note"}, "create-cell": {Entity: "appointment"}, "create-aside": {Entity: "note"}, "create-picked": {Entity: "mood"}, "search-empty": {Entity: "contact"}, "edit-added": {Entity: "card"},
	"live-halted": {Quote: "a countdown that can be stopped and goes on"}, "setting-number": {Entity: "minute"}, "join-option": {Words: []string{"like"}}, "aggregate-less": {Entity: "minute", Words: []string{"total"}}, "status-stats": {Entity: "task"},
	"validate-negative": {Quote: "do not accept a negative amount"}, "validate-above": {Quote: "asking for more than ten should be turned down"}, "validate-twice": {Quote: "nobody may be entered twice"}, "validate-choice": {Quote: "I cannot go on without an answer"},
	"validate-json": {}, "validate-groups": {Quote: "I cannot go on without an answer"}, "validate-blur": {Quote: "do not accept a negative amount"}, "validate-mail": {Quote: "the e-mail must be valid"},
	"setting-theme": {Quote: "switch between dark and light mode"}, "setting-named": {Entity: "captions"}, "validate-once": {Quote: "nobody may be entered twice"}, "validate-toast": {Quote: "nobody may be entered twice"},
	"validate-over": {Quote: "shows an error message if the age is not over 18"}, "calculate-split": {Entity: "bill"}, "calculate-lined": {Entity: "word"}, "calculate-roman": {Entity: "numeral"},
	"calculate-epoch": {Entity: "time"}, "calculate-kinds": {Entity: "unit"}, "customize-amount": {Verb: "generate", Entity: "text"}, "customize-letters": {Verb: "generate", Entity: "password"},
	"filter-hidden": {Entity: "helper"}, "filter-drawn": {Entity: "task"}, "calculate-numerals": {Entity: "numeral"}, "customize-strength": {Verb: "generate", Entity: "password"},
	"customize-bounds": {Verb: "generate", Entity: "number"}, "customize-dice": {Verb: "generate", Entity: "number"},
	"game-sudoku": {Quote: "a sudoku"}, "game-chess": {Quote: "a chess game"}, "game-snake": {Quote: "a snake game"}, "game-platformer": {Quote: "a platformer"}, "game-racing": {Quote: "a racing game"},
	"setting-slider": {Verb: "control", Entity: "speed", Quote: "control speed"}, "setting-brush": {Quote: "brush size"}, "setting-billing": {Quote: "toggle between monthly and yearly"},
	"cart-stepper": {Quote: "可以加减份数"}, "aggregate-stepper": {Quote: "底部显示总价"},
	"create-folded": {Entity: "book"}, "create-dated": {Entity: "event"}, "delete-opened": {Entity: "event"}, "search-menu": {Entity: "recipe"}, "filter-every": {Entity: "course"},
	"submit-choices": {Entity: "survey"}, "validate-birth": {},
	"order-paged": {Entity: "staff"}, "order-turned": {Entity: "staff"}, "join-agenda": {Verb: "add", Entity: "session", Quote: "add sessions to their agenda"}, "drag-steps": {Entity: "topic", Quote: "put them in a different order"}, "edit-named": {Entity: "player"}, "order-classes": {Entity: "item"}, "order-newest": {Entity: "post", Quote: "the newest posts first"}, "delete-behind": {Entity: "tree"}, "submit-limited": {Entity: "place", Verb: "book", Quote: "book places"}, "edit-managed": {Verb: "manage", Entity: "loan", Quote: "manage their loans"},
	"filter-tags": {Entity: "tag"}, "join-steps": {Quote: "rate with stars", Words: []string{"rate"}},
	"filter-inline": {Entity: "post"},
	"game-hands":    {Quote: "rock, paper, scissors"}, "game-diagonal": {Quote: "a tic-tac-toe game"},
	"calculate-fixed": {Entity: "mile", Quote: "convert kilometers to miles"}, "calculate-sides": {Entity: "temperature", Quote: "temperature converter"}, "calculate-several": {Entity: "unit", Quote: "a unit converter for weight"},
	"calculate-sum": {Quote: "a simple calculator"}, "calculate-typed": {Quote: "a calculator with one field for the sum"}, "calculate-bmi": {Entity: "bmi", Quote: "a BMI calculator"}, "calculate-bmi-imperial": {Entity: "bmi", Quote: "a BMI calculator"},
	"calculate-age": {Entity: "age", Quote: "an age calculator"}, "calculate-price": {Entity: "total", Quote: "calculate the total for tickets at $12 each with 8 % tax"},
	"calculate-exchange": {Entity: "currency", Quote: "a currency converter"},
	"calculate-preset":   {Entity: "tip", Quote: "a tip calculator"}, "calculate-table": {Entity: "currency", Quote: "a currency converter that shows the amount in all other currencies"}, "calculate-distances": {Entity: "pace", Quote: "a running pace calculator"},
	"calculate-term": {Entity: "mortgage", Quote: "a mortgage calculator"}, "calculate-ranged": {Entity: "calorie", Quote: "a calorie calculator"}, "calculate-days": {Entity: "day", Quote: "calculates the days between two dates"}, "calculate-editable": {Entity: "salary", Quote: "an hourly to salary calculator"},
	"calculate-coupon": {Entity: "discount", Quote: "a discount calculator"}, "calculate-steps": {Entity: "dog year", Quote: "a dog years calculator"}, "calculate-slid": {Entity: "saving", Quote: "a savings calculator"},
	"quiz-enroll": {Quote: "answer contest questions"}, "join-results": {Words: []string{"vote"}}, "search-opens": {Entity: "stock"}, "lookup-reference": {Verb: "check", Quote: "check service status"}, "delete-inner": {Entity: "user"},
	"submit-codes": {Entity: "service", Words: []string{"book"}}, "reply-linked": {Entity: "post"}, "report-key": {Entity: "stock report"}, "compare-nav": {Quote: "cross-company comparisons"}, "nav-all": {},
	"cart-amounts": {Entity: "book", Quote: "order form"}, "cart-alike": {Quote: "shopping bag"}, "setting-play": {Quote: "three levels of difficulty"},
	"setting-period": {Verb: "switch", Quote: "switch between day", Values: []string{"day", "week", "year"}}, "create-inline": {Entity: "housemate"}, "calculate-chosen": {Quote: "a color code calculator"},
	"persist-typed": {Quote: "everything is saved"}, "status-named": {Verb: "mark", Quote: "mark one as watered"}, "create-daily": {Entity: "entry"}, "filter-totals": {Entity: "room"},
	"create-preview": {Entity: "postcard"}, "create-log": {Entity: "postcard"}, "edit-chosen": {Entity: "claim"}, "setting-policies": {Verb: "configure", Entity: "policy", Quote: "configuring policies"},
	"status-kept": {Verb: "cancel", Entity: "booking", Quote: "cancel their bookings", Words: []string{"cancel"}}, "status-booked": {Verb: "cancel", Entity: "booking", Quote: "cancel their bookings", Words: []string{"cancel"}}, "submit-tickets": {Entity: "ticket", Words: []string{"book"}},
	"submit-chosen": {Entity: "appointment", Verb: "book", Quote: "book an appointment"}, "submit-rows": {Entity: "class", Verb: "book", Quote: "book a class"}, "status-taken": {Verb: "cancel", Entity: "class", Quote: "cancel a class", Words: []string{"cancel"}},
	"status-code": {Verb: "cancel", Entity: "booking", Quote: "cancel their bookings", Words: []string{"cancel"}}, "persist-row": {Quote: "remember everything"}, "search-named": {Entity: "dish"}, "order-parts": {Entity: "book"}, "order-ranked": {Entity: "ticket"}, "submit-ordered": {Entity: "order", Quote: "order plants"}, "validate-labelled": {Quote: "checked before it is accepted"}, "submit-raised": {Entity: "bike", Verb: "rent", Quote: "rent bikes"},
	"calculate-loan": {Entity: "mortgage", Quote: "a mortgage calculator"}, "calculate-wizard": {Entity: "cost", Quote: "a website cost estimator"}, "panels-choices": {Quote: "a wizard"},
	"aggregate-tickets": {Entity: "price", Quote: "see the total price", Words: []string{"total"}}, "nav-buttons": {},
	"edit-every": {Entity: "expense"}, "persist-marks": {Quote: "favourites must still be there after a reload"}, "login-said": {Quote: "log in (user agent, password support24)"}, "order-days": {Entity: "member"},
	"search-said":   {Entity: "ticket", Quote: "log in (user agent, password support24) and search tickets"},
	"filter-beside": {Entity: "expense", Fields: []string{"category"}}, "order-signed": {Entity: "booking"}, "edit-step": {Entity: "price"}, "persist-both": {Quote: "all data and the dark mode are kept after a reload"},
	"create-days": {Entity: "event", Verb: "add"}, "create-written": {Entity: "item"}, "create-teams": {Entity: "result"}, "create-parts": {Entity: "plan"}, "lookup-said": {Entity: "stock"},
	"aggregate-ticks": {Quote: "the share that is done this week"}, "aggregate-each": {Quote: "how many cards are in each column"},
	"submit-seats": {Quote: "confirm the booking"}, "aggregate-lines": {Quote: "total"}, "quiz-cards": {}, "status-days": {Entity: "habit"}, "delete-columns": {Entity: "card"}, "create-members": {Entity: "expense", Verb: "add", Words: []string{"add expense"}},
	"upload-attached": {Quote: "attachment uploads"}, "login-pins": {}, "search-leads": {Entity: "home"}, "drag-lists": {Entity: "song", Quote: "reorder songs"}, "game-around": {}, "create-fives": {Entity: "service"}, "edit-message": {Entity: "barber"},
	"submit-locked": {Quote: "a booking panel that shows the chosen lesson"},
	"submit-items":  {Quote: "an online order form"}, "create-funds": {Entity: "envelope"}, "quiz-entered": {Quote: "practise my words"}, "create-who": {Entity: "idea", Verb: "post", Words: []string{"post idea"}},
	"status-canceled": {Entity: "code", Verb: "cancel", Quote: "cancel with the code", Words: []string{"cancel"}}, "detail-made": {Entity: "person"}, "create-years": {Entity: "person"}, "validate-after": {}, "order-counts": {Entity: "ticket", Fields: []string{"points"}},
	"filter-each": {Entity: "house", Fields: []string{"type", "price"}}, "order-each": {Entity: "house", Fields: []string{"price", "views"}}, "search-each": {Entity: "house", Fields: []string{"name", "town"}},
	"aggregate-left": {Quote: "how many places are left", Words: []string{"total"}}, "create-chosen": {Entity: "shift", Verb: "add", Words: []string{"add shift", "add"}}, "limit": {Quote: "never take out more than there is"}, "limit-entries": {Quote: "a table seats at most four guests"}, "limit-once": {Quote: "the same plate can't be parked twice"}, "limit-rows": {Quote: "no more bookings than places"}, "limit-columns": {Quote: "at most 3 cards in Doing", Words: []string{"start"}}, "limit-number": {Quote: "no more than 8 tickets per order"},
	"order": {Entity: "product"}, "order-header": {Entity: "product"}, "order-toggle": {Entity: "product"}, "order-ranking": {Quote: "a leaderboard of players"},
}

// proveOn proves one requirement of a page.
func proveOn(t testing.TB, html []byte, need vitrine.Requirement) vitrine.Case {
	t.Helper()
	return proveBy(t, &Prover{SkipRepeat: true}, html, need)
}

func proveBy(t testing.TB, prover *Prover, html []byte, need vitrine.Requirement) vitrine.Case {
	t.Helper()
	return proveAll(t, prover, html, need)[0]
}

// proveAll proves the requirements of one instruction on a page.
func proveAll(t testing.TB, prover *Prover, html []byte, needs ...vitrine.Requirement) []vitrine.Case {
	t.Helper()
	site := &vitrine.Site{Kind: vitrine.KindPage, Base: "/", Routes: []string{"/"}, Files: map[string][]byte{"index.html": html}, Hash: "of a test"}
	d := &interact.Driver{Browser: browsertest.Shared(t), Site: site, Viewport: vitrine.Desktop}
	prover.Seed = []byte("seed of a test")
	prover.Read = func(context.Context, string, []vitrine.TestCase, string) (vitrine.Requirements, vitrine.Cost, error) {
		return vitrine.Requirements{Behaviors: needs}, vitrine.Free(), nil
	}
	trace, err := prover.Exercise(context.Background(), d, interact.Subject{Instruction: needs[0].Quote, Evidence: &vitrine.Evidence{Validity: vitrine.Validity{Valid: true}}, Cache: &interact.Cache{}})
	if err != nil {
		t.Fatal(err)
	}
	if len(trace.Cases) != len(needs) {
		t.Fatalf("%d cases", len(trace.Cases))
	}
	return trace.Cases
}

// Each relation holds on its good page, and neither on the broken one nor on the one that
// cheats; no page of another behaviour passes for one that has it.
func TestRelationsTellGoodFromBrokenAndCheating(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(pages + "/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %d pages", err, len(files))
	}
	covered := map[vitrine.Behavior]int{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".html")
		i := strings.LastIndex(name, "-")
		need, kind := entities[name[:i]], name[i+1:]
		need.ID, need.Behavior, need.Weight = "r1", vitrine.Behavior(strings.SplitN(name[:i], "-", 2)[0]), 1
		covered[need.Behavior]++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			html, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c := proveOn(t, html, need)
			t.Logf("%s: %s (%d actions, %.0f ms)", c.Verdict, c.Why, len(c.Steps), c.WallMS)
			if good := kind == "good"; (c.Verdict == vitrine.VerdictWorks) != good {
				t.Errorf("%s: %s", c.Verdict, c.Why)
			}
		})
	}
	for b := range relations {
		if covered[b] < 3 {
			t.Errorf("the relation %s has %d pages, want a good, a broken and a cheating one", b, covered[b])
		}
	}
}
