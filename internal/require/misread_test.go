package require

import (
	"slices"
	"testing"

	"vitrine"
)

// Words that ask for something on most sites ask for nothing on some.
func TestWordsThatAskForNothingOnSomeSites(t *testing.T) {
	for _, c := range []struct {
		text      string
		want, not vitrine.Behavior
	}{
		{"A list of subscriptions: add them, and see what I pay per month.", vitrine.BehaviorCreate, vitrine.BehaviorCart},
		{"An interval timer with start and pause, and let me save my favourite presets.", vitrine.BehaviorLive, vitrine.BehaviorJoin},
		{"A text tool: uppercase, remove duplicate lines, sort lines, and a copy button.", vitrine.BehaviorExport, vitrine.BehaviorDelete},
		{"A month calendar where I add an event and jump back to today.", vitrine.BehaviorCreate, vitrine.BehaviorMedia},
		{"Build the game Lights Out, where a click on a light toggles it.", vitrine.BehaviorGame, vitrine.BehaviorSetting},
		{"Write a Tetris game, the kind that can be edited as a text.", vitrine.BehaviorGame, vitrine.BehaviorEdit},
		{"A unit converter with a history of conversions which I can click to load again.", vitrine.BehaviorCalculate, vitrine.BehaviorUpload},
		{"Build a Kanban board with To Do / In Progress / Done columns.", vitrine.BehaviorDrag, vitrine.BehaviorStatus},
		{"A flashcard app. Mark each card as known or again.", vitrine.BehaviorQuiz, vitrine.BehaviorStatus},
		{"Write minesweeper and show the remaining mines.", vitrine.BehaviorGame, vitrine.BehaviorAggregate},
		{"A forum: reply to posts and participate in discussions.", vitrine.BehaviorReply, vitrine.BehaviorJoin},
		{"A chat interface with a canned bot that answers questions about fees.", vitrine.BehaviorChat, vitrine.BehaviorReply},
		{"Chat window with a scripted concierge and quick replies.", vitrine.BehaviorChat, vitrine.BehaviorReply},
		{"Make a chess clock for two players.", vitrine.BehaviorLive, vitrine.BehaviorGame},
		{"A cups converter that should accept fractions.", vitrine.BehaviorCalculate, vitrine.BehaviorStatus},
		{"Make the game 2048, playable by swiping, with score, best score and undo.", vitrine.BehaviorGame, vitrine.BehaviorJoin},
		{"Snake game with pause and a saved high score.", vitrine.BehaviorGame, vitrine.BehaviorOrder},
		{"写一个井字棋小游戏，并统计胜负。", vitrine.BehaviorGame, vitrine.BehaviorAggregate},
		{"A greeting card maker: edit the text and its font, and download the card.", vitrine.BehaviorCustomize, vitrine.BehaviorEdit},
		{"A particle animation that reacts to the mouse.", vitrine.BehaviorScene, vitrine.BehaviorJoin},
		{"An animated solar system. I want to pause orbits and zoom.", vitrine.BehaviorScene, vitrine.BehaviorMedia},
		{"Make a customer survey with multiple choice questions and one question per step.", vitrine.BehaviorSubmit, vitrine.BehaviorQuiz},
		{"A booking page: book a slot, no overlaps and nothing in the past.", vitrine.BehaviorSubmit, vitrine.BehaviorHistory},
		{"A diary: type in the two numbers and a note, and see the average.", vitrine.BehaviorCreate, vitrine.BehaviorLookup},
		{"A conference site. Users can add sessions to their agenda.", vitrine.BehaviorJoin, vitrine.BehaviorCreate},
		{"I need a sign-up page for a potluck, with names and dishes.", vitrine.BehaviorSubmit, vitrine.BehaviorLogin},
		{"A booking page in steps. Going back must not lose what was entered.", vitrine.BehaviorSubmit, vitrine.BehaviorNav},
		{"A table tennis league: players, wins and losses. Enter results, and show the table.", vitrine.BehaviorCreate, vitrine.BehaviorGame},
		{"A bed planner: add plants, with a warning when bad neighbours stand next to each other.", vitrine.BehaviorCreate, vitrine.BehaviorCompare},
		{"A bakery shop with a cart. The bakery is closed on Mondays.", vitrine.BehaviorCart, vitrine.BehaviorStatus},
		{"A website for an observatory to organise sessions. Users browse sessions.", vitrine.BehaviorList, vitrine.BehaviorCreate},
		{"A warehouse app with a movement history. Users look through the log.", vitrine.BehaviorHistory, vitrine.BehaviorScene},
		{"A veterinary clinic management app where staff browse patients.", vitrine.BehaviorList, vitrine.BehaviorEdit},
		{"A sign up form with a password strength meter.", vitrine.BehaviorSubmit, vitrine.BehaviorLogin},
		{"A weather page with a switch between Celsius and Fahrenheit.", vitrine.BehaviorSetting, vitrine.BehaviorCalculate},
		{"Create a VAT calculator that can add VAT to a net amount or remove it from a gross amount.", vitrine.BehaviorCalculate, vitrine.BehaviorCreate},
		{"Create a VAT calculator that can add VAT to a net amount or remove it from a gross amount.", vitrine.BehaviorCalculate, vitrine.BehaviorDelete},
		{"A mortgage calculator with sliders for price and rate.", vitrine.BehaviorCalculate, vitrine.BehaviorSetting},
		{"A temperature converter. Reject values below absolute zero.", vitrine.BehaviorValidate, vitrine.BehaviorStatus},
		{"A tracker with a grid of days to check off, a progress bar and a chart. Pick a month, and show its days.", vitrine.BehaviorFilter, vitrine.BehaviorDetail},
		{"Create an HTML file with Three.js that displays a rotating cube. Save the output as 'cube.html'.", vitrine.BehaviorScene, vitrine.BehaviorExport},
		{"Create an HTML file with Three.js that generates a procedural terrain.", vitrine.BehaviorScene, vitrine.BehaviorCustomize},
		{"A markdown notes app: list of notes with search, editor and live preview.", vitrine.BehaviorCreate, vitrine.BehaviorCustomize},
		{"A hotel: choose check-in date and check-out date and book a room.", vitrine.BehaviorSubmit, vitrine.BehaviorCart},
		{"A shopping list where items can be ticked off or written in by hand.", vitrine.BehaviorCreate, vitrine.BehaviorDrag},
		{"A task board where cards are added by hand and moved by dragging.", vitrine.BehaviorDrag, ""},
		{"A rental page where visitors see an itemised total that updates at once.", vitrine.BehaviorAggregate, vitrine.BehaviorEdit},
		{"Users can update items of the list and see the total that updates at once.", vitrine.BehaviorEdit, ""},
		{"A shift sign-up page for volunteers, who sign up for a shift with name and phone.", vitrine.BehaviorSubmit, vitrine.BehaviorLogin},
		{"Volunteers sign up for a shift and can withdraw later.", vitrine.BehaviorStatus, vitrine.BehaviorLedger},
		{"A bank where users can deposit and withdraw money.", vitrine.BehaviorLedger, ""},
		{"Make an appointment page for a dentist.", vitrine.BehaviorSubmit, ""},
		{"A kanban board. Deleting a card should ask first.", vitrine.BehaviorDelete, vitrine.BehaviorChat},
		{"A help desk where a ticket is submitted with name and subject, checked before it is accepted.", vitrine.BehaviorSubmit, vitrine.BehaviorStatus},
		{"Friends add expenses and see a list of who pays whom.", vitrine.BehaviorCreate, vitrine.BehaviorCart},
		{"An order form for tickets that shows a confirmation with an order number.", vitrine.BehaviorSubmit, vitrine.BehaviorLookup},
		{"Customers enter their order number to see where it is.", vitrine.BehaviorLookup, ""},
		{"A flash card site for students who learn vocabulary.", vitrine.BehaviorPanels, vitrine.BehaviorGame},
		{"I need a register for a teacher, who marks students present.", vitrine.BehaviorStatus, vitrine.BehaviorSubmit},
		{"A loan calculator where people enter the amount and see the monthly payment.", vitrine.BehaviorCalculate, vitrine.BehaviorCreate},
		{"A row counter with big plus buttons, and everything is saved.", vitrine.BehaviorPersist, vitrine.BehaviorJoin},
		{"Make a chess clock for two players. Space bar should also switch.", vitrine.BehaviorLive, vitrine.BehaviorNav},
		{"Make a chess clock for two players. Space bar should also switch.", vitrine.BehaviorLive, vitrine.BehaviorSetting},
		{"A flash sale page with a countdown and a shopping bag. When it reaches zero the sale must close.", vitrine.BehaviorCart, vitrine.BehaviorPanels},
		{"Show whether my photos are good enough to print. I can drop a photo.", vitrine.BehaviorUpload, vitrine.BehaviorExport},
		{"Enter the size and the viewing distance, and drop a photo.", vitrine.BehaviorUpload, vitrine.BehaviorDetail},
		{"A plant planner: add plants, and see what is overdue.", vitrine.BehaviorCreate, vitrine.BehaviorFilter},
		{"做一个成语测验，每次随机 8 道题。", vitrine.BehaviorQuiz, vitrine.BehaviorCustomize},
		{"做一个瓷砖用量计算器，选择瓷砖规格（可自定义）。", vitrine.BehaviorCalculate, vitrine.BehaviorCustomize},
		{"Chat window with a concierge, a dialogue to book a table and to order a wake-up call.", vitrine.BehaviorChat, vitrine.BehaviorCart},
		{"A decision matrix with totals and ranking bars.", vitrine.BehaviorAggregate, vitrine.BehaviorOrder},
		{"A table with item, room, serial number and value; rows can be added.", vitrine.BehaviorCreate, vitrine.BehaviorLookup},
		{"Implement an online trading website for bidding and trading, allowing users to place orders.", vitrine.BehaviorLedger, vitrine.BehaviorCart},
		{"Write a program for reminders that I can directly copy and paste for use, where I add reminders.", vitrine.BehaviorCreate, vitrine.BehaviorExport},
		{"Create a page with draggable directory upload.", vitrine.BehaviorUpload, vitrine.BehaviorDrag},
		{"Write a Four Pillars (BaZi) charting software. It lets me enter a birthday and calculates the pillars.", vitrine.BehaviorCalculate, vitrine.BehaviorChart},
		{"A website for signing up to shifts, with functionalities for signing up for a shift step by step.", vitrine.BehaviorSubmit, vitrine.BehaviorLogin},
		{"A website for signing up to shifts, with functionalities for signing up for a shift step by step.", vitrine.BehaviorSubmit, vitrine.BehaviorPanels},
		{"A class page for booking classes and managing waiting lists.", vitrine.BehaviorSubmit, vitrine.BehaviorDelete},
		{"A museum site: visitors book tickets and find opening hours.", vitrine.BehaviorSubmit, vitrine.BehaviorSearch},
		{"A bug tracker with functionalities for reporting and editing bugs, and deleting bugs.", vitrine.BehaviorDelete, vitrine.BehaviorReport},
		{"A word-guessing game like hangman: keep track of wins, losses and my best streak.", vitrine.BehaviorGame, vitrine.BehaviorCreate},
		{"A notes app with a search box that looks through titles and text.", vitrine.BehaviorSearch, vitrine.BehaviorList},
		{"A timesheet: add rows, copy the rows from last week.", vitrine.BehaviorCreate, vitrine.BehaviorExport},
		{"An invoice maker: add line items, and watch the totals update live.", vitrine.BehaviorAggregate, vitrine.BehaviorLive},
		{"Functionalities for recording expenses, calculating balances, and suggesting how to settle up.", vitrine.BehaviorAggregate, vitrine.BehaviorCalculate},
		// and what is asked for there is kept
		{"Users sign up and log in, then sign up to events.", vitrine.BehaviorLogin, ""},
		{"A site to find pharmacies by their opening hours and district.", vitrine.BehaviorSearch, ""},
		{"A stock app whose reports are generated for a month, and where one can edit items.", vitrine.BehaviorReport, ""},
		{"A timesheet that I can export as CSV, and copy the rows from last week.", vitrine.BehaviorExport, ""},
		{"Users look up a product by its serial number.", vitrine.BehaviorLookup, ""},
		{"View pending and overdue invoices.", vitrine.BehaviorFilter, ""},
		{"A plant planner: add plants, see what is overdue, and filter by room.", vitrine.BehaviorFilter, ""},
		{"A chatbot for a pizza shop where users chat with the bot and add pizzas to a shopping cart.", vitrine.BehaviorCart, ""},
		{"A stock page for a grocery shop: visitors order goods, the cart shows the total.", vitrine.BehaviorCart, ""},
		{"Upload photos and drag photos to reorder them.", vitrine.BehaviorDrag, ""},
		{"A color palette tool, so that I can copy and paste hex codes; a copy button for each color.", vitrine.BehaviorExport, ""},
		{"A website with a navigation bar and a game where the space bar jumps.", vitrine.BehaviorNav, ""},
		{"A list of devices with name and serial number; users search by serial number.", vitrine.BehaviorLookup, ""},
		{"A quiz where users can customize the random number of questions.", vitrine.BehaviorCustomize, ""},
		{"A horoscope website with a bar chart of the moods.", vitrine.BehaviorChart, ""},
		{"Write the code in index.html for a todo app where users add tasks, delete them and filter by status.", vitrine.BehaviorFilter, ""},
		{"The page must be self-contained and let users sort the books.", vitrine.BehaviorOrder, ""},
		{"Create a dealership site with a loan calculator, where visitors compare cars.", vitrine.BehaviorCompare, ""},
		{"Build an HR portal with a salary calculator, where managers update employee records.", vitrine.BehaviorEdit, ""},
		{"Create a forum where users reply to posts, and chat.", vitrine.BehaviorReply, ""},
		{"A site with user registration and login, and a registration form for events.", vitrine.BehaviorLogin, ""},
		{"A music site with an animated background where users play songs.", vitrine.BehaviorMedia, ""},
		{"A page of charts and a ranking of players that can be sorted.", vitrine.BehaviorOrder, ""},
		{"An interactive city guide that lets visitors browse restaurants.", vitrine.BehaviorList, vitrine.BehaviorScene},
		{"A blog with tags to filter, single post pages, likes and comments.", vitrine.BehaviorJoin, ""},
	} {
		var got []vitrine.Behavior
		for _, b := range Read(c.text, nil, "").Behaviors {
			got = append(got, b.Behavior)
			if b.Behavior == vitrine.BehaviorFilter && b.Entity == "single post" {
				t.Errorf("%q: filters %q", c.text, b.Entity)
			}
		}
		if !slices.Contains(got, c.want) || slices.Contains(got, c.not) {
			t.Errorf("%q: got %s, want %s and not %s", c.text, got, c.want, c.not)
		}
	}
}
