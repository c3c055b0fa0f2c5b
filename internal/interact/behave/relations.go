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
	vitrine.BehaviorOrder:     sorted,
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
	vitrine.BehaviorGame:      game,
	vitrine.BehaviorScene:     scene,
	vitrine.BehaviorMedia:     media,
	vitrine.BehaviorUpload:    upload,
	vitrine.BehaviorExport:    export,
	vitrine.BehaviorCalculate: calculate,
	vitrine.BehaviorDrag:      drag,
	vitrine.BehaviorDraw:      draw,

	vitrine.BehaviorSubmit:    submit,
	vitrine.BehaviorHistory:   history,
	vitrine.BehaviorChat:      chat,
	vitrine.BehaviorJoin:      join,
	vitrine.BehaviorStatus:    status,
	vitrine.BehaviorEdit:      managed,
	vitrine.BehaviorAggregate: aggregate,
	vitrine.BehaviorValidate:  validate,
	vitrine.BehaviorLimit:     limit,
	vitrine.BehaviorReply:     reply,
	vitrine.BehaviorPersist:   persist,
	vitrine.BehaviorLedger:    ledger,
	vitrine.BehaviorLookup:    lookup,
	vitrine.BehaviorLogin:     login,
}
