package require

import (
	"slices"
	"testing"

	"vitrine"
)

// Each text names the behaviour in words that stand in no other test.
func TestWordsForBehaviours(t *testing.T) {
	for text, want := range map[string]vitrine.Behavior{
		"Readers can like and comment on stories.":                      vitrine.BehaviorJoin,
		"Visitors can browse and search for lamps.":                     vitrine.BehaviorList,
		"Members can earn points and redeem vouchers.":                  vitrine.BehaviorLedger,
		"Guests can evaluate dishes.":                                   vitrine.BehaviorJoin,
		"Readers can collect articles.":                                 vitrine.BehaviorJoin,
		"Patients can conduct online consultations.":                    vitrine.BehaviorChat,
		"Users can send text and pictures.":                             vitrine.BehaviorChat,
		"The website should include online customer service.":           vitrine.BehaviorChat,
		"Tenants can raise complaints.":                                 vitrine.BehaviorSubmit,
		"Buyers can place orders for selected lamps.":                   vitrine.BehaviorSubmit,
		"A dentist's website with a way to get in touch.":               vitrine.BehaviorSubmit,
		"Pupils can register for welfare activities.":                   vitrine.BehaviorSubmit,
		"The website should have an appointment module.":                vitrine.BehaviorSubmit,
		"Guests can browse historical orders.":                          vitrine.BehaviorHistory,
		"A bank page with past transactions.":                           vitrine.BehaviorHistory,
		"Customers can track the status of their repairs.":              vitrine.BehaviorLookup,
		"An app to discover restaurants nearby.":                        vitrine.BehaviorSearch,
		"A site that helps students find tutors.":                       vitrine.BehaviorSearch,
		"A directory of plumbers that is searchable.":                   vitrine.BehaviorSearch,
		"Users can browse houses by city and price.":                    vitrine.BehaviorFilter,
		"A chart comparing the rents of two towns.":                     vitrine.BehaviorCompare,
		"Show the change of rents over the years.":                      vitrine.BehaviorChart,
		"A finance page showing total income.":                          vitrine.BehaviorAggregate,
		"Authors can select templates.":                                 vitrine.BehaviorCustomize,
		"The site has a night mode.":                                    vitrine.BehaviorSetting,
		"Users can set the amount of a gift.":                           vitrine.BehaviorSetting,
		"Teachers can set up courses.":                                  vitrine.BehaviorCreate,
		"An FAQ section with expandable answers.":                       vitrine.BehaviorPanels,
		"A website with a logo and navigation links.":                   vitrine.BehaviorNav,
		"A site with scrolling animations as users browse trails.":      vitrine.BehaviorList,
		"A list of chores, where chores can be marked as complete.":     vitrine.BehaviorStatus,
		"My stamps should still be listed when I am back.":              vitrine.BehaviorPersist,
		"A diary whose pages outlive a refresh.":                        vitrine.BehaviorPersist,
		"When I come back tomorrow my stamps should be the same.":       vitrine.BehaviorPersist,
		"No stamp may be forgotten: never lose one if I close the tab.": vitrine.BehaviorPersist,
		"集邮册，刷新后邮票还在。":                                                  vitrine.BehaviorPersist,
		"Do not accept a stamp that has no country.":                    vitrine.BehaviorValidate,
		"Complain when the year of a stamp is missing.":                 vitrine.BehaviorValidate,
		"The two passwords must match.":                                 vitrine.BehaviorValidate,
		"国家没填时要提示我。":                                                    vitrine.BehaviorValidate,
		"A stopwatch with laps.":                                        vitrine.BehaviorLive,
		"一个简单的记账本。":                                                     vitrine.BehaviorLedger,
	} {
		q := Read(text, nil, "")
		if !slices.ContainsFunc(q.Behaviors, func(r vitrine.Requirement) bool {
			return r.Behavior == want && slices.Contains(r.Cues, "instruction")
		}) {
			t.Errorf("%s: no %s, but %q", text, want, asked(q))
		}
	}
}

// Words that look like verbs of a visitor and are none.
func TestWordsForNothing(t *testing.T) {
	for text, not := range map[string]vitrine.Behavior{
		"A site to display daily order information.":                vitrine.BehaviorCart,
		"Show the title of a film, its poster, and rating.":         vitrine.BehaviorJoin,
		"A page which can respond to clicks.":                       vitrine.BehaviorReply,
		"I would like a page on herons.":                            vitrine.BehaviorJoin,
		"A chart of how readers rate a site, drawn from comments.":  vitrine.BehaviorReply,
		"A ticker that refreshes every minute and keeps ten rows.":  vitrine.BehaviorPersist,
		"The same header on each page, and a way to come back.":     vitrine.BehaviorPersist,
		"A page on a club that does not take new members.":          vitrine.BehaviorValidate,
		"Users can tune stations, like a real radio of the fifties": vitrine.BehaviorJoin,
	} {
		if q := Read(text, nil, ""); weightOf(q, not) > 0 {
			t.Errorf("%s: %s is read: %q", text, not, asked(q))
		}
	}
}
