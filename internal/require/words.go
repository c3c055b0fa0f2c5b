package require

import (
	"slices"
	"strings"

	"vitrine"
)

// labels are texts that a control for a behaviour has, likeliest first, Chinese ones at
// the end. The order is the one of counts over 803 sources of pages.
var labels = map[vitrine.Behavior]string{
	vitrine.BehaviorNav:       "home|menu|back|next|previous|about|services|contact|products|首页|返回|菜单",
	vitrine.BehaviorList:      "all|show all|view all|load more|browse|catalog|latest|全部|查看全部|列表",
	vitrine.BehaviorCreate:    "add|new|create|+|save|post|insert|submit|publish|register|record|添加|新增|新建|创建|发布|保存",
	vitrine.BehaviorDetail:    "details|view|more|read more|view details|learn more|open|select|查看|详情|更多",
	vitrine.BehaviorHistory:   "history|orders|my orders|records|sent|activity|past|my|历史|记录|我的",
	vitrine.BehaviorSubmit:    "submit|send|book now|book|send message|contact|reserve|subscribe|sign up|register|apply|confirm|提交|发送|预订|预约|联系",
	vitrine.BehaviorGame:      "start|new game|play|restart|reset|undo|pause|play again|replay|draw|resign|开始|开始游戏|重新开始|新游戏|悔棋",
	vitrine.BehaviorSearch:    "search|find|look up|query|type to search|🔍|搜索|查询|查找",
	vitrine.BehaviorLookup:    "track|look up|lookup|verify|query|check|check status|search|inquire|查询|验证|跟踪",
	vitrine.BehaviorOrder:     "sort|sort by|newest|newest first|oldest first|most recent|price|ranking|leaderboard|top|排序|排行榜|排名",
	vitrine.BehaviorFilter:    "filter|filters|all|category|apply|min price|max price|start date|end date|type|筛选|分类|全部",
	vitrine.BehaviorStatus:    "complete|approve|mark as|done|confirm|clock in|clock out|renew|resign|start|stop|reject|完成|批准|审批|打卡|确认",
	vitrine.BehaviorLedger:    "buy|upgrade|deposit|withdraw|transfer|pay|train|trade|bid|sell|record sale|购买|充值|转账|升级",
	vitrine.BehaviorEdit:      "edit|update|save|rename|modify|change|✎|编辑|修改|保存",
	vitrine.BehaviorJoin:      "like|vote|join|follow|favorite|♥|star|upvote|rate|enroll|bookmark|wishlist|点赞|关注|投票|收藏|加入",
	vitrine.BehaviorReply:     "reply|comment|post comment|submit comment|answer|add note|review|comments|回复|评论|回答",
	vitrine.BehaviorChat:      "send|type your message|message|ask|new chat|chat|➤|发送|聊天|输入消息",
	vitrine.BehaviorCart:      "add to cart|cart|buy now|buy|order|place order|checkout|remove|+|-|加入购物车|购物车|立即购买|去结算|结算",
	vitrine.BehaviorCustomize: "generate|preview|apply|customize|spin|random|shuffle|choose|style|size|color|生成|预览|定制|随机",
	vitrine.BehaviorChart:     "chart|7d|1m|1y|zoom in|zoom out|refresh data|metric|range|dashboard|图表|刷新",
	vitrine.BehaviorReport:    "generate report|report|run report|generate|run|apply|export|preview|print|reports|生成报告|报告|报表",
	vitrine.BehaviorAggregate: "total|balance|average|statistics|summary|count|completed|today|统计|总计|合计",
	vitrine.BehaviorLive:      "start|pause|stop|live|refresh|simulate|real-time|go live|speed|开始|暂停|实时|刷新",
	vitrine.BehaviorSetting:   "settings|theme|dark mode|dark|light|difficulty|mode|preferences|language|⚙|save|设置|主题|深色模式|难度",
	vitrine.BehaviorPersist:   "save|saved|restore|load|保存",
	vitrine.BehaviorQuiz:      "next|start|check|submit answer|submit|answer|skip|flip|a|b|c|d|true|false|retry|下一题|开始|提交答案|答题",
	vitrine.BehaviorValidate:  "submit|required|save|confirm|提交",
	vitrine.BehaviorLimit:     "add|book|take|borrow|reserve|buy|check in|check out|withdraw|log|save|+|添加|预订|借",
	vitrine.BehaviorUpload:    "upload|choose file|browse|import|load|attach|drop files here|选择文件|上传|导入",
	vitrine.BehaviorExport:    "download|export|copy|copy to clipboard|share|print|download png|export csv|下载|导出|复制|分享",
	vitrine.BehaviorMedia:     "play|pause|next|previous|shuffle|volume|mute|repeat|full screen|▶|播放|暂停|上一首|下一首",
	vitrine.BehaviorScene:     "zoom in|zoom out|rotate|reset view|drag to rotate|speed|reset|play|旋转|缩放|重置",
	vitrine.BehaviorCalculate: "calculate|=|convert|clear|c|compute|run|result|计算|转换|清除",
	vitrine.BehaviorDelete:    "delete|remove|×|clear all|clear|trash|删除|移除|清空",
	vitrine.BehaviorCompare:   "compare|vs|versus|add to compare|select|side by side|比较|对比",
	vitrine.BehaviorDrag:      "drag|move|reorder|drop|rearrange|拖拽|拖动|移动",
	vitrine.BehaviorDraw:      "draw|pen|pencil|brush|eraser|clear|undo|画笔|铅笔|橡皮",
	vitrine.BehaviorPanels:    "next|close|cancel|open|previous|tab|back|continue|下一步|关闭|取消",
	vitrine.BehaviorLogin:     "login|log in|sign in|register|sign up|logout|create account|登录|注册|退出",
}

// synonyms are labels for a verb, beside itself.
var synonyms = map[string]string{
	"add": "new|create|+", "create": "new|add|create", "post": "new post|publish|share", "send": "send", "write": "new|compose",
	"compose": "compose|new|write", "book": "book now|reserve", "reserve": "reserve|book", "schedule": "schedule|book", "buy": "buy now|purchase",
	"purchase": "buy now|purchase", "rate": "rate|★|stars", "vote": "vote|cast vote", "like": "like|♥|👍", "delete": "delete|remove|×",
	"remove": "remove|delete|×", "edit": "edit|update|✎", "modify": "edit|modify|update", "update": "update|edit|save", "upload": "upload|choose file",
	"track": "track|tracking", "verify": "verify|check", "query": "query|search", "enroll": "enroll|join|sign up", "register": "register|sign up",
	"follow": "follow|subscribe", "bookmark": "bookmark|save|☆", "compare": "compare", "generate": "generate|create", "spin": "spin", "resign": "resign|give up",
	"undo": "undo|take back", "approve": "approve|accept", "renew": "renew|extend", "lease": "lease|rent|book", "rent": "rent|book now", "donate": "donate|donate now",
	"login": "log in|sign in", "share": "share|post", "record": "record|add|log", "contact": "contact|contact us|send message", "reply": "reply|respond", "answer": "answer|reply",
}

// wordsOf are the labels that a control for the requirement may have: its own verb with
// its thing, what means the same, then what such controls have anywhere.
func wordsOf(does vitrine.Behavior, verb, entity string) []string {
	var words []string
	add := func(w string) {
		if w != "" && !slices.Contains(words, w) && len(words) < 40 {
			words = append(words, w)
		}
	}
	own := verb
	if verb == "manage" || verb == "administer" || verb == "maintain" {
		own = ""
	}
	if makes[verb] && does != vitrine.BehaviorCreate && does != vitrine.BehaviorSubmit && does != vitrine.BehaviorEdit && does != vitrine.BehaviorReport {
		own = "" // "add to the cart" is no "add"
	}
	first, _, _ := strings.Cut(labels[does], "|")
	if entity != "" {
		switch does {
		case vitrine.BehaviorCreate, vitrine.BehaviorEdit, vitrine.BehaviorDelete, vitrine.BehaviorSearch, vitrine.BehaviorSubmit, vitrine.BehaviorLookup, vitrine.BehaviorReport, vitrine.BehaviorUpload, vitrine.BehaviorStatus, vitrine.BehaviorJoin, vitrine.BehaviorCompare:
			for _, w := range []string{own, first} {
				if w != "" {
					add(w + " " + entity)
				}
			}
			if does == vitrine.BehaviorCreate {
				add("new " + entity)
			}
		case vitrine.BehaviorList, vitrine.BehaviorHistory, vitrine.BehaviorDetail, vitrine.BehaviorChart:
			add(plural(entity))
			add(entity)
		}
	}
	if !shownVerbs[own] {
		add(own)
	}
	for w := range strings.SplitSeq(synonyms[own], "|") {
		add(w)
	}
	for w := range strings.SplitSeq(labels[does], "|") {
		add(w)
	}
	return words
}

// plural is the plural of an entity, near enough for a label.
func plural(entity string) string {
	head := headOf(entity)
	switch {
	case collective[head] || sameInPlural[head] || strings.IndexFunc(head, func(r rune) bool { return r > 0x7f }) >= 0:
		return entity
	case strings.HasSuffix(head, "y") && !strings.HasSuffix(head, "ay") && !strings.HasSuffix(head, "ey") && !strings.HasSuffix(head, "oy"):
		return strings.TrimSuffix(entity, "y") + "ies"
	case strings.HasSuffix(head, "s") || strings.HasSuffix(head, "x") || strings.HasSuffix(head, "ch") || strings.HasSuffix(head, "sh"):
		return entity + "es"
	}
	return entity + "s"
}

// makes are verbs of making, which say little where their object makes them another
// behaviour.
var makes = set("add put place save make create submit leave give write post mark start begin select choose pick input enter type send perform conduct record")

// shownVerbs are verbs that no label has.
var shownVerbs = set("view see browse display show showcase access manage conduct perform input enter understand handle allow get receive highlight list explore discover present")
