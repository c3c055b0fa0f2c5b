package measured

// A feature is a part of a site that an instruction can ask for by name, and how
// a page shows that it has it. Every list is written with commas; each entry is
// matched whole word by whole word after stemming.
type feature struct {
	name   string
	ask    string // phrases of an instruction that ask for it
	except string // phrases that look like it and are not
	// Any one of these shows it.
	tags       string // tags, role=…, type=…, href=…
	controls   string // in the name of a link, button or field
	classWords string // in a class or id
	text       string // anywhere in the readable text
	test       func(*siteFacts) bool
	// hidden: it may show only after a click, so that not seeing it says nothing.
	hidden bool
}

// features lists what is looked for. Signs are generous on purpose: saying that
// something is missing which is there is the worse mistake.
var features = []feature{
	{name: "search", ask: "search,searching,search bar,searchable,typeahead,autocomplete", except: "search engine,research",
		tags: "type=search,role=search,role=searchbox", controls: "search,find,lookup,look up,query", classWords: "search"},
	{name: "form", ask: "form,forms,fill out,fill in,survey,questionnaire,input fields", except: "form of,forms of,on form,form factor,form accuracy,form a,form an,to form",
		tags: "form,textarea,role=form", classWords: "form", test: func(s *siteFacts) bool { return s.fields() >= 2 }},
	{name: "login", ask: "login,log in,sign in,signin,user authentication", except: "",
		tags: "type=password", controls: "login,log in,sign in,signin,log out,logout,sign out,account", classWords: "login,signin,auth"},
	{name: "sign-up", ask: "sign up,signup,register,registration,enroll,enrollment,create an account", except: "cash register",
		tags: "type=password", controls: "sign up,signup,register,enroll,join,create account,get started,subscribe,apply,enter,participate", classWords: "signup,register,enroll"},
	{name: "table", ask: "table,tabular,spreadsheet",
		except: "table game,table tennis,book a table,reserve a table,at the table,round table,coffee table,poker table,pool table,dining table,card table,table reservation,table booking", tags: "table,role=table,role=grid,role=treegrid", classWords: "table,datagrid,grid table"},
	{name: "chart", ask: "chart,charts,graph,graphs,data visualization,visualize data,visualizations of,histogram,bar chart,line chart,pie chart,plot,plots",
		except: "graph theory,off the charts,org chart,plot of the,3d visualization,plot twist,plot of land", tags: "meter", classWords: "chart,graph,recharts,plot,histogram,sparkline,apexcharts",
		test: func(s *siteFacts) bool { return s.drawings > 0 }},
	{name: "cart", ask: "shopping cart,cart,add to cart,checkout,shopping basket", except: "go cart,apple cart",
		controls: "cart,checkout,basket,bag,add to cart,buy,buy now,order", classWords: "cart,basket,checkout", text: "cart,checkout,basket"},
	{name: "navigation", ask: "navigation,navigation menu,navbar,nav bar,navigation bar,menu bar,sidebar,multiple pages", except: "gps navigation",
		tags: "nav,role=navigation,role=tablist,role=menubar,role=menu", classWords: "nav,navbar,menu,sidebar,tabs,topbar",
		test: func(s *siteFacts) bool { return s.tags["a"] >= 4 }},
	{name: "gallery", ask: "gallery,contest photos,photo album,photo grid,portfolio grid",
		tags: "figure", classWords: "gallery,photo,masonry,lightbox", test: func(s *siteFacts) bool { return s.pictures+s.drawings >= 3 }},
	{name: "filter", ask: "filter,filters,filtering,filterable,browse by category,by category", except: "air filter,water filter,coffee filter",
		tags: "select,type=checkbox,type=radio,type=range,role=combobox,role=listbox,role=tablist", controls: "filter,category,all,refine,type", classWords: "filter,category,categories,facet,chip"},
	{name: "sort", ask: "sort,sorting,sorted by,sortable,sort by", except: "sort of,all sorts of,some sort,any sort,sorting algorithm",
		tags: "select,role=combobox,role=listbox,role=columnheader", controls: "sort,order by,newest,popular,price", classWords: "sort,sorter", text: "sort,sort by"},
	{name: "calendar", ask: "calendar,date picker,datepicker,schedule view", tags: "type=date,type=datetime-local,type=month,time",
		classWords: "calendar,datepicker,date", text: "calendar,mon tue wed,su mo tu,monday,january,february,march,april,june,july,august,september,october,november,december"},
	{name: "map", ask: "map,interactive map,maps,mapping application", except: "site map,sitemap,road map,mind map,key map,heat map,heatmap,texture map,map of the site,map out,concept map",
		tags: "iframe,area", classWords: "map,leaflet,mapbox", text: "map", test: func(s *siteFacts) bool { return s.drawings > 0 }},
	{name: "chat", ask: "chat,chatbot,chat interface,live chat,messaging app,instant messaging,direct messages", except: "snapchat",
		controls: "chat,message,type a message,send,ask,talk", classWords: "chat,message,chatbot,bubble,messenger", text: "chat,chatbot"},
	{name: "pricing", ask: "pricing,price plans,service plans,subscription plans,pricing table,pricing plans,pricing tiers", text: "pricing,price,prices,plan,plans,per month",
		classWords: "pricing,price,plan"},
	{name: "video", ask: "video,videos,video player,embedded video,watch videos", except: "video game,video games,video gaming,video call",
		tags: "video,iframe", controls: "play,watch,video", classWords: "video,player,youtube", text: "video,watch"},
	{name: "dialog", ask: "modal,popup,pop up,dialog,dialogue box,lightbox", tags: "dialog,role=dialog,role=alertdialog", classWords: "modal,popup,dialog", hidden: true},
	{name: "upload", ask: "upload,uploads,uploading,file upload,drag and drop files", tags: "type=file",
		controls: "upload,choose file,browse,attach,import,add photo,drop", classWords: "upload,dropzone,upload", text: "upload,drag and drop,drop your,drop file"},
	{name: "slider", ask: "carousel,slideshow,image slider,slider,sliders,rotating banner", tags: "type=range,role=slider",
		controls: "next,previous,prev,next slide,slide", classWords: "carousel,slider,slide,swiper,slick,marquee,slideshow"},
	{name: "newsletter", ask: "newsletter,email subscription,subscribe to", tags: "type=email", controls: "subscribe,newsletter,email,sign up", classWords: "newsletter,subscribe", text: "newsletter,subscribe"},
	{name: "footer", ask: "footer", tags: "footer,role=contentinfo", classWords: "footer", text: "©,copyright,all rights reserved"},
	{name: "header", ask: "header,top bar,header bar,page header", except: "table header,http header,header file", tags: "header,role=banner", classWords: "header,topbar,navbar", test: func(s *siteFacts) bool { return s.tags["h1"] > 0 }},
	{name: "hero", ask: "hero section,hero banner,hero image,hero area,hero header", classWords: "hero,jumbotron,banner,masthead,landing,intro", test: func(s *siteFacts) bool { return s.tags["h1"] > 0 }},
	{name: "FAQ", ask: "faq,faqs,faq section", tags: "details", classWords: "faq,accordion", text: "faq,faqs,frequently asked questions,common questions"},
	{name: "dashboard", ask: "dashboard,dashboards,admin panel", classWords: "dashboard,kpi,stat,stats,metric,widget,panel,card", text: "dashboard,overview",
		test: func(s *siteFacts) bool { return s.cards >= 3 }},
	{name: "cards", ask: "card layout,card grid,card style,product cards,feature cards,featured cards,info cards,stat cards,like cards,three cards,four cards,cards for,tiles", except: "credit cards for,gift cards for,business cards for",
		classWords: "card,cards,tile,tiles,grid", test: func(s *siteFacts) bool { return s.cards >= 2 }},
	{name: "testimonials", ask: "testimonial,testimonials,customer reviews,user reviews,reviews section", tags: "blockquote", classWords: "testimonial,testimonials,review,reviews,quote",
		text: "testimonial,testimonials,review,reviews,customers say,clients say,people say,users say,readers say"},
	{name: "contact", ask: "contact us,contact form,contact page,contact information,contact details,contact section,contact customer service,contact the", tags: "href=mailto,href=tel",
		controls: "contact,get in touch,email us,call us,message us,support", classWords: "contact", text: "contact,get in touch,reach us"},
	{name: "game", ask: "game,games,playable,puzzle,spin the wheel", except: "game changer,game server,game servers,game development,game studio,video game,game lobby,game engine,game insight,game highlight,game website",
		controls: "start,play,restart,new game,reset,pause,roll,spin,hit,deal,try again", classWords: "game,board,player,score,tile,cell", text: "score,level,lives,game,play,turn,moves", test: func(s *siteFacts) bool { return s.tags["canvas"] > 0 }},
	{name: "dark theme", ask: "dark mode,dark theme,dark design,dark ui,night mode,theme toggle,theme switcher,light and dark", controls: "dark,theme,light,night,🌙,☀,☀️,🌓", classWords: "dark,theme toggle,theme",
		test: func(s *siteFacts) bool { return s.dark }},
	{name: "leaderboard", ask: "leaderboard,leader board,rankings,ranking page,scoreboard,high scores", text: "leaderboard,ranking,rankings,rank,scoreboard,high score,high scores,best,top players,score", classWords: "leaderboard,ranking,rank,scoreboard"},
	{name: "booking", ask: "booking,bookings,book services,reservation,reservations,book a,book an,appointment,appointments", except: "book a month",
		controls: "book,reserve,schedule,booking,appointment,check availability,book now", classWords: "booking,reservation,appointment", text: "booking,book,reservation,appointment,reserve"},
	{name: "about", ask: "about us,about page,about section,company introduction,introduction to the company,company information", text: "about,about us,our story,our mission,who we are,mission,company,our team"},
	{name: "news", ask: "news,blog,blog section,articles,latest news", tags: "article", text: "news,blog,article,articles,latest,read more,posts", classWords: "news,blog,post,article"},
	{name: "profile", ask: "user profile,profile page,user center,account information,personal information page,user accounts", controls: "profile,account,my account,user,settings,sign in,login,log in", classWords: "profile,avatar,account,user", text: "profile,account", hidden: true},
	{name: "comments", ask: "comments,comment section,reply to,replying", except: "code comments,include comments,add comments,with comments,comments in the code,detailed comments",
		controls: "comment,reply,post,add comment", classWords: "comment,comments,reply,replies", text: "comment,comments,reply,replies"},
	{name: "notifications", ask: "notification,notifications,alerts", controls: "notification,notifications,alerts,🔔", classWords: "notification,notifications,bell,alert,toast", text: "notification,notifications,alert,alerts", hidden: true},
	{name: "settings", ask: "settings page,settings panel,settings menu,website settings,user settings,updating settings,preferences panel,control panel,adjustable parameters", tags: "type=range,select,type=checkbox", controls: "settings,preferences,options,configure,⚙", classWords: "settings,preferences,options,config,controls", text: "settings,preferences"},
	{name: "timer", ask: "timer,countdown,stopwatch,pomodoro", classWords: "timer,countdown,clock,time", text: "timer,countdown,seconds,minutes,time,sec,min"},
	{name: "progress bar", ask: "progress bar,progress tracker,progress indicator,step indicator", tags: "progress,role=progressbar,meter", classWords: "progress,step,steps,stepper", text: "progress,step 1,step"},
	{name: "tabs", ask: "tabs,tabbed interface,tab bar,tabbed", except: "new tab,browser tabs,guitar tabs", tags: "role=tablist,role=tab", classWords: "tab,tabs"},
	{name: "dropdown", ask: "dropdown,drop down,dropdowns,select menu", tags: "select,role=combobox,role=listbox", classWords: "dropdown,select,combobox", controls: "▼,▾", hidden: true},
	{name: "drag and drop", ask: "drag and drop,draggable,drag", classWords: "drag,draggable,drop,dropzone,sortable", text: "drag,drop", hidden: true},
	{name: "animation", ask: "animation,animations,animated,animate,transitions", except: "animation studio,animation company", classWords: "animate,animated,animation,fade,float,spin,pulse", test: func(s *siteFacts) bool { return s.moves }, hidden: true},
	{name: "3D scene", ask: "3d,three dimensional,webgl,threejs,three js", tags: "canvas", classWords: "3d,scene,cube,three", test: func(s *siteFacts) bool { return s.drawings > 0 }},
	{name: "voting", ask: "vote,votes,voting,poll,polls", controls: "vote,submit,yes,no,choose", classWords: "vote,poll,option", text: "vote,votes,poll,polls"},
	{name: "social links", ask: "social media links,social links,social icons", controls: "twitter,facebook,instagram,linkedin,youtube,github,x,tiktok", classWords: "social,twitter,facebook,instagram"},
	{name: "music player", ask: "music player,audio player,music playback,now playing", tags: "audio", controls: "play,pause,next,▶,⏸,shuffle", classWords: "player,audio,music,track,playlist"},
}

func (s *siteFacts) fields() int { return s.tags["input"] + s.tags["select"] + s.tags["textarea"] }
