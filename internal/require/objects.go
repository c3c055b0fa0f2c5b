package require

// Words of objects that several rules share.
const (
	pastRecords = "history|past|previous|record|own|my purchase|transaction|sent email|sent message|activity log|winning|watched|purchased|bookings|earlier"
	states      = "complete|completed|done|favorite order|resolved|read|approved|finished|as paid|as sold|attendance|watched"
	account     = "profile|account|account information|personal information|personal detail|password|contact information|bio|user information"
	charts      = "chart|graph|trend|visualization|visualisation|heatmap|diagram|plot|insight|pattern|visual representation|growth|curve"
	physical    = "field|wave|physics|gravity|orbit|particle|magnetism|molecule|fluid|pendulum|motion|collision|light ray"
	findings    = "functionality|vulnerability|security|performance|bug|accessibility|risk|error"
	owned       = "finance|spending|expense|budget|habit|workout|calorie|mood|meal|sleep|weight|book|film|movie|reading"
	threeD      = "3d|three-dimensional|globe|planet|orbit|model|angle|perspective|scene|camera|cube|virtual world|landscape|terrain|environment"
)
