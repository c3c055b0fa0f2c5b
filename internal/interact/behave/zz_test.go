package behave
import ("testing";"os";"fmt";"vitrine";"strings")
func TestZZ(t *testing.T){ html,_:=os.ReadFile(pages+"/setting-photo-good.html"); html=[]byte(strings.Replace(string(html),"max-width:300px","width:300px",1)); c:=proveOn(t,html,vitrine.Requirement{ID:"r1",Behavior:"setting",Entity:"brightness",Words:[]string{"brightness"},Weight:1}); fmt.Println(c.Verdict,c.Why)}
