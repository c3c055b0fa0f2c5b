package require

import (
	"strings"

	"vitrine"
)

// A kind is a noun for a site, such as "online store". Does is what such a site is for,
// the first foremost; implied is what one expects of it beside that. On one screen a site
// needs no navigation.
type kind struct {
	nouns         string // phrases of bases, parted by |
	does, implied []vitrine.Behavior
	oneScreen     bool
}

// kinds are the nouns for sites; the first that stands in the main clause decides.
var kinds = []kind{
	{"chatbot|chat bot|chat application|chat app|chat interface|chat window|chat ui|chat platform|messaging app|messenger|virtual assistant|ai assistant|chat system|ai conversation page|chatgpt", is(vitrine.BehaviorChat), nil, true},
	{"to-do list|todo list|to-do app|todo app|todo application|to-do application|task manager|task tracker|todo", is(vitrine.BehaviorCreate), is(vitrine.BehaviorStatus, vitrine.BehaviorDelete), true},
	{"calculator|calculater|converter|unit converter|currency converter|bill splitter|equation solver|estimator|price estimate|cost estimate|recipe scaler|retirement planner|savings planner", is(vitrine.BehaviorCalculate), nil, true},
	{"counter|click counter|tally counter", is(vitrine.BehaviorAggregate), nil, true},
	{"chess clock|game clock", is(vitrine.BehaviorLive), nil, true},
	{"quiz|quiz app|quiz application|trivia|trivia contest app|flashcard app|vocabulary learning program", is(vitrine.BehaviorQuiz), nil, true},
	{"music player|audio player|video player|media player|radio player|podcast player", is(vitrine.BehaviorMedia), nil, true},
	{"wheel of fortune|spinner wheel|prize wheel|password generator|name generator|qr code generator|card generator|generator|configurator|customizer|image editor|photo editor|image editing platform", is(vitrine.BehaviorCustomize), nil, true},
	{"drawing app|drawing application|drawing program|drawing tool|drawing board|drawing canvas|drawing pad|paint app|paint application|paint program|paint tool|painting app|painting application|painting program|painting tool|ms paint|microsoft paint|sketching app|sketch app|sketchpad|sketch pad|whiteboard|signature pad|doodle app|doodle pad|pixel art editor|pixel editor|pixel art app|pixel art maker|pixel art creator|pixel art tool", is(vitrine.BehaviorDraw), nil, true},
	{"text editor|markdown editor|document editor|word processor|editor", is(vitrine.BehaviorEdit), nil, true},
	{"security scanner|vulnerability scanner|website scanner|code scanner|link checker", is(vitrine.BehaviorReport), nil, true},
	{"game ui|game|chess|tetris|sudoku|minesweeper|solitaire|tic-tac-toe|tic tac toe|noughts and crosses|draughts|chequers|mine game|pac-man|snake game|2048|wordle|hangman|blackjack|crossword|platformer|pong|checkers|gomoku|breakout|flappy bird|puzzle game|poker|snake clone|memory cards|rock paper scissors|connect four|four in a row|whack-a-mole|space invaders|space shooter|asteroids|shooter|endless runner|tower defense|tower defence|battleship|scrabble|monopoly|minecraft|pinball|reversi|othello|mastermind|mahjong|bubble shooter|sliding puzzle|jigsaw|jigsaw puzzle|dungeon crawler|visual novel|typing game|typing challenge|reaction test|maze|cookie clicker|clicker|slot machine|card battle|turn-based battle", is(vitrine.BehaviorGame), nil, true},
	{"online store|e-commerce site|e-commerce website|e-commerce platform|ecommerce|e-commerce|online shop|web shop|shopping site|store|bookstore|marketplace|apple store", is(vitrine.BehaviorCart), is(vitrine.BehaviorList, vitrine.BehaviorDetail), false},
	{"forum|discussion board|discussion platform|message board|forum webpage|q & a|community forum|social media platform|social network|social media", is(vitrine.BehaviorCreate), is(vitrine.BehaviorReply), false},
	{"polls website|poll|voting app|voting website|survey app", is(vitrine.BehaviorJoin), nil, false},
	{"survey website|booking website|booking system|reservation system|booking app|booking platform|appointment page|appointments page|appointment site|appointment app|appointment scheduler|appointment planner|reservation page|reservation site|booking page|registration form|contact form|signup form|sign-up form|sign up form|newsletter registration|booking site", is(vitrine.BehaviorSubmit), nil, false},
	{"kanban board|kanban", is(vitrine.BehaviorDrag), is(vitrine.BehaviorCreate), true},
	{"3d model|3d representation|3d scene|three-dimensional|3d|solar system|rubik|globe", is(vitrine.BehaviorScene), nil, true},
	{"chart|graph|data visualization|visualization|diagram|plot|heatmap|mind map", is(vitrine.BehaviorChart), nil, true},
	{"dashboard|analytics platform|analytics dashboard", is(vitrine.BehaviorChart), is(vitrine.BehaviorList), false},
	{"typeahead|search engine|search feature", is(vitrine.BehaviorSearch), nil, true},
	{"checkout interface|checkout page|checkout", is(vitrine.BehaviorCart), nil, true},
	{"comparison tool|comparison site|comparison website|comparison chart", is(vitrine.BehaviorCompare), nil, true},
	{"simulation|simulator", is(vitrine.BehaviorLive), nil, true},
	{"planner|itinerary|tracker|diary|journal|logging system|organizer|note-taking app|notes app|note app|reminder system|calendar app", is(vitrine.BehaviorCreate), nil, false},
	{"management system|management website|management platform|crm|crm system|inventory system|admin panel|admin dashboard|control panel", is(vitrine.BehaviorCreate), is(vitrine.BehaviorList, vitrine.BehaviorEdit, vitrine.BehaviorDelete), false},
	{"real estate website|property website|job board|listing site|directory|catalog|gallery|portfolio|blog|news platform|news site|news website|magazine|recipe site|menu|museum", is(vitrine.BehaviorList), is(vitrine.BehaviorDetail), false},
	{"pop-up|popup|modal|carousel|button component|component", is(vitrine.BehaviorPanels), nil, true},
}

// names reports whether the noun for a site that is for a behaviour is itself a word for
// it: a game is played, a store only suggests a cart.
func names(b vitrine.Behavior) bool {
	switch b {
	case vitrine.BehaviorChat, vitrine.BehaviorCalculate, vitrine.BehaviorAggregate, vitrine.BehaviorQuiz, vitrine.BehaviorMedia, vitrine.BehaviorCustomize, vitrine.BehaviorEdit, vitrine.BehaviorGame,
		vitrine.BehaviorSearch, vitrine.BehaviorCompare, vitrine.BehaviorReport, vitrine.BehaviorPanels, vitrine.BehaviorDrag, vitrine.BehaviorDraw:
		return true
	}
	return false
}

// topicKinds are what a benchmark's topic says of the site, where its instruction has no
// noun for it.
var topicKinds = map[string]kind{
	"game dev":           {does: is(vitrine.BehaviorGame), oneScreen: true},
	"3d design":          {does: is(vitrine.BehaviorScene), oneScreen: true},
	"data visualization": {does: is(vitrine.BehaviorChart), oneScreen: true},
	"ui component":       {oneScreen: true},
}

// aboutNotOf stand before a noun that a site is about and not of the kind of: "a website
// about chess".
var aboutNotOf = set("about dedicated devoted tribute guide guidance rules history strategies inspired reminiscent highlighting listing")

// notGames are words behind "game" where it names no game.
var notGames = set("server servers statistic statistics stats insight insights developer developers studio review reviews news store shop highlights prompt prompts area building company community club clubs league tournament tournaments")

// kindOf is the kind that the main clause of an instruction names, and whether one does.
func kindOf(main []token, topic string) (kind, bool) {
	var best kind
	found, at := false, len(main)
	for i := range main {
		if aboutNotOf[main[i].low] {
			break
		}
		if i > 1 && main[i-2].low == "in" && determiners[main[i-1].low] {
			continue // where it is found: "a card in a shop"
		}
		for _, k := range kinds {
			if n := kindAt(main[i:], k.nouns); n > 0 && at == len(main) && !otherwise(main, i, n, k) {
				best, found, at = k, true, i
				break
			}
		}
	}
	if found && best.does[0] == vitrine.BehaviorScene {
		for i := range main {
			for _, k := range kinds {
				if len(k.does) > 0 && k.does[0] == vitrine.BehaviorGame {
					if n := kindAt(main[i:], k.nouns); n > 0 && !otherwise(main, i, n, k) {
						best = k
					}
				}
			}
		}
	}
	if t, ok := topicKinds[strings.ToLower(topic)]; ok && (!found || topic == "Game dev" || topic == "3D design") {
		if found && len(t.does) > 0 && best.does[0] == t.does[0] {
			return best, true
		}
		if !found {
			return t, true
		}
	}
	return best, found
}

// kindAt is the number of words of the longest of the nouns that the tokens begin with.
func kindAt(toks []token, nouns string) (n int) {
	for noun := range strings.SplitSeq(nouns, "|") {
		if words := strings.Fields(noun); len(words) > n && begins(toks, words) {
			n = len(words)
		}
	}
	return n
}

// namesTopic are words before games as a topic: "a page titled Games".
var namesTopic = set("titled called named")

// otherwise reports whether the noun is a part of another: the game of game servers, the
// store of an app store's page.
func otherwise(main []token, i, n int, k kind) bool {
	if len(k.does) > 0 && k.does[0] == vitrine.BehaviorAggregate { // "a site for kitchen counters" counts nothing
		return main[i+n-1].low != "counter" || i > 0 && !determiners[main[i-1].low] && !adjectives[main[i-1].low]
	}
	if len(k.does) == 0 || k.does[0] != vitrine.BehaviorGame {
		return false
	}
	if main[i].low == "games" && i > 0 && namesTopic[main[i-1].low] {
		return true
	}
	return i+n < len(main) && (notGames[main[i+n].low] || strings.HasPrefix(main[i+n].low, "-")) || i > 0 && main[i-1].low == "board" && i > 2 ||
		i > 1 && (main[i-2].low == "before" || main[i-2].low == "after" || main[i-2].low == "during") // of a team
}
