package require

import (
	"strings"

	"vitrine"
)

// A form is a noun that names a behaviour by itself. Phrases are parted by |; a word of
// one matches a word of the text as it is written in lower case, or its singular. Of
// several phrases that begin at one place the longest counts.
type form struct {
	phrases string
	does    []vitrine.Behavior
}

// forms are the nouns that name behaviours.
var forms = []form{
	{"navigation|navigation menu|navigation bar|navigation system|nav bar|navbar|menu bar|site menu|header menu|navigation experience|navigation link|site navigation|side menu|hamburger menu|breadcrumb|routing|table of contents|tab bar|bottom navigation|sticky header|anchor link", is(vitrine.BehaviorNav)},
	{"listing|detailed listing|gallery|photo gallery|catalog|catalogue|testimonial|success story|news feed|product display|product showcase|product card|feed|waterfall flow|case study|news section|blog section|news and blog section|menu item|social feed|list view|table|data table|latest article|latest news|newest post|latest post|inventory page|grid view|mail inbox", is(vitrine.BehaviorList)},
	{"creation|create form|email template|message template|posting|task entry|data entry|information recording|step recording|product registration|device registration|patient registration|to-do list|habit tracker|expense tracker|budget tracker|finance tracker|fitness tracker|workout tracker|mood tracker|food tracker|time tracker|reading tracker", is(vitrine.BehaviorCreate)},
	{"detail page|detail view|product page|product detail|property detail|profile page|detailed view|article page|interactive map|map view|map integration|player profile|team profile|character profile|hotspot|tooltip", is(vitrine.BehaviorDetail)},
	{"order history|game history|match history|transaction history|purchase history|trading history|sales history|search history|chat history|play history|booking history|payment history|browsing history|version history|call history|activity log|activity feed|recent activity|transaction record|winning record|attendance record|order record|booking record|past order|past transaction|past purchase|past booking|past trip|past appointment|past session|past result|edit history|maintenance history|maintenance record|sales record|game record|leasing record|sent folder|operation log|service log|change log|log book|logbook", is(vitrine.BehaviorHistory)},
	{"inquiries|contact form|contact us|contact page|contact section|booking|reservation|online booking|booking option|booking request|booking request page|booking wizard|booking system|booking tool|booking form|appointment form|request form|quote request|demo request|donation form|email signup|waitlist|appointment booking|appointment module|appointment function|appointment feature|appointment system|online appointment|appointment scheduling|newsletter|newsletter registration|newsletter signup|sign-up form|signup form|form-filling|form filling|application form|survey|rsvp|subscription form|inquiry form|enquiry form|registration form|feedback form|lead form|event registration|form submission|reservation form|booking form|submission form|contest enrollment|anonymous reporting|leave application|bidding|bidding feature", is(vitrine.BehaviorSubmit)},
	{"gameplay|game mechanic|game mechanics|combat|minigame|mini-game|touch control|game over|game board|multiplayer match", is(vitrine.BehaviorGame)},
	{"search|searching|search bar|search box|search function|search functionality|search feature|search engine|search field|search input|keyword search|search tool|site search|typeahead|autocomplete|advanced search", is(vitrine.BehaviorSearch)},
	{"order tracking|package tracking|shipment tracking|parcel tracking|tracking number|status inquiry|score inquiry|service inquiry|product inquiry|status lookup|lookup|verification|status query|order status|inquiry|status check|dictionary|postcode search", is(vitrine.BehaviorLookup)},
	{"leaderboard|ranking|ranking page|sort|sorting|sorting option|sortable|high score|team ranking|chronological order", is(vitrine.BehaviorOrder)},
	{"filter|filtering|filter option|selector|year selector|date picker|date selector|faceted search|category filter|date range|historical data query|categorization", is(vitrine.BehaviorFilter)},
	{"status update|clocking in|clock-in|clock-out|approval|approval workflow|dispute resolution|transaction confirmation|cryptocurrency release|check-in|status change|renewal", is(vitrine.BehaviorStatus)},
	{"resource management|budget tracking|portfolio tracking|escrow|inventory tracking", is(vitrine.BehaviorLedger)},
	{"text editor|rich text editor|document editor|profile editing|account management|profile management|information modification|information editing|inline editing|edit button|edit mode|word processor|spreadsheet", is(vitrine.BehaviorEdit)},
	{"likes|upvote|voting|vote|voting system|like button|rating system|star rating|ratings and review|follow button|poll|wishlist|favorites|favourites|bookmark|bookmarking|retweet|reaction|favorite item|follow system", is(vitrine.BehaviorJoin)},
	{"comment section|comments section|commenting|comments|reply|replying|reply record|discussion thread|discussion board|discussion forum|question answering|answering question|annotation|sub-task|subtask|discussion thread", is(vitrine.BehaviorReply)},
	{"chat|chatbot|chat bot|live chat|chat function|chat functionality|chat feature|chat interface|messaging system|messaging feature|direct messaging|in-app messaging|private message|private messaging|instant message|instant messaging|online consultation|online customer service|online chat|live support|chat room|direct message|virtual assistant|ai assistant|customer support tool|text-based conversation|ai conversation|ai chat", is(vitrine.BehaviorChat)},
	{"cart|shopping cart|shopping basket|shopping bag|add-to-cart|add to cart|checkout|check-out|checkout process|checkout interface|online ordering|online order|payment processing|order option|ticket purchase|for purchase|purchase option|payment management|secure payment|e-commerce component", is(vitrine.BehaviorCart)},
	{"order form|online order form", is(vitrine.BehaviorCart, vitrine.BehaviorSubmit)},
	{"zoom|zoom and pan|synchronized zoom|pan function|zoom function|confetti|bouncing ball|falling snow|typing effect|fade-in effect|animated background", is(vitrine.BehaviorScene)},
	{"customization|customisation|customizer|configurator|preview|live preview|personalization|randomizer|color picker|colour picker|editor|editing feature|map creation|voice alteration|story twist|image generation|text generation|recipe generation|generator|logo maker|avatar maker|avatar creator|character creator|poster maker|card maker|resume builder|page builder|form builder|avatar builder|meme generator|random picker|name picker|mixer", is(vitrine.BehaviorCustomize)},
	{"chart|graph|data visualization|data visualisation|visualization|visualisation|heatmap|heat map|histogram|trend line|candlestick|diagram|candlestick chart|curve|line chart|bar chart|pie chart|line graph|bar graph|scatter plot|interactive plot|plots|box plot|statistical chart|gantt chart|chart analysis", is(vitrine.BehaviorChart)},
	{"report generation|reporting|reporting function|reporting functionality|report generator|consolidated report|statistical report|report display|analysis report|data report|sales report|performance report|financial report|inventory report", is(vitrine.BehaviorReport)},
	{"scoreboard|statistic|summary statistic|data statistic|statistical analysis|running total|a total|the total|total hour|total cost|total price|total amount|total duration|total time|total distance|total expense|total spending|total spend|total income|total value|total calorie|total wage|total weight|total budget|total saving|grand total|monthly total|totals|progress tracking|sales statistic|word counter|word count|character count|overall rating|average rating", is(vitrine.BehaviorAggregate)},
	{"real-time data|real-time update|real-time display|real-time data display|live data|live update|live score|live simulation|live chart|real-time monitoring|live feed|simulation|live game simulation|real-time information|real-time metric|countdown|countdown timer|timer|live dashboard|real-time dashboard|status monitoring|metronome|stopwatch|world clock|ticker|sensor data|pomodoro timer|pomodoro", is(vitrine.BehaviorLive)},
	{"switch between|toggle between|toggle|toggle switch|switch for|dark mode|light mode|night mode|language switching|language selection|multiple languages|multi-language|theme toggle|theme switch|theme switcher|dark mode toggle|settings|settings page|user preferences|preferences page|difficulty level|difficulty setting|board theme|language switch|theme selector|font size control|notification preferences|difficulty levels|light/dark|colour scheme switch|unit switch|speed slider", is(vitrine.BehaviorSetting)},
	{"local storage|localstorage|data persistence|persistence|autosave|auto-save|offline storage|data kept|offline data", is(vitrine.BehaviorPersist)},
	{"quiz|practice test|exercise|trivia|multiple choice|practice question|grammar exercise|question bank|language practice|question display|mock test|mock exam|exam|vocabulary trainer", is(vitrine.BehaviorQuiz)},
	{"form validation|input validation|validation|validation message|field validation", is(vitrine.BehaviorValidate)},
	{"upload|file upload|image upload|attachment upload|photo upload|image uploader|csv import|json import|file import|attachment|import json|dropzone|drop zone|file picker", is(vitrine.BehaviorUpload)},
	{"export|download|file download|data export|driver download|csv export|pdf export|print function|download button|copy button|share button|printable version|back-up|backup file", is(vitrine.BehaviorExport)},
	{"music player|audio player|video player|media player|playback|playback control|play button|music playback|video playback|audio playback|video streaming|live streaming|music streaming|video timeline|soundboard|drum machine|speech synthesis|text-to-speech|voice recorder|audio guide", is(vitrine.BehaviorMedia)},
	{"animation|animated|animations|hover effect|parallax|scrolling animation|transition|particle effect|3d graphic|3d graphics|scroll effect|motion effect|floating element", is(vitrine.BehaviorScene)},
	{"calculator|converter|calculation|unit conversion|currency conversion|estimator|score calculation|match prediction|prediction", is(vitrine.BehaviorCalculate)},
	{"delete button|deletion|removal", is(vitrine.BehaviorDelete)},
	{"comparison|comparison tool|side-by-side comparison|comparison chart|comparison table|price comparison|diff view|diff|before/after slider|side-by-side view", is(vitrine.BehaviorCompare)},
	{"whiteboard|drawing canvas|drawing area|drawing board|sketchpad|sketch pad|signature pad|signature field|freehand drawing", is(vitrine.BehaviorDraw)},
	{"drag-and-drop|drag and drop|draggable|kanban board|sortable list|customizable layout|resizable pane|draggable card", is(vitrine.BehaviorDrag)},
	{"flashcard|flash card|flash cards|tab|tabs|modal|popup|pop-up|carousel|wizard|accordion|slideshow|progress tracker|multi-step form|step-by-step form|step-by-step wizard|step-by-step design|step-by-step process|image slider|stepper|dropdown menu|lightbox|slide deck|infinite scroll|side panel|drawer|dialog|load more", is(vitrine.BehaviorPanels)},
	{"login integration|login support|login|log-in|log in|login page|login form|sign in|sign up|sign-up|registration|user registration|user accounts|authentication|permission control|access control|administrators|role-based|sign-in|member area|members area|user role|user login|admin login|account creation|permission management|forgot password|sign out|password reset|user permission", is(vitrine.BehaviorLogin)},
	{"orbit control|orbit controls|3d visualization|3d visualisation|3d animation|3d view", is(vitrine.BehaviorScene)},
}

// A phrase is a form's phrase with what it asks for.
type phrase struct {
	words []string
	does  []vitrine.Behavior
}

// phrasesBy are the phrases of all forms by their first word.
var phrasesBy = func() map[string][]phrase {
	m := map[string][]phrase{}
	for _, f := range forms {
		for p := range strings.SplitSeq(f.phrases, "|") {
			words := strings.Fields(p)
			m[words[0]] = append(m[words[0]], phrase{words, f.does})
		}
	}
	return m
}()

// formAt is the longest phrase that begins at the token, or nil.
func formAt(toks []token, i int) (best *phrase) {
	for _, first := range []string{toks[i].low, toks[i].base} {
		for k, p := range phrasesBy[first] {
			if (best == nil || len(p.words) > len(best.words)) && begins(toks[i:], p.words) {
				best = &phrasesBy[first][k]
			}
		}
	}
	return best
}

// begins reports whether the tokens begin with the words.
func begins(toks []token, words []string) bool {
	if len(toks) < len(words) {
		return false
	}
	for i, w := range words {
		if toks[i].low != w && toks[i].base != w {
			return false
		}
	}
	return true
}
