package require

import (
	"regexp"
	"slices"

	"vitrine"
)

// A misread is a behaviour that words of an instruction ask for on other sites, and not on one where another
// behaviour is asked for as well, or not where the instruction has some words.
type misread struct {
	on   vitrine.Behavior // empty: any site
	main bool             // the site must be for it foremost: a calculator or a chat may be a part of another site
	not  vitrine.Behavior
	said *regexp.Regexp // of the words that seem to ask for it; nil: any
	in   *regexp.Regexp // of the instruction; nil: any
	but  *regexp.Regexp // of the instruction: it is asked for all the same; nil: never
}

var misreads = []misread{
	// the mouse, colors and brushes, and clearing the area belong to drawing
	{on: vitrine.BehaviorDraw, not: vitrine.BehaviorScene},
	{on: vitrine.BehaviorDraw, not: vitrine.BehaviorCustomize},
	{on: vitrine.BehaviorDraw, not: vitrine.BehaviorDelete, said: regexp.MustCompile(`(?i)\b(clear|eras)|清|擦`)},
	// a bot answers questions, which are neither entries nor tasks
	{on: vitrine.BehaviorChat, main: true, not: vitrine.BehaviorReply, said: regexp.MustCompile(`(?i)\b(answers?|questions?|repl(y|ies))\b`)},
	{on: vitrine.BehaviorChat, main: true, not: vitrine.BehaviorQuiz, said: regexp.MustCompile(`(?i)\b(answers?|questions?) (about|on|to|my|their|questions?)\b`)},
	// pieces are swiped, wins are counted and the best score is kept by playing
	{on: vitrine.BehaviorGame, not: vitrine.BehaviorJoin, said: regexp.MustCompile(`(?i)\b(swip|scor|undo)`)},
	{on: vitrine.BehaviorGame, not: vitrine.BehaviorAggregate, said: regexp.MustCompile(`(?i)\b(wins?|loss|losses|scores?|draws?|games|remaining|mines|lives)\b|胜|比分|得分`)},
	{on: vitrine.BehaviorGame, not: vitrine.BehaviorOrder, said: regexp.MustCompile(`(?i)\b(saved|best|a|the|my|personal) high ?score$`)},
	// what is made is edited by its options, and a text by its editor
	{on: vitrine.BehaviorCustomize, not: vitrine.BehaviorEdit, said: regexp.MustCompile(`(?i)\bedit\w* (the |its |their )?(text|font|message|colou?rs?|photo|picture|image)`)},
	{on: vitrine.BehaviorEdit, main: true, not: vitrine.BehaviorCalculate, said: regexp.MustCompile(`(?i)^format\b`)},
	{not: vitrine.BehaviorCreate, said: regexp.MustCompile(`(?i)\bcontent creation$`)},
	{on: vitrine.BehaviorCustomize, not: vitrine.BehaviorJoin, said: regexp.MustCompile(`(?i)^save( (it|palettes?|(the )?(card|design|image|picture|file|result)))?$`)},
	{on: vitrine.BehaviorEdit, not: vitrine.BehaviorCustomize, said: regexp.MustCompile(`(?i)\beditor$`)},
	{on: vitrine.BehaviorCreate, not: vitrine.BehaviorCustomize, said: regexp.MustCompile(`(?i)^editor$`)},
	// what moves is paused, and answers to the pointer
	{on: vitrine.BehaviorScene, not: vitrine.BehaviorMedia, said: regexp.MustCompile(`(?i)\b(pause|stop)|^play( it)?$`)},
	{on: vitrine.BehaviorScene, not: vitrine.BehaviorJoin, said: regexp.MustCompile(`(?i)^reacts? to`)},
	// a survey has questions without right answers
	{on: vitrine.BehaviorSubmit, not: vitrine.BehaviorQuiz, said: regexp.MustCompile(`(?i)choice|questions?`), in: regexp.MustCompile(`(?i)\b(survey|questionnaire)\b`)},
	// who fills in the form to sign up asks for no way to sign in
	{on: vitrine.BehaviorSubmit, main: true, not: vitrine.BehaviorLogin, said: regexp.MustCompile(`(?i)^(sign.?up|registration|up)( form)?$`), in: regexp.MustCompile(`(?i)\b(sign.?up|registration) form\b`)},
	// another unit of what is shown is chosen, and nothing is entered to be converted
	{on: vitrine.BehaviorSetting, not: vitrine.BehaviorCalculate, said: regexp.MustCompile(`(?i)celsius|fahrenheit|metric|imperial`), in: regexp.MustCompile(`(?i)\b(switch|toggle)\w*( \w+){0,3} (between|for|from|to) (°?c\b|°?f\b|celsius|fahrenheit|metric|imperial)`)},
	// a calculator adds what is computed, and its fields are edited, saved on and answered by computing
	{on: vitrine.BehaviorCalculate, main: true, not: vitrine.BehaviorCreate, said: regexp.MustCompile(`(?i)\b(add|plus|apply)\w* (a |an |the )?(vat|gst|(sales )?tax|tips?|interest|shipping|discounts?|gratuity|markup)\b`)},
	{on: vitrine.BehaviorCalculate, main: true, not: vitrine.BehaviorDelete, said: regexp.MustCompile(`(?i)\b(remove|subtract|deduct)\w* (it|(the )?(vat|gst|(sales )?tax|tips?|discounts?))\b`)},
	{on: vitrine.BehaviorCalculate, main: true, not: vitrine.BehaviorEdit, said: regexp.MustCompile(`(?i)^(editable|updat)`)},
	{on: vitrine.BehaviorCalculate, main: true, not: vitrine.BehaviorJoin, said: regexp.MustCompile(`(?i)^sav(e|ed|ings?)$`)},
	{on: vitrine.BehaviorCalculate, main: true, not: vitrine.BehaviorReply, said: regexp.MustCompile(`(?i)^answer`)},
	{on: vitrine.BehaviorCalculate, main: true, not: vitrine.BehaviorCreate, said: regexp.MustCompile(`(?i)^plan `)},
	{on: vitrine.BehaviorCalculate, main: true, not: vitrine.BehaviorSetting, said: regexp.MustCompile(`(?i)\bsliders?\b|^(adjustable|toggles?)$`)},
	{on: vitrine.BehaviorCalculate, main: true, not: vitrine.BehaviorCustomize, said: regexp.MustCompile(`(?i)\bsliders?\b`)},
	{on: vitrine.BehaviorCalculate, main: true, not: vitrine.BehaviorCompare},
	{on: vitrine.BehaviorCalculate, main: true, not: vitrine.BehaviorLive, said: regexp.MustCompile(`(?i)updat`)},
	{on: vitrine.BehaviorCalculate, main: true, not: vitrine.BehaviorSearch, said: regexp.MustCompile(`(?i)^find (the |its |their |your )?(pace|time|distance|speed|value|values|roots?|result)\b`)},
	// a ranking is a kind of chart, and its tips are shown by pointing at it
	{on: vitrine.BehaviorChart, not: vitrine.BehaviorOrder, said: regexp.MustCompile(`(?i)^rank$`)},
	{on: vitrine.BehaviorChart, not: vitrine.BehaviorDetail, said: regexp.MustCompile(`(?i)^tooltips?$`)},
	// bars that rank are drawn, and no rows are sorted
	{not: vitrine.BehaviorOrder, said: regexp.MustCompile(`(?i)\brank(ing)? (bar|chart)s?$`)},
	// a key of the keyboard leads nowhere, and a sale that ends closes no panel
	{not: vitrine.BehaviorNav, said: regexp.MustCompile(`(?i)^bar\b`), in: regexp.MustCompile(`(?i)\bspace ?bar\b`)},
	{not: vitrine.BehaviorPanels, said: regexp.MustCompile(`(?i)^close$`), in: regexp.MustCompile(`(?i)\b(sale|shop|store|market|auction|bidding|registration|poll|voting|offer|deal)s? (\w+ )?closes?\b`)},
	// a serial number is one of the fields of what is listed with it
	{not: vitrine.BehaviorLookup, said: regexp.MustCompile(`(?i)^serial numbers?$`), in: regexp.MustCompile(`(?i)\bwith [^.;]*\bserial number`), but: regexp.MustCompile(`(?i)\b(check|search|verif|enter|look|find|scan|track)\w*\b[^.;]*\bserial number`)},
	// what is good enough to be printed is a picture
	{not: vitrine.BehaviorExport, said: regexp.MustCompile(`(?i)^print$`), in: regexp.MustCompile(`(?i)\benough to print\b`)},
	// what is overdue is marked as such where all is shown
	{not: vitrine.BehaviorFilter, said: regexp.MustCompile(`(?i)\bwhat('s|’s| is| are)\b`), but: regexp.MustCompile(`(?i)\bfilter`)},
	// questions are dealt out, and options of a calculator have one for values of one's own
	{on: vitrine.BehaviorQuiz, not: vitrine.BehaviorCustomize, said: regexp.MustCompile(`(?i)random|shuffl|随机`), but: regexp.MustCompile(`(?i)\bcustomi[sz]|自定义`)},
	{on: vitrine.BehaviorCalculate, not: vitrine.BehaviorCustomize, said: regexp.MustCompile(`自定义`), in: regexp.MustCompile(`可自定义`)},
	// who talks to a concierge orders in words
	{on: vitrine.BehaviorChat, main: true, not: vitrine.BehaviorCart, said: regexp.MustCompile(`(?i)^(place )?order\b`), but: sells},
	// who trades places orders, and fills no cart
	{not: vitrine.BehaviorCart, said: regexp.MustCompile(`(?i)\border`), in: regexp.MustCompile(`(?i)\b(trading|bidding|auction|stock (market|exchange)|forex|crypto(currency)?) (web ?site|site|platform|app|system|page|exchange|simulator)`), but: sells},
	// the answer is copied and pasted, files are dragged to be uploaded, and the chart of a birth is no drawing of numbers
	{not: vitrine.BehaviorExport, said: regexp.MustCompile(`(?i)^(copy|paste)`), in: regexp.MustCompile(`(?i)\bcopy( and |, ?|/)paste (it )?(for use|to use|and run|to run|into a file)\b`), but: regexp.MustCompile(`(?i)\bcopy (button|icon)|to (the )?clipboard`)},
	{on: vitrine.BehaviorUpload, not: vitrine.BehaviorDrag, said: regexp.MustCompile(`(?i)\bdrag`), in: regexp.MustCompile(`(?i)\bdrag\w*( and drop| & drop|-and-drop)?( \w+){0,3} (to )?upload|\bupload\w*( \w+){0,4} (by|via|with) drag`), but: regexp.MustCompile(`(?i)\b(reorder|rearrange|sort|into (a |the )?folders?)`)},
	{not: vitrine.BehaviorChart, said: regexp.MustCompile(`(?i)\bchart`), in: regexp.MustCompile(`(?i)\b(four pillars|bazi|birth charts?|natal charts?)\b|八字|命盘|星盘`), but: regexp.MustCompile(`(?i)\b(bar|line|pie|radar) charts?\b`)},
	// months are picked to narrow what is listed
	{on: vitrine.BehaviorFilter, not: vitrine.BehaviorDetail, said: regexp.MustCompile(`(?i)^(pick|choose|select) an? (day|week|month|year|date|category|period)\b`)},
	// a day has a time to check in, hands write and drag, and totals update by themselves
	{not: vitrine.BehaviorCart, said: regexp.MustCompile(`(?i)\bcheck.?out (date|day|time)s?\b`)},
	{not: vitrine.BehaviorStatus, said: regexp.MustCompile(`(?i)\bcheck.?in (date|day|time)s?\b`)},
	{not: vitrine.BehaviorDrag, said: regexp.MustCompile(`(?i)^by hand$`), in: regexp.MustCompile(`(?i)\b(writ|typ|enter|add|fill)\w* (\w+ ){0,3}by hand\b`)},
	{on: vitrine.BehaviorAggregate, not: vitrine.BehaviorEdit, said: regexp.MustCompile(`(?i)^updates? (at once|once|live|automatically|instantly|immediately|in real.?time|with \d)`), in: regexp.MustCompile(`(?i)\b(totals?|sums?|subtotals?|prices?|balances?|counts?) (that |which )?updates?\b`)},
	// who is to confirm is asked, a form is checked before it is accepted, and shares are paid to each other
	{not: vitrine.BehaviorChat, said: regexp.MustCompile(`(?i)^ask (first|before|again)\b`)},
	{not: vitrine.BehaviorStatus, said: regexp.MustCompile(`(?i)^accept`), in: regexp.MustCompile(`(?i)\bbefore (it is|they are|being) accepted\b`)},
	{not: vitrine.BehaviorCart, said: regexp.MustCompile(`(?i)^pays? whom\b`)},
	// what is confirmed has a number, and who learns plays nothing
	{not: vitrine.BehaviorLookup, said: regexp.MustCompile(`(?i)^(order|booking|confirmation) number$`), in: regexp.MustCompile(`(?i)\b(show|get|give|receiv|with)\w* (\w+ ){0,3}(order|booking|confirmation) number\b`), but: regexp.MustCompile(`(?i)\b(enter|look|track|find|search)\w* (\w+ ){0,4}(order|booking|confirmation) number`)},
	{not: vitrine.BehaviorGame, said: regexp.MustCompile(`(?i)^learn `)},
	{not: vitrine.BehaviorSubmit, said: regexp.MustCompile(`(?i)^register for `), in: regexp.MustCompile(`(?i)\b(a|an|the) (\w+ )?register for\b`)},
	{on: vitrine.BehaviorCalculate, main: true, not: vitrine.BehaviorCreate, said: regexp.MustCompile(`(?i)^((i|we) (\w+ to |can )?)?(enter|input|type in|put in|key in) `)},
	// who signs up to something takes part in it
	{on: vitrine.BehaviorSubmit, not: vitrine.BehaviorLogin, said: regexp.MustCompile(`(?i)\b(shifts?|events?|class|classes|courses?|workshops?|volunteers?|volunteering|tours?|races?|activity|activities) sign.?ups?\b`)},
	{on: vitrine.BehaviorSubmit, not: vitrine.BehaviorLogin, said: regexp.MustCompile(`(?i)^sign.?up to\b`)},
	{on: vitrine.BehaviorSubmit, not: vitrine.BehaviorPanels, said: regexp.MustCompile(`(?i)^step.by.step$`)},
	// a waiting list is kept by the site, a plan is ended, and hours are found by looking
	{not: vitrine.BehaviorCreate, said: waiting}, {not: vitrine.BehaviorEdit, said: waiting}, {not: vitrine.BehaviorDelete, said: waiting},
	{not: vitrine.BehaviorSetting, said: regexp.MustCompile(`(?i)\bend (their|your|my|the|a) (plan|subscription|membership|contract)\b`)},
	{not: vitrine.BehaviorSearch, said: regexp.MustCompile(`(?i)^find (the |its |our |your )?((prices|contact|address) and )?((opening|business|office|visiting) )?(hours|address|directions|prices)$`)},
	// bugs are reported by an entry, and a report of them is something else
	{not: vitrine.BehaviorReport, said: regexp.MustCompile(`(?i)^report(s|ing)?$`), in: regexp.MustCompile(`(?i)\breport(ing)? (and|or|&) (edit|updat|track|fix|resolv)\w* (bugs?|issues?|problems?|incidents?|faults?|tickets?|defects?)\b`)},
	// results of games are counted, answers of a quiz taken back, and texts looked through
	{on: vitrine.BehaviorGame, not: vitrine.BehaviorCreate, said: regexp.MustCompile(`(?i)^(keep track of|track|count|record) (my |your |the |his |her |their )?(wins?|losses|scores?|streaks?|moves|best)\b`)},
	{on: vitrine.BehaviorQuiz, main: true, not: vitrine.BehaviorGame, said: regexp.MustCompile(`(?i)^(undo|redo)\b`)},
	{on: vitrine.BehaviorSearch, not: vitrine.BehaviorList, said: regexp.MustCompile(`(?i)^browse (titles?|texts?|contents?|names?|words?)$`), in: regexp.MustCompile(`(?i)\b(looks?|goes|searches) through\b`)},
	// rows of another week are no file, and totals that follow do not move by themselves
	{not: vitrine.BehaviorExport, said: regexp.MustCompile(`(?i)^copy (the |all |its |their )?(rows|entries|tasks|items|lines|week)\b`), in: regexp.MustCompile(`(?i)\bcopy\w* (the |all |its |their )?(rows|entries|tasks|items|lines|week) (from|of) (last|the (last|previous))\b`)},
	{on: vitrine.BehaviorAggregate, not: vitrine.BehaviorLive, said: regexp.MustCompile(`(?i)\b(totals?|sums?|subtotals?) update\b`)},
	{not: vitrine.BehaviorCalculate, said: regexp.MustCompile(`(?i)^calculate \w+ing how\b`)},
	// a page to sign up takes names and has no accounts, and going back is a step of a form
	{on: vitrine.BehaviorSubmit, not: vitrine.BehaviorLogin, said: regexp.MustCompile(`(?i)^(sign.?up|up)$`), in: regexp.MustCompile(`(?i)\bsign.?up (page|sheet|list|board|table)s?\b`), but: regexp.MustCompile(`(?i)\b(log.?in|sign.?in|accounts?|passwords?)\b`)},
	{not: vitrine.BehaviorNav, said: regexp.MustCompile(`(?i)^go back$`), in: regexp.MustCompile(`(?i)\b(go|goes|going|step|stepping) back\b[^.;]*\b(lose|loses|losing|lost|keep|keeps|kept|entered|answers?|data|input)\b`)},
	// the site of a league records results of games that are played elsewhere
	{not: vitrine.BehaviorGame, said: regexp.MustCompile(`(?i)\b(results?|table|standings|matches|fixtures|league|plays?|played)\b`), in: regexp.MustCompile(`(?i)\b(league|tournament|bracket|standings|fixtures)\b`), but: regexp.MustCompile(`(?i)\b(video ?game|browser game|arcade|against the computer|high ?scores?)\b`)},
	// standing next to each other is no comparison, opening hours are no state, and organising is what the operator does
	{not: vitrine.BehaviorCompare, said: regexp.MustCompile(`(?i)^next to each other$`), but: regexp.MustCompile(`(?i)\bcompar`)},
	{not: vitrine.BehaviorStatus, said: regexp.MustCompile(`(?i)^close `), in: regexp.MustCompile(`(?i)\b(is|are) closed (on|at|every|all|for|during)\b`)},
	{on: vitrine.BehaviorList, not: vitrine.BehaviorCreate, said: regexp.MustCompile(`(?i)^organi[sz]e `), in: regexp.MustCompile(`(?i)\b(web ?site|site|app|platform|portal|system) for [^.;]* to organi[sz]e\b`)},
	// refusing dates in the past is no history, a count no calculation, and two measured values no key
	{not: vitrine.BehaviorHistory, said: regexp.MustCompile(`(?i)^in the past$`), in: regexp.MustCompile(`(?i)\b(nothing|not|no|never|cannot|can't)\b[^.;]{0,40}\bin the past\b`)},
	{on: vitrine.BehaviorAggregate, not: vitrine.BehaviorCalculate, said: regexp.MustCompile(`(?i)^see (.*\b)?how many\b`)},
	{on: vitrine.BehaviorCreate, not: vitrine.BehaviorLookup, said: regexp.MustCompile(`(?i)^enter (the )?(two|three|four|both|these) numbers\b`)},
	// who splits costs enters them one by one
	{on: vitrine.BehaviorLedger, not: vitrine.BehaviorCalculate, said: regexp.MustCompile(`(?i)^split (the |our |their |all )?(costs?|bills?|expenses?)\b`), in: regexp.MustCompile(`(?i)\bwho owes\b|\bowes? who`)},
	// turns go from one person to the next, what is taken back is neither played nor edited, and what is paid is no cart
	{not: vitrine.BehaviorScene, said: regexp.MustCompile(`(?i)^rotat\w* (the |all |our )?(people|persons|chores|members|turns|tasks|shifts|duties|roles)\b`)},
	{not: vitrine.BehaviorGame, said: regexp.MustCompile(`(?i)^(undo|redo)\b`)},
	{not: vitrine.BehaviorEdit, said: regexp.MustCompile(`(?i)^(undo|redo|take back)\b`)},
	{not: vitrine.BehaviorCart, said: regexp.MustCompile(`(?i)^(pay|paid) whether\b|^subtotals?$`)},
	{not: vitrine.BehaviorDetail, said: regexp.MustCompile(`(?i)\bcannot$`)},
	{not: vitrine.BehaviorCustomize, said: regexp.MustCompile(`(?i)\binvoice (maker|generator|creator|builder)\b`)},
	{not: vitrine.BehaviorJoin, said: regexp.MustCompile(`(?i)^save \w+ (to|in|into) (a|the|my) list\b`)},
	{not: vitrine.BehaviorQuiz, said: regexp.MustCompile(`(?i)^exercises?$`), in: regexp.MustCompile(`(?i)\b(workouts?|training|fitness|gym|sets|reps)\b`)},
	// what is loaded again was there before
	{not: vitrine.BehaviorUpload, said: regexp.MustCompile(`(?i)^load( (it|them))?( again)?$`), in: regexp.MustCompile(`(?i)\bload(s|ing)?( (it|them|one|any))? (again|back)\b`)},
	// the columns of a board are the states between which its cards are moved
	{on: vitrine.BehaviorDrag, main: true, not: vitrine.BehaviorStatus, said: regexp.MustCompile(`(?i)to.?do\b.*\bin progress\b.*\bdone`)},
	// what is paid each month is no purchase, presets are entries, the time that is left no sum, and lines of a text no rows
	{not: vitrine.BehaviorCart, said: regexp.MustCompile(`(?i)^pay (per|each|every|a) (month|year|week|quarter)`)},
	{not: vitrine.BehaviorJoin, said: regexp.MustCompile(`(?i)^save (my |the |your |own |favou?rite )*presets?\b`)},
	{on: vitrine.BehaviorLive, not: vitrine.BehaviorAggregate, said: regexp.MustCompile(`(?i)^total time$`), in: regexp.MustCompile(`(?i)\btime left\b`)},
	{not: vitrine.BehaviorDelete, said: regexp.MustCompile(`(?i)^(remove|delete|trim|strip) (all )?(duplicate|blank|empty|extra) (lines?|spaces?|words?)\b`)},
	{not: vitrine.BehaviorOrder, said: regexp.MustCompile(`(?i)^sort lines$`)},
	{on: vitrine.BehaviorGame, not: vitrine.BehaviorSetting, said: regexp.MustCompile(`(?i)^\w+ toggles$`)},
	{not: vitrine.BehaviorMedia, said: regexp.MustCompile(`(?i)^(jump|skip) back$`), in: regexp.MustCompile(`(?i)\b(back to today|month)\b`)},
	// a clock is stopped, and what is left to assign or to buy is a figure
	{on: vitrine.BehaviorLive, not: vitrine.BehaviorMedia, said: regexp.MustCompile(`(?i)^(pause|stop|resume|skip)\b`), but: regexp.MustCompile(`(?i)\b(audio|videos?|music|sounds?|songs?|podcasts?|radio|films?)\b`)},
	{not: vitrine.BehaviorStatus, said: regexp.MustCompile(`(?i)^assign$`), in: regexp.MustCompile(`(?i)\b(left|remains?|remaining|free|available|still) to assign\b`), but: regexp.MustCompile(`(?i)\bassign (an? |the )?\w+ to\b`)},
	{not: vitrine.BehaviorCart, said: regexp.MustCompile(`(?i)^buy$`), in: regexp.MustCompile(`(?i)\b(things?|items?|what|stuff|ingredients|left|still|need|have) to buy\b`), but: sells},
	// an income is one value, who may do as they like gives no likes, and who claims something answers no quiz
	{not: vitrine.BehaviorCreate, said: regexp.MustCompile(`(?i)^(enter|set|input) (my|your|their|the) (monthly |weekly |yearly )?(income|budget|salary|wage)$`)},
	{not: vitrine.BehaviorJoin, said: regexp.MustCompile(`(?i)^like$`), in: regexp.MustCompile(`(?i)\bif (you|they|i|we|one) like\b`), but: regexp.MustCompile(`(?i)\b(likes|liked|like (a|the|each|every) |like button)\b`)},
	{not: vitrine.BehaviorQuiz, said: regexp.MustCompile(`(?i)^(right|correct|wrong) answers?$`), in: regexp.MustCompile(`(?i)\b(claim(s|ed|ing)?|security question|secret question)\b`)},
	// a value is typed, entries are copied to another day, and a board has open tickets
	{not: vitrine.BehaviorLookup, said: regexp.MustCompile(`(?i)^(type|typing) (the|a) number$`), but: regexp.MustCompile(`(?i)\bnumber\b[^.;]{0,30}\bto (find|see|look|get)\b`)},
	{not: vitrine.BehaviorExport, said: regexp.MustCompile(`(?i)^copy (the |all |last |each |my )*(mon|tues|wednes|thurs|fri|satur|sun)?(day|week|month|menu|plan|schedule)\b`), but: regexp.MustCompile(`(?i)\bclipboard\b`)},
	{not: vitrine.BehaviorPanels, said: regexp.MustCompile(`(?i)^open$`), in: regexp.MustCompile(`(?i)[(/,] ?open ?[/,|)]|\(open ?[/,|]|\bopen ?/ ?\w`)},
	{not: vitrine.BehaviorCompare, said: regexp.MustCompile(`(?i)^before ?(/|and|&) ?after$`), in: regexp.MustCompile(`(?i)\b(days?|weeks?|months?|years?|pages?|ones?) before ?(/|and|or|&) ?after\b`), but: regexp.MustCompile(`(?i)\b(compar\w*|before ?/ ?after (slider|pictures?|photos?|images?|view))\b`)},
	{not: vitrine.BehaviorFilter, said: regexp.MustCompile(`(?i)\b(repeat|practi[sc]e|retry|review) only$`)},
	{on: vitrine.BehaviorLimit, not: vitrine.BehaviorValidate, said: left},
	{not: vitrine.BehaviorGame, said: regexp.MustCompile(`(?i)^play [a-z0-9]+ a side$`)},
	{not: vitrine.BehaviorGame, said: regexp.MustCompile(`(?i)^move (them|it|tasks?|cards?) (left|right)\b`), in: regexp.MustCompile(`(?i)\b(board|columns?|kanban)\b`)},
	// who was checked in is checked out, money is paid into an account, and a thing like another is not liked
	{not: vitrine.BehaviorLookup, said: regexp.MustCompile(`(?i)\bcheck$`), in: regexp.MustCompile(`(?i)\bcheck in\b`)},
	{not: vitrine.BehaviorCart, said: regexp.MustCompile(`(?i)^check ?out\b`), in: regexp.MustCompile(`(?i)\bcheck(s|ed|ing)?[ -]?in\b`)},
	{not: vitrine.BehaviorCart, said: regexp.MustCompile(`(?i)^pay( money| cash)? (in|into|back)\b|^pay money$`)},
	{not: vitrine.BehaviorJoin, said: regexp.MustCompile(`(?i)^like$`), in: regexp.MustCompile(`(?i)\blike ['"]?\d|\b(things?|something|looks?|numbers?|sums?|amounts?|weights?|names?) like\b`), but: regexp.MustCompile(`(?i)\b(likes|liked|like (a|the|each|every) |like button)\b`)},
	{not: vitrine.BehaviorSubmit, said: regexp.MustCompile(`(?i)^book (it|them|this|that) as\b`)},
	{not: vitrine.BehaviorLedger, said: regexp.MustCompile(`(?i)^pay\b`), in: regexp.MustCompile(`(?i)\bpay(s|ing)? ([a-z]+ )?in (full|advance|person|cash|instal\w+|the)\b`)},
	{not: vitrine.BehaviorList, said: regexp.MustCompile(`(?i)^what'?s on$`), in: regexp.MustCompile(`(?i)\b(than|of) what['’]?s on\b`)},
	// what is clicked first is put somewhere, who waits is listed, families have a history, rent is paid, and tickets are created
	{not: vitrine.BehaviorDetail, said: regexp.MustCompile(`(?i)^(click|tap|press) `), in: regexp.MustCompile(`(?i)\b(click|tap|press)(ing)? (on )?(a|an|the|one) \w+ (and )?then (click |tap )?(on )?`)},
	{not: vitrine.BehaviorSubmit, said: regexp.MustCompile(`(?i)^waiting list$`), in: regexp.MustCompile(`(?i)\b(back to|on|from|in) the waiting list\b`), but: regexp.MustCompile(`(?i)\b(join|sign|enter|put)\w*[^.;]{0,30}\bwaiting list\b`)},
	{not: vitrine.BehaviorHistory, said: regexp.MustCompile(`(?i)\b(family|medical|local|school|club|town) history$`), but: regexp.MustCompile(`(?i)\b(edit|change|version|order)s? history\b|\bhistory of (edits|changes|orders|entries)\b`)},
	{not: vitrine.BehaviorSubmit, said: regexp.MustCompile(`(?i)^rent$`), in: regexp.MustCompile(`(?i)[(,] ?rent ?[,./)…]|\b(monthly|the|my|pay(ing)?) rent\b`), but: regexp.MustCompile(`(?i)\brent (a|an|out|cars?|bikes?|rooms?|tools?|films?|boats?)\b`)},
	{on: vitrine.BehaviorCreate, not: vitrine.BehaviorSubmit, said: regexp.MustCompile(`(?i)^(support|help ?desk|service) tickets?$`), but: regexp.MustCompile(`(?i)\bsubmit`)},
	// who turns a card over says whether it was known
	{on: vitrine.BehaviorQuiz, not: vitrine.BehaviorStatus, said: regexp.MustCompile(`(?i)\b(knew|know|known|again|learn(ed|t))\b`), in: regexp.MustCompile(`(?i)\bcards?\b`)},
	// who writes takes part in a discussion
	{on: vitrine.BehaviorReply, not: vitrine.BehaviorJoin, said: regexp.MustCompile(`(?i)^(join|participate|take part|engage)( in)? (the )?(discussions?|conversations?|debates?|threads?)$`)},
	// looking through a log is no flight through a scene
	{on: vitrine.BehaviorHistory, not: vitrine.BehaviorScene, said: regexp.MustCompile(`(?i)^look through the$`)},
}

var waiting = regexp.MustCompile(`(?i)\bmanag\w* (the )?wait(ing)?.?lists?\b`)

// sells are words of instructions that want things to be bought.
var sells = regexp.MustCompile(`(?i)\b(carts?|baskets?|check ?out|shops?|store)\b|购物车`)

// isFor reports whether the noun for the site is for a behaviour foremost.
func (g *gathering) isFor(b vitrine.Behavior) bool {
	return g.known && len(g.kind.does) > 0 && g.kind.does[0] == b
}

// dropMisread takes back what was misread.
func (g *gathering) dropMisread(text string) {
	for _, m := range misreads {
		if m.on != "" && !g.has(m.on) || m.main && !g.isFor(m.on) || m.in != nil && !m.in.MatchString(text) || m.but != nil && m.but.MatchString(text) || g.isFor(m.not) {
			continue
		}
		for i := len(g.list) - 1; i >= 0; i-- {
			if q := g.list[i]; q.Behavior == m.not && (m.said == nil || m.said.MatchString(q.Quote)) {
				g.drop(i)
			}
		}
	}
}

// drop takes a requirement back.
func (g *gathering) drop(i int) {
	g.list, g.force, g.main = slices.Delete(g.list, i, i+1), slices.Delete(g.force, i, i+1), slices.Delete(g.main, i, i+1)
}
