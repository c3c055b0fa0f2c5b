package require

import (
	"strings"

	"vitrine"
)

// A verbRule gives the behaviours that a verb with an object asks for. Verbs are base
// forms, parted by blanks. Objects are words or phrases in the singular, parted by |, one
// of which stands behind the verb; without objects the rule holds for any. The first rule
// of a verb that holds decides; one without behaviours says that the verb asks for
// nothing that can be operated.
type verbRule struct {
	verbs, objects string
	does           []vitrine.Behavior
}

func is(b ...vitrine.Behavior) []vitrine.Behavior { return b }

// manage is what "manage X" asks for: the first is the main one.
var manage = is(vitrine.BehaviorCreate, vitrine.BehaviorEdit, vitrine.BehaviorDelete)

// verbRules map verbs to behaviours.
var verbRules = []verbRule{
	// One place for a verb that needs its object most: view.
	{"count", "down|up|second|minute|food|point|move|streak|step|click", nil}, // what is counted is searched for in the sentence
	{"count", "word|character|letter|vowel|line|paragraph|sentence", is(vitrine.BehaviorCalculate)},
	{"count", "", is(vitrine.BehaviorAggregate)},
	{"tick", "every|each second|each minute|once", nil},
	{"find", "again", nil},
	{"ask", "again", nil},
	{"close", "tab|browser|window|page", nil},
	{"add create make", "button|slider|toggle|animation|sound effect|hover effect", nil},
	{"react respond", physical + "|wind|beat|music", nil},
	{"drag", "physics|force|coefficient", nil},
	{"show display view see", "one at a time|one by one|previous and next", is(vitrine.BehaviorPanels)},
	{"answer reply respond", "my message|my question|their message|their question|his message|every message|message|user message", is(vitrine.BehaviorChat)},
	{"mark", "right|wrong|correct|incorrect|answer", nil},
	{"write compose make", "out of my|out of|from my answer|day plan|profile", is(vitrine.BehaviorReport)},
	{"keep", "history|a record of|a log of", is(vitrine.BehaviorHistory)},
	{"change", "wording|task|idea|note|dose|amount|name|text|title|entry|address|date|event|shift|item|detail|record", is(vitrine.BehaviorEdit)},
	{"visualize visualise simulate show display", physical, is(vitrine.BehaviorScene)},
	{"show display reveal expand", "its content|all its content|hidden content|more content", is(vitrine.BehaviorPanels)},
	{"view see browse show display", "to-do|pending|overdue|unread|unresolved", is(vitrine.BehaviorFilter)},
	{"list show display count", "frequency|number of each|count of", is(vitrine.BehaviorAggregate)},
	{"test scan audit detect diagnose check", findings, is(vitrine.BehaviorReport)},
	{"open expand collapse unfold fold", "section|question|answer|panel|row|card|menu|drawer|modal|popup|dialog", is(vitrine.BehaviorPanels)},
	{"open expand collapse unfold fold", "", nil},
	{"take ask", "name|e-mail|email|phone|booking|order|reservation", is(vitrine.BehaviorSubmit)},
	{"take", "quiz|test|exam", is(vitrine.BehaviorQuiz)},
	{"take", "", nil},
	{"toggle turn switch", "lamp|device|bulb|machine|appliance", is(vitrine.BehaviorStatus)},
	{"set", "to shipped|to paid|to done|to finished|to cancelled|shipped|delivered", is(vitrine.BehaviorStatus)},
	{"mark", "favorite|favourite|bookmark|location|place|spot|point|position|area|difference|letter|word|mistake|error", nil},
	{"pin", "note|message|post|item|top|task", is(vitrine.BehaviorStatus)},
	{"mark", "", is(vitrine.BehaviorStatus)},
	{"drop", "row|item from|from the list|file from", is(vitrine.BehaviorDelete)},
	{"drop place", "new card|new note|new pin|new marker", is(vitrine.BehaviorCreate)},
	{"capture collect save keep note", "idea|thought|link|note|contact|snippet|memory|quote|expense|recipe|address", is(vitrine.BehaviorCreate)},
	{"record", "glass|water|meal|workout|run|weight|measurement|reading|symptom|dream", is(vitrine.BehaviorCreate)},
	{"enter", "income|expense|patient|reading|measurement|title|new|todo|task|amount|topic|result|player|member|exercise|transaction|dish|plant", is(vitrine.BehaviorCreate)},
	{"shop", "", nil},
	{"step", "", is(vitrine.BehaviorPanels)},
	{"correct undo", "mistake|it|typo|entry|post", is(vitrine.BehaviorEdit)},
	{"draw sketch doodle paint", "with the mouse|on a canvas|on the canvas|on a whiteboard|freehand|stroke", is(vitrine.BehaviorDraw)},
	{"turn rotate spin drag move", "with the mouse|around|on a canvas|on the canvas", is(vitrine.BehaviorScene)},
	{"tick", "", is(vitrine.BehaviorStatus)},
	{"check cross", "off", is(vitrine.BehaviorStatus)},
	{"switch toggle", "monthly|yearly|unit|mode|view|theme|language|currency|metric|price|celsius|light|dark", is(vitrine.BehaviorSetting)},
	{"click tap", "button|link|icon|anywhere", nil},
	{"click tap", "on a|on an|on each|on any|on one", is(vitrine.BehaviorDetail)},
	{"browse view learn read discover display show", "company history|work history|employment history|brand history|art history|music history|company information|mission|value", nil},
	{"check query", "status", is(vitrine.BehaviorLookup)},
	{"track follow", "status of|application status|order status|delivery status|repair status|claim status", is(vitrine.BehaviorLookup)},
	{"view see display show", "voting result|poll result|vote result", is(vitrine.BehaviorChart)},
	{"view see access", "personal information|profile|personal detail|account information|account detail", is(vitrine.BehaviorDetail)},
	{"view see", "score", is(vitrine.BehaviorAggregate)},
	{"visualize visualise", "location|map|route", is(vitrine.BehaviorDetail)},
	{"keep", "track", is(vitrine.BehaviorCreate)},
	{"discover find explore locate", "nearby|near|nearest", is(vitrine.BehaviorSearch)},
	{"view see check", "online status|operation status|running status|latest status", is(vitrine.BehaviorLive)},
	{"browse view see check review", "historical order|historical record|historical transaction|historical booking|historical message", is(vitrine.BehaviorHistory)},
	{"view see check access review read show display browse find explore", "order status|status of|current status|delivery status|tracking", is(vitrine.BehaviorLookup)},
	{"view see check access review read show display browse find explore", "leaderboard|ranking|high score|top score|standing", is(vitrine.BehaviorOrder)},
	{"view see open read access", "patient record|medical record|student record|customer record|client record|employee record|member record|animal record|vehicle record", is(vitrine.BehaviorDetail)},
	{"view see check access review read show display browse", "detail with", is(vitrine.BehaviorDetail)},
	{"view see check access review read show display browse track record", pastRecords, is(vitrine.BehaviorHistory)},
	{"view see check access review read show display browse explore observe analyze analyse examine study visualize visualise track monitor understand", charts, is(vitrine.BehaviorChart)},
	{"view see check access review read show display browse monitor", "real-time|real time|live|realtime", is(vitrine.BehaviorLive)},
	{"view see check access review read show display browse analyze analyse calculate perform", "expense|spending", is(vitrine.BehaviorAggregate)},
	{"view see check access review read show display browse track analyze analyse calculate monitor perform", "statistic|summary|total|balance|net worth|average|sum", is(vitrine.BehaviorAggregate)},
	{"view see check access review read", "report", is(vitrine.BehaviorReport)},
	{"view see check access review get understand learn read explore discover", "detail|detailed|specification|profile|specific|description|full information|individual|more information|in detail", is(vitrine.BehaviorDetail)},
	{"view see check access read", "result", is(vitrine.BehaviorList)},
	{"view see", "preview", is(vitrine.BehaviorCustomize)},
	{"explore rotate zoom pan inspect view examine manipulate orbit spin observe", threeD, is(vitrine.BehaviorScene)},
	{"browse categorise", "by category|by date|by price|by type|by genre|by tag", is(vitrine.BehaviorFilter)},
	{"access check get receive", "account|setting", nil},
	{"browse view see list display showcase show exhibit present catalog catalogue curate", "information|data|website|site|page|content|interface", is(vitrine.BehaviorList)},
	{"browse view see list display showcase show exhibit present catalog catalogue curate discover explore", "", is(vitrine.BehaviorList)},
	{"read", "article|post|blog|news|story|review|comment|summary|guide|tutorial|book|recipe", is(vitrine.BehaviorDetail)},
	{"check", "availability", is(vitrine.BehaviorSearch)},
	{"select choose pick", "race|character|class", is(vitrine.BehaviorCustomize)},
	{"select choose pick", "difficulty|level|theme|mode|language|unit|page style|color scheme|colour scheme|appearance|skin", is(vitrine.BehaviorSetting)},
	{"select choose pick", "product|item|property|room|service|plan|destination|movie|recipe|car|course", is(vitrine.BehaviorDetail)},
	{"select choose pick", "format|content", nil},
	{"select choose pick specify", "date range|time range|category|criterion|parameter|filter", is(vitrine.BehaviorFilter)},
	{"select choose pick specify", "option|color|colour|fabric|style|hue|size|accessory|topping|shape|material|template|layout|font|frame|pattern|background", is(vitrine.BehaviorCustomize)},

	// Making things.
	{"add put place drop", "cart|basket|bag", is(vitrine.BehaviorCart)},
	{"add create", "bookmark tag|bookmark on", is(vitrine.BehaviorCreate)},
	{"add save put", "to my own|to their own|to your own|to my agenda|to their agenda|to my plan|to their plan|to my schedule|to their schedule|to my itinerary|to their itinerary|to my programme|to their programme", is(vitrine.BehaviorJoin)},
	{"add save bookmark mark", "favorite|favourite|wishlist|bookmark|watchlist|reading list", is(vitrine.BehaviorJoin)},
	{"leave", "message|contact detail|contact information|phone number|inquiry|request", is(vitrine.BehaviorSubmit)},
	{"add leave write post submit make give", "comment|reply|review|feedback|rating|note to a|note to the|note to each|note to every", is(vitrine.BehaviorReply)},
	{"add create post write publish share", "answer", is(vitrine.BehaviorReply)},
	{"create generate render build display", "terrain|walkthrough|3d city|3d world|3d landscape|3d scene|galaxy", is(vitrine.BehaviorScene)},
	{"create generate produce run build print prepare compile", "report|invoice|statement", is(vitrine.BehaviorReport)},
	{"create generate produce build plot draw render", "chart|graph|visualization|plot|diagram", is(vitrine.BehaviorChart)},
	{"create register", "account", is(vitrine.BehaviorLogin)},
	{"create", "room|lobby", is(vitrine.BehaviorCreate)},
	{"create start begin launch new restart", "game|match|round|level", is(vitrine.BehaviorGame)},
	{"create", "poll|group|team|event|community|channel", is(vitrine.BehaviorCreate)},
	{"create design build modify construct", "world|character|avatar|design|layout|logo|card design|template design", is(vitrine.BehaviorCustomize)},
	{"register sign enroll enrol rsvp", "event|contest|course|class|workshop|webinar|tournament|newsletter|membership|activity|program|competition|conference|seminar|training|exam|camp|for", is(vitrine.BehaviorSubmit)},
	{"register", "product|device|patient|customer|vehicle|asset|equipment|property|item|employee|student", is(vitrine.BehaviorCreate)},
	{"register", "", is(vitrine.BehaviorLogin)},
	{"record log", "working hour|worked hour|hour per|time per|time spent|hour spent", is(vitrine.BehaviorCreate)},
	{"record log", "time|attendance|hour|shift", is(vitrine.BehaviorStatus)},
	{"record", "sale|sales", is(vitrine.BehaviorLedger)},
	{"record save store keep", "progress|setting|preference|locally|local storage|data|score|state", is(vitrine.BehaviorPersist)},
	{"input enter type fill", "cell", is(vitrine.BehaviorEdit)},
	{"type", "item|task|note|entry|thing|name", is(vitrine.BehaviorCreate)},
	{"enter", "name and|date and", is(vitrine.BehaviorCreate)},
	{"input enter type fill", "code|number|keyword|query|zip|tracking|name of|address to", is(vitrine.BehaviorLookup)},
	{"fill submit complete input enter", "form|survey|questionnaire|application|inquiry|enquiry|request|information|claim|review|feedback|credit", is(vitrine.BehaviorSubmit)},
	{"submit", "answer|solution|guess", is(vitrine.BehaviorQuiz)},
	{"submit", "question|post|entry|article|idea|insight|story|evidence|paper|task|report", is(vitrine.BehaviorCreate)},
	{"apply", "filter|criterion", is(vitrine.BehaviorFilter)},
	{"input enter type", "chatbot|chat", is(vitrine.BehaviorChat)},
	{"subscribe", "channel|creator|user|author|topic|podcast|artist|feed|thread", is(vitrine.BehaviorJoin)},
	{"submit apply request subscribe", "", is(vitrine.BehaviorSubmit)},
	{"add create post publish insert record log write compose draft host list schedule share save plan organize organise input enter store", "event|post|task|note|item|product|record|message|recipe|book|expense|movie|entry|trip|meal|habit|goal|appointment|reminder|call log|call|announcement|photo|story|idea|tip|promotion|project|workout|listing|article|contact|customer|sale|transaction|template|address|question|email|contest|itinerary|room|collection|version|poll|playlist|bookmark|barber|service|information|path|report|employee|review|card|deck|quote|tag|category|moment|experience|resource|discount|video", is(vitrine.BehaviorCreate)},
	{"add create insert post publish compose", "", is(vitrine.BehaviorCreate)},
	{"write draft log", "", is(vitrine.BehaviorCreate)},
	{"share", "screen|link|via|on social|to social|social medium", is(vitrine.BehaviorExport)},
	{"share", "", is(vitrine.BehaviorCreate)},
	{"schedule", "tour|appointment|visit|meeting|viewing|consultation|lesson", is(vitrine.BehaviorSubmit)},
	{"schedule plan organize organise", "", is(vitrine.BehaviorCreate)},
	{"manage", "sent email|sent message", is(vitrine.BehaviorHistory)},
	{"manage", "status|progress|stage", is(vitrine.BehaviorStatus)},
	{"manage", "finance", nil},
	{"manage handle administer maintain", "email|message", is(vitrine.BehaviorList, vitrine.BehaviorDelete)},
	{"manage administer update edit modify change maintain adjust", account, is(vitrine.BehaviorEdit)},
	{"track monitor", owned, is(vitrine.BehaviorCreate)},
	{"manage track", "budget|resource|inventory|stock|money|fund|portfolio|investment|expense", is(vitrine.BehaviorLedger)},
	{"manage", "setting|preference", is(vitrine.BehaviorSetting)},
	{"maintain", "record|inventory|list|database|log", manage},
	{"manage administer", "", manage},
	{"handle", "order|payment", is(vitrine.BehaviorCart)},

	// Changing things.
	{"update change mark set toggle", "status|" + states, is(vitrine.BehaviorStatus)},
	{"edit update modify rename revise amend", "setting|policy setting", is(vitrine.BehaviorSetting)},
	{"update", "in real-time|real-time|live", is(vitrine.BehaviorLive)},
	{"edit update modify rename revise amend correct reschedule postpone", "", is(vitrine.BehaviorEdit)},
	{"extend", "list|catalogue|catalog|collection", is(vitrine.BehaviorCreate)},
	{"return", "to the|to a|to my|to home|to their", nil},
	{"extend renew prolong return", "loan|tool|book|copy|device|equipment|bike|vehicle|rental|stay|subscription|membership|reservation|booking|borrowed|rented|due date", is(vitrine.BehaviorStatus)},
	{"extend prolong return", "", nil},
	{"categorize categorise tag classify label", "", is(vitrine.BehaviorEdit)},
	{"delete remove discard erase", "", is(vitrine.BehaviorDelete)},
	{"confirm", "design|order|booking|reservation|purchase|selection", is(vitrine.BehaviorSubmit)},
	{"confirm", "transaction|payment|claim|delivery|receipt|attendance|status|task|leave", is(vitrine.BehaviorStatus)},
	{"confirm", "", nil}, // what a site does with a form, searched for in the sentence
	{"accept", "fraction|format|decimal|input|number|unit", nil},
	{"reject refuse disallow", "nonsense|rubbish|value|input|number|numeral|invalid|negative|empty|malformed|duplicate|blank", is(vitrine.BehaviorValidate)},
	{"approve reject complete archive renew release cancel resolve close dispute transfer check-in assign accept activate deactivate clock block suspend audit", "order|request|status|application|payment|claim|in|out|domain|task|dispute|transaction|reservation|booking|ticket|name|cryptocurrency|leave|", is(vitrine.BehaviorStatus)},
	{"adjust change configure customize customise set toggle switch select choose control", "setting|theme|mode|difficulty|speed|volume|brightness|language|preference|physics|board|notification|dark|light|font", is(vitrine.BehaviorSetting)},
	{"make", "move", is(vitrine.BehaviorGame)},
	{"set", "filter", is(vitrine.BehaviorFilter)},
	{"set", "up", is(vitrine.BehaviorCreate)},
	{"set", "number|value|budget|goal|reminder|alarm|limit|parameter|amount|property|permission|threshold|size|rule|target|default", is(vitrine.BehaviorSetting)},
	{"adjust configure toggle switch control", "", is(vitrine.BehaviorSetting)},
	{"turn", "on|off", is(vitrine.BehaviorSetting)},
	{"generate attract", "lead|revenue|interest|traffic|attention|code", nil},
	{"design", "own|shirt|poster|avatar|logo|character|template|layout|card|room|house|outfit|roadmap", is(vitrine.BehaviorCustomize)},
	{"customize customise personalize personalise preview generate randomize randomise spin shuffle style mix configure", "", is(vitrine.BehaviorCustomize)},

	{"evaluate", "order|product|service|dish|meal|course|teacher|seller|merchant|purchase|driver|doctor|host", is(vitrine.BehaviorJoin)},

	// Finding things.
	{"search", "", is(vitrine.BehaviorSearch)},
	{"get", "in touch", is(vitrine.BehaviorSubmit)},
	{"find look", "for|specific|nearby|suitable|quickly|information", is(vitrine.BehaviorSearch)},
	{"find locate", "", is(vitrine.BehaviorSearch)},
	{"filter narrow refine", "", is(vitrine.BehaviorFilter)},
	{"reorder", "them|number|value", is(vitrine.BehaviorOrder)},
	{"sort rank order reorder prioritize", "by|list|table|ascending|descending|in order|number|result|task|from", is(vitrine.BehaviorOrder)},
	{"sort rank", "", is(vitrine.BehaviorOrder)},
	{"query inquire", "historical|history|by date", is(vitrine.BehaviorFilter)},
	{"trace", "order|shipment|package|product|origin|path|source|batch", is(vitrine.BehaviorLookup)},
	{"trace", "", nil},
	{"query inquire look-up lookup authenticate", "", is(vitrine.BehaviorLookup)},
	{"verify check", "status|authenticity|id|code|balance|path|order|shipment|package|eligibility|origin|circulation|price", is(vitrine.BehaviorLookup)},
	{"track", "order|shipment|package|parcel|delivery|path|origin|ticket", is(vitrine.BehaviorLookup)},
	{"track monitor", "real-time|live|metric|performance|situation|system|server|traffic|price|market|stock market|device|status|health", is(vitrine.BehaviorLive)},
	{"track", "progress|earning|goal|time", is(vitrine.BehaviorAggregate)},
	{"track", "usage|activity", is(vitrine.BehaviorHistory)},
	{"track", "", is(vitrine.BehaviorCreate)},
	{"monitor", "sensor|machine|network|water|air|power|energy|plant|room|temperature|station|patient|fleet|vehicle", is(vitrine.BehaviorLive)},
	{"monitor", "", is(vitrine.BehaviorHistory)},
	{"compare contrast benchmark", "", is(vitrine.BehaviorCompare)},
	{"analyze analyse", "", is(vitrine.BehaviorChart)},
	{"visualize visualise chart graph plot", "", is(vitrine.BehaviorChart)},
	{"simulate", "game|match", is(vitrine.BehaviorLive)},
	{"simulate", "", is(vitrine.BehaviorLive)},
	{"summarize summarise", "information|article|text|document|news", is(vitrine.BehaviorReport)},
	{"summarize summarise aggregate", "", is(vitrine.BehaviorAggregate)},

	// Doing business.
	{"buy purchase checkout check-out", "", is(vitrine.BehaviorCart)},
	{"order", "food|product|item|pizza|online|meal|drink|ticket|flower|cake|book|it|", is(vitrine.BehaviorCart)},
	{"pay", "in|into", is(vitrine.BehaviorLedger)},
	{"pay", "", is(vitrine.BehaviorCart)},
	{"lend", "", is(vitrine.BehaviorStatus)},
	{"sell", "", is(vitrine.BehaviorList)},
	{"place make", "order", is(vitrine.BehaviorSubmit, vitrine.BehaviorCart)},
	{"place make", "purchase|payment", is(vitrine.BehaviorCart)},
	{"place make", "bid|offer", is(vitrine.BehaviorSubmit)},
	{"place make", "bet|trade", is(vitrine.BehaviorLedger)},
	{"make", "reservation|appointment|booking|donation|inquiry", is(vitrine.BehaviorSubmit)},
	{"book reserve rent lease hire borrow", "", is(vitrine.BehaviorSubmit)},
	{"contact", "", is(vitrine.BehaviorSubmit)},
	{"donate", "", is(vitrine.BehaviorSubmit)},
	{"bid", "", is(vitrine.BehaviorSubmit)},
	{"collect", "article|post|product|video|recipe|course|favorite|favourite", is(vitrine.BehaviorJoin)},
	{"earn redeem spend collect", "point|coin|credit|token|reward|voucher|coupon|gold|balance|money|loyalty", is(vitrine.BehaviorLedger)},
	{"earn redeem spend", "", nil},
	{"withdraw", "later|list|shift|event|class|course|application|offer|sign-up|booking|reservation|registration|place|spot|request|bid|candidature|consent", is(vitrine.BehaviorStatus)},
	{"deposit withdraw trade invest exchange bet upgrade wager", "", is(vitrine.BehaviorLedger)},
	{"conduct perform", "transaction|trade", is(vitrine.BehaviorLedger)},
	{"send transfer", "fund|money|coin|credit|bitcoin|crypto|cash", is(vitrine.BehaviorLedger)},
	{"send", "short message|sms|bulk|to the|form", is(vitrine.BehaviorSubmit)},
	{"send", "message|chat|text|image|picture|photo|emoji|voice", is(vitrine.BehaviorChat)},
	{"send", "email|mail|notification|reminder|invitation|sms|short message|", is(vitrine.BehaviorSubmit)},

	// Speaking with others.
	{"save", "as|png|jpeg|image|picture|drawing|file|pdf", is(vitrine.BehaviorExport)},
	{"enter", "amount per|number per|quantity per", nil},
	{"save", "browser|itself|anything|nothing|it|draft|automatically|everything|data|progress|change|work|state|entry|theme|choice|water|time|space|money|energy|date|paper|typing", nil},
	{"join follow like vote upvote downvote rate enroll enrol bookmark favorite favourite subscribe participate retweet react star cast save", "", is(vitrine.BehaviorJoin)},
	{"answer solve", "quiz|contest|trivia|test|multiple|exercise", is(vitrine.BehaviorQuiz)},
	{"respond", "input|click|touch|selection|mouse|movement|screen|change|device|action|keyboard", nil},
	{"reply comment respond discuss", "", is(vitrine.BehaviorReply)},
	{"answer", "frequently|faq|customer|inquiry", is(vitrine.BehaviorChat)},
	{"answer", "", is(vitrine.BehaviorReply)},
	{"conduct initiate start begin", "consultation|conversation|chat|call|dialogue", is(vitrine.BehaviorChat)},
	{"engage", "conversation|chat|dialogue", is(vitrine.BehaviorChat)},
	{"propose lodge raise", "question|request|complaint|ticket|issue|consultation|consulting|application|dispute|objection", is(vitrine.BehaviorSubmit)},
	{"propose lodge", "", nil},
	{"chat converse message communicate talk ask", "", is(vitrine.BehaviorChat)},
	{"interact", "chatbot|assistant|support|ai|agent", is(vitrine.BehaviorChat)},
	{"interact", threeD, is(vitrine.BehaviorScene)},
	{"interact", "chart|graph|data", is(vitrine.BehaviorChart)},

	// Playing and learning.
	{"play", "song|music|video|audio|track|podcast|playlist|station|sound", is(vitrine.BehaviorMedia)},
	{"play", "", is(vitrine.BehaviorGame)},
	{"listen stream watch pause stop resume mute fast-forward rewind", "", is(vitrine.BehaviorMedia)},
	{"undo redo", "change|all|last change|step|action|edit|typing|vote|choice|deletion|delete|it", nil},
	{"merge undo redo resign revive defeat battle fight dodge evade shoot jump capture collect compete challenge attack race eat guess win survive conquer raise cultivate harvest respawn", "", is(vitrine.BehaviorGame)},
	{"move", "tile|piece|player|card|character|block|bird|snake|paddle|left|right", is(vitrine.BehaviorGame)},
	{"practice practise quiz memorize memorise", "", is(vitrine.BehaviorQuiz)},
	{"test", "knowledge|skill|yourself|vocabulary", is(vitrine.BehaviorQuiz)},

	// Files, movement, arithmetic.
	{"attach add", "note|tag|label|text", is(vitrine.BehaviorReply)},
	{"load", "more", is(vitrine.BehaviorPanels)},
	{"upload attach import load", "", is(vitrine.BehaviorUpload)},
	{"print", "summary|report|statement", is(vitrine.BehaviorReport, vitrine.BehaviorExport)},
	{"download export print copy", "", is(vitrine.BehaviorExport)},
	{"drag rearrange reorder reorganize", "", is(vitrine.BehaviorDrag)},
	{"move arrange", "column|card|task|component|widget|item|furniture|element", is(vitrine.BehaviorDrag)},
	{"rotate orbit zoom pan", "", is(vitrine.BehaviorScene)},
	{"animate fly", "", is(vitrine.BehaviorScene)},
	{"calculate compute convert solve estimate measure count encode decode encrypt decrypt format translate minify", "", is(vitrine.BehaviorCalculate)},
	{"predict forecast", "", is(vitrine.BehaviorCalculate)},
	{"validate", "", is(vitrine.BehaviorValidate)},
	{"remember persist", "", is(vitrine.BehaviorPersist)},
	{"login log-in logout authenticate sign", "in|out|up|", is(vitrine.BehaviorLogin)},
	{"log", "in|out|into", is(vitrine.BehaviorLogin)},
	{"navigate", "maze|obstacle|character|level|bird", is(vitrine.BehaviorGame)},
	{"navigate switch", "between|page|section|to|menu|website|site|app|tab", is(vitrine.BehaviorNav)},
	{"return go", "home|homepage|back|page|section", is(vitrine.BehaviorNav)},
	{"learn", "french|language|chemistry|vocabulary|math", is(vitrine.BehaviorQuiz)},
	{"hover", "", is(vitrine.BehaviorScene)},
	{"press", "key|arrow|space|spacebar|wasd|mouse", is(vitrine.BehaviorScene)}, // a button that is pressed is the way to something else
	{"press", "", nil},
	{"swipe", "", is(vitrine.BehaviorJoin)},
	// Verbs that ask for nothing by themselves, which the table has so that they are taken
	// for no noun.
	{"define execute receive get enjoy connect engage improve enhance evaluate assess prepare protect foster collaborate network achieve stay meet gain seek use work assist help attract facilitate streamline highlight maintain understand experience identify", "", nil},
}

// rulesOf are the rules of each verb, in their order.
var rulesOf = func() map[string][]verbRule {
	m := map[string][]verbRule{}
	for _, r := range verbRules {
		for _, v := range strings.Fields(r.verbs) {
			m[v] = append(m[v], r)
		}
	}
	return m
}()

// doesOf are the behaviours of a verb with what stands behind it, as bases of words.
func doesOf(verb string, object []token) []vitrine.Behavior {
	line := basesOf(object)
	for _, r := range rulesOf[verb] {
		if r.objects == "" || hasPhrase(line, r.objects) {
			return r.does
		}
	}
	return nil
}

// basesOf are the bases of words in one line, a blank before and behind each.
func basesOf(toks []token) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, t := range toks {
		b.WriteString(t.base)
		b.WriteByte(' ')
	}
	return b.String()
}

// hasPhrase reports whether one of the phrases, parted by |, stands in a line of bases. An
// empty phrase stands in every line.
func hasPhrase(line, phrases string) bool {
	for p := range strings.SplitSeq(phrases, "|") {
		if p == "" || strings.Contains(line, " "+p+" ") {
			return true
		}
	}
	return false
}
