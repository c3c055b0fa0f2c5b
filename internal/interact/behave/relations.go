package behave

import (
	"context"

	"vitrine"
)

// relations are how behaviours are proved, one file each.
var relations = map[vitrine.Behavior]func(context.Context, *prover) answer{
	vitrine.BehaviorNav:       nav,
	vitrine.BehaviorList:      list,
	vitrine.BehaviorCreate:    create,
	vitrine.BehaviorSearch:    search,
	vitrine.BehaviorDelete:    remove,
	vitrine.BehaviorFilter:    filter,
	vitrine.BehaviorOrder:     order,
	vitrine.BehaviorChart:     chart,
	vitrine.BehaviorCompare:   compare,
	vitrine.BehaviorReport:    report,
	vitrine.BehaviorQuiz:      quiz,
	vitrine.BehaviorCart:      cart,
	vitrine.BehaviorLive:      live,
	vitrine.BehaviorCustomize: customize,
	vitrine.BehaviorDetail:    detail,
	vitrine.BehaviorPanels:    panels,
	vitrine.BehaviorSetting:   setting,
}
