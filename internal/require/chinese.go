package require

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"vitrine"
)

// chineseWords are words of Chinese instructions, parted by |, with what they ask for.
// Longer ones stand before those that they contain.
var chineseWords = []form{
	{"导航", is(vitrine.BehaviorNav)},
	{"加入购物车|购物车|结算|下单|购买|支付", is(vitrine.BehaviorCart)},
	{"添加|新增|新建|创建|发布|发帖|录入", is(vitrine.BehaviorCreate)},
	{"删除|移除", is(vitrine.BehaviorDelete)},
	{"搜索|检索|查找", is(vitrine.BehaviorSearch)},
	{"查询", is(vitrine.BehaviorLookup)},
	{"筛选|过滤", is(vitrine.BehaviorFilter)},
	{"排序|排行榜|排名", is(vitrine.BehaviorOrder)},
	{"编辑|修改|更新", is(vitrine.BehaviorEdit)},
	{"管理", manage},
	{"预约|预订|报名|提交|表单|联系我们", is(vitrine.BehaviorSubmit)},
	{"登录|注册|登陆", is(vitrine.BehaviorLogin)},
	{"历史记录|记录列表|订单记录|历史", is(vitrine.BehaviorHistory)},
	{"游戏|俄罗斯方块|贪吃蛇|五子棋|扫雷", is(vitrine.BehaviorGame)},
	{"计算器|计算|换算|转换", is(vitrine.BehaviorCalculate)},
	{"图表|折线图|柱状图|饼图|可视化", is(vitrine.BehaviorChart)},
	{"统计", is(vitrine.BehaviorAggregate)},
	{"报表|报告", is(vitrine.BehaviorReport)},
	{"评论|回复|留言", is(vitrine.BehaviorReply)},
	{"聊天|对话", is(vitrine.BehaviorChat)},
	{"点赞|收藏|关注|投票", is(vitrine.BehaviorJoin)},
	{"上传|导入", is(vitrine.BehaviorUpload)},
	{"下载|导出|打印", is(vitrine.BehaviorExport)},
	{"播放|音乐播放器|视频播放", is(vitrine.BehaviorMedia)},
	{"答题|测验|测试题|背单词", is(vitrine.BehaviorQuiz)},
	{"主题切换|切换主题|深色模式|夜间模式|设置", is(vitrine.BehaviorSetting)},
	{"拖拽|拖动", is(vitrine.BehaviorDrag)},
	{"动画|旋转", is(vitrine.BehaviorScene)},
	{"实时", is(vitrine.BehaviorLive)},
	{"标记完成|审批|状态", is(vitrine.BehaviorStatus)},
	{"详情", is(vitrine.BehaviorDetail)},
	{"列表|展示|浏览", is(vitrine.BehaviorList)},
	{"对比|比较", is(vitrine.BehaviorCompare)},
	{"轮播|弹窗|标签页", is(vitrine.BehaviorPanels)},
	{"记账|收支|收入和支出", is(vitrine.BehaviorLedger)},
	{"本地存储|保存到本地", is(vitrine.BehaviorPersist)},
}

// chinese are the acts that a sentence asks for in Chinese. The thing is the Han text
// behind a verb, up to the next mark, particle or word of the table.
func chinese(text string) (acts []act) {
	if strings.IndexFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) < 0 {
		return nil
	}
	for clause, f := range chineseWords {
		for w := range strings.SplitSeq(f.phrases, "|") {
			at := strings.Index(text, w)
			if at >= 0 && slices.Contains(f.does, vitrine.BehaviorCreate) && buildsSite(text, at, w) {
				next := strings.Index(text[at+len(w):], w)
				if at += len(w) + next; next < 0 {
					continue
				}
			}
			if at < 0 {
				continue
			}
			for rank, b := range f.does {
				acts = append(acts, act{does: b, rank: rank, entity: chineseThing(text[at+len(w):]), clause: -1 - clause, quote: bounded(text[at:], 60)})
			}
			break
		}
	}
	return acts
}

// animation is a site that is an animation, by what it is called.
var animation = regexp.MustCompile(`(创建|制作|实现|生成|编写|做)[^。！；\n]{0,20}动画`)

// ofAnimation keeps of the acts that Chinese words name those that an animation may have.
// What it shows, computes and updates it does by itself.
func ofAnimation(acts []act) []act {
	acts = slices.DeleteFunc(acts, func(a act) bool {
		return !slices.Contains([]vitrine.Behavior{vitrine.BehaviorScene, vitrine.BehaviorDrag, vitrine.BehaviorGame, vitrine.BehaviorMedia, vitrine.BehaviorExport}, a.does)
	})
	for i := range acts {
		acts[i].rank = 0
	}
	return acts
}

// buildsSite reports whether a verb of making stands where who builds the site is told to:
// at the beginning of a sentence, or behind "please", and before what is one of a kind.
func buildsSite(text string, at int, verb string) bool {
	before := strings.TrimFunc(text[:at], func(r rune) bool { return !unicode.Is(unicode.Han, r) })
	for _, polite := range []string{"请", "帮我", "我想", "我要", "使用", "用", "你"} {
		before = strings.TrimPrefix(before, polite)
	}
	before = strings.TrimFunc(before, func(r rune) bool { return !unicode.Is(unicode.Han, r) })
	after := strings.TrimSpace(text[at+len(verb):])
	return before == "" && slices.ContainsFunc([]string{"一个", "一款", "一套", "个", "一张", "符合"}, func(w string) bool { return strings.HasPrefix(after, w) })
}

// chineseThing is the noun at the beginning of a text, of at most six characters.
func chineseThing(text string) string {
	var name []rune
	for _, r := range text {
		if !unicode.Is(unicode.Han, r) || strings.ContainsRune("和与及的并或、，时后可以等功能", r) || len(name) == 6 {
			break
		}
		name = append(name, r)
	}
	for _, f := range chineseWords {
		for w := range strings.SplitSeq(f.phrases, "|") {
			if at := strings.Index(string(name), w); at >= 0 {
				name = []rune(string(name)[:at])
			}
		}
	}
	if len(name) < 2 {
		return ""
	}
	return string(name)
}
