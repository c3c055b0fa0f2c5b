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
	{"导航|跳转|切换页面|菜单栏|底部菜单|左侧菜单|顶部菜单|切换不同的功能|多个页面|侧边栏", is(vitrine.BehaviorNav)},
	{"加入购物车|购物车|结算|下单|购买|支付|选购|商品数量", is(vitrine.BehaviorCart)},
	{"添加|新增|新建|创建|发布|发帖|录入|增加|记录每|可以记录|写日记|登记", is(vitrine.BehaviorCreate)},
	{"删除|移除|清空|清除|去掉|删掉", is(vitrine.BehaviorDelete)},
	{"搜索|检索|查找|搜一搜|输入关键", is(vitrine.BehaviorSearch)},
	{"查询|输入城市|输入单号|查天气|查看天气|物流信息", is(vitrine.BehaviorLookup)},
	{"筛选|过滤|只显示|只看|按分类查看|按类别", is(vitrine.BehaviorFilter)},
	{"排序|排行榜|排名|升序|降序|排列|显示在最前|置前|最新的在前", is(vitrine.BehaviorOrder)},
	{"编辑|修改|更新|重命名|改名", is(vitrine.BehaviorEdit)},
	{"管理", manage},
	{"预约|预订|报名|提交|表单|联系我们|挂号|申请|留言板|订阅", is(vitrine.BehaviorSubmit)},
	{"登录|注册|登陆|忘记密码|权限|密码找回|管理员和", is(vitrine.BehaviorLogin)},
	{"历史记录|记录列表|订单记录|历史|操作日志|日志|借阅记录|浏览记录|计算记录|过往|以前的|最近的", is(vitrine.BehaviorHistory)},
	{"游戏|俄罗斯方块|贪吃蛇|五子棋|扫雷|消消乐|数独|象棋|围棋|打地鼠|飞机大战|猜数字|迷宫|连连看|斗地主|井字棋|石头剪刀布|跳一跳|闯关", is(vitrine.BehaviorGame)},
	{"计算器|计算|换算|转换|格式化|翻译|编码|解码", is(vitrine.BehaviorCalculate)},
	{"图表|折线图|柱状图|饼图|可视化|统计图|曲线图|热力图|雷达图|趋势图|走势", is(vitrine.BehaviorChart)},
	{"统计|总计|总金额|合计|平均|余额|总数|总价|字数|还剩|剩余|汇总", is(vitrine.BehaviorAggregate)},
	{"报表|报告|分析文本|分析结果|诊断|检测", is(vitrine.BehaviorReport)},
	{"评论|回复|留言|回答其他|讨论区", is(vitrine.BehaviorReply)},
	{"聊天|对话|客服|发送消息|机器人|问答助手|私信", is(vitrine.BehaviorChat)},
	{"点赞|收藏|关注|投票|评分|打分|参加", is(vitrine.BehaviorJoin)},
	{"上传|导入|选择本地|选择文件|拖入文件", is(vitrine.BehaviorUpload)},
	{"下载|导出|打印|复制|保存为|另存", is(vitrine.BehaviorExport)},
	{"播放|音乐播放器|视频播放|发出声音|发声|朗读|音效|听音乐", is(vitrine.BehaviorMedia)},
	{"答题|测验|测试题|背单词|问答题|知识问答|选择题|考试|题库|刷题|判断题", is(vitrine.BehaviorQuiz)},
	{"主题切换|切换主题|深色模式|夜间模式|设置|调整|调节|难度|切换语言|中英文|自定义参数|暗黑模式|暗色模式|切换模式", is(vitrine.BehaviorSetting)},
	{"拖拽|拖动|拖放|拖到", is(vitrine.BehaviorDrag)},
	{"画板|绘图板|涂鸦|手写签名|绘画工具|画图工具", is(vitrine.BehaviorDraw)},
	{"动画|旋转|悬停|飘落|粒子|视差|缩放", is(vitrine.BehaviorScene)},
	{"实时|倒计时|秒表|番茄钟|计时|时钟|自动刷新|当前时间|监控", is(vitrine.BehaviorLive)},
	{"标记完成|标记为|标记已|审批|状态|勾选|完成的打勾|打卡|设为已|置顶|审核", is(vitrine.BehaviorStatus)},
	{"详情|详细信息|的介绍|点进去|点击查看|点开", is(vitrine.BehaviorDetail)},
	{"列表|展示|浏览|显示所有|罗列|产品中心|新闻动态", is(vitrine.BehaviorList)},
	{"对比|比较|差异", is(vitrine.BehaviorCompare)},
	{"轮播|弹窗|标签页|对话框|弹出|折叠|分步|选项卡|向导|抽屉|翻页|分页", is(vitrine.BehaviorPanels)},
	{"记账|收支|收入和支出|充值|提现|转账|积分|出库|入库|扣除|兑换|库存变化", is(vitrine.BehaviorLedger)},
	{"本地存储|保存到本地|保存在本地|数据不丢|不丢失|仍保留|自动保存|缓存到|下次打开|记住", is(vitrine.BehaviorPersist)},
	{"随机|抽奖|转盘|自定义|定制|生成器|生成密码|生成头像|摇骰子|掷骰子|抽签|二维码生成", is(vitrine.BehaviorCustomize)},
	{"验证|校验|不能为空|必填|不合法|格式错误|格式不对|不允许|不能添加空|错误提示", is(vitrine.BehaviorValidate)},
}

// chineseInstead are behaviours that a word names too where it stands in a phrase of another:
// the first is what is meant.
var chineseInstead = []struct {
	phrases string
	not     vitrine.Behavior
}{
	{"对话框", vitrine.BehaviorChat},
	{"查询订单状态|查询状态|订单状态", vitrine.BehaviorStatus},
	{"统计图|图表", vitrine.BehaviorAggregate},
	{"饼图展示|图展示|图显示|图表展示|数据展示", vitrine.BehaviorList},
	{"拖拽文件|拖入文件|拖动文件", vitrine.BehaviorDrag},
	{"不能添加空|不允许添加", vitrine.BehaviorCreate},
	{"表单验证|验证表单|表单校验|分步表单", vitrine.BehaviorSubmit},
	{"拖动旋转|拖拽旋转|鼠标拖动旋转", vitrine.BehaviorDrag},
	{"实时显示匹配|实时搜索|实时预览|实时显示字数", vitrine.BehaviorLive},
	{"收藏夹管理", vitrine.BehaviorJoin},
	{"在线考试|考试系统", vitrine.BehaviorReport},
	{"自动计算|计算余额|计算总", vitrine.BehaviorCalculate},
	{"随机显示|再次打开", vitrine.BehaviorList},
	{"游戏设置", vitrine.BehaviorSetting},
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
			if at < 0 || instead(text, f.does[0]) {
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

// instead reports whether the words for a behaviour are part of a phrase for another.
func instead(text string, does vitrine.Behavior) bool {
	for _, c := range chineseInstead {
		if c.not == does {
			for p := range strings.SplitSeq(c.phrases, "|") {
				if strings.Contains(text, p) {
					return true
				}
			}
		}
	}
	return false
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
