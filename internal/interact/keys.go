package interact

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"vitrine"
)

// key is a key of a keyboard.
type key struct {
	name, code, text string
	number           int64 // Windows' virtual key code
}

// named are the keys that have a name, by their name in lower case.
var named = map[string]key{
	"enter": {"Enter", "Enter", "\r", 13}, "tab": {"Tab", "Tab", "", 9}, "escape": {"Escape", "Escape", "", 27}, "esc": {"Escape", "Escape", "", 27},
	"space": {" ", "Space", " ", 32}, " ": {" ", "Space", " ", 32}, "backspace": {"Backspace", "Backspace", "", 8}, "delete": {"Delete", "Delete", "", 46},
	"arrowleft": {"ArrowLeft", "ArrowLeft", "", 37}, "arrowup": {"ArrowUp", "ArrowUp", "", 38}, "arrowright": {"ArrowRight", "ArrowRight", "", 39}, "arrowdown": {"ArrowDown", "ArrowDown", "", 40},
	"left": {"ArrowLeft", "ArrowLeft", "", 37}, "up": {"ArrowUp", "ArrowUp", "", 38}, "right": {"ArrowRight", "ArrowRight", "", 39}, "down": {"ArrowDown", "ArrowDown", "", 40},
	"home": {"Home", "Home", "", 36}, "end": {"End", "End", "", 35}, "pageup": {"PageUp", "PageUp", "", 33}, "pagedown": {"PageDown", "PageDown", "", 34}, "insert": {"Insert", "Insert", "", 45},
	"f1": {"F1", "F1", "", 112}, "f2": {"F2", "F2", "", 113}, "f3": {"F3", "F3", "", 114}, "f4": {"F4", "F4", "", 115}, "f5": {"F5", "F5", "", 116}, "f6": {"F6", "F6", "", 117},
	"f7": {"F7", "F7", "", 118}, "f8": {"F8", "F8", "", 119}, "f9": {"F9", "F9", "", 120}, "f10": {"F10", "F10", "", 121}, "f11": {"F11", "F11", "", 122}, "f12": {"F12", "F12", "", 123},
	"shift": {"Shift", "ShiftLeft", "", 16}, "control": {"Control", "ControlLeft", "", 17}, "alt": {"Alt", "AltLeft", "", 18}, "meta": {"Meta", "MetaLeft", "", 91},
}

// modifiers by name, with their bits.
var modifiers = map[string]int64{"alt": 1, "control": 2, "ctrl": 2, "meta": 4, "cmd": 4, "command": 4, "shift": 8}

// punctuation keys of an American keyboard.
var punctuation = map[rune]key{
	'-': {"-", "Minus", "-", 189}, '=': {"=", "Equal", "=", 187}, '+': {"+", "Equal", "+", 187}, '/': {"/", "Slash", "/", 191}, '?': {"?", "Slash", "?", 191}, '.': {".", "Period", ".", 190},
	',': {",", "Comma", ",", 188}, ';': {";", "Semicolon", ";", 186}, '\'': {"'", "Quote", "'", 222}, '[': {"[", "BracketLeft", "[", 219}, ']': {"]", "BracketRight", "]", 221},
	'\\': {"\\", "Backslash", "\\", 220}, '`': {"`", "Backquote", "`", 192}, '*': {"*", "Digit8", "*", 56}, '%': {"%", "Digit5", "%", 53},
}

// keyOf finds a key by its name or the character it makes.
func keyOf(name string) (key, bool) {
	if k, ok := named[strings.ToLower(name)]; ok {
		return k, true
	}
	r, size := utf8.DecodeRuneInString(name)
	if size != len(name) || size == 0 {
		return key{}, false
	}
	upper := strings.ToUpper(name)
	switch {
	case upper >= "A" && upper <= "Z" && size == 1:
		return key{name, "Key" + upper, name, int64(upper[0])}, true
	case r >= '0' && r <= '9':
		return key{name, "Digit" + name, name, int64(r)}, true
	}
	if k, ok := punctuation[r]; ok {
		return k, true
	}
	return key{name: name, text: name}, true
}

// combination reads "Control+Shift+a".
func combination(text string) (k key, mods int64, ok bool) {
	name := text
	for {
		mod, rest, found := strings.Cut(name, "+")
		bit := modifiers[strings.ToLower(mod)]
		if !found || rest == "" || bit == 0 {
			break
		}
		mods |= bit
		name = rest
	}
	k, ok = keyOf(name)
	if mods&8 != 0 && len(k.name) == 1 {
		k.name, k.text = strings.ToUpper(k.name), strings.ToUpper(k.text)
	}
	if mods&^8 != 0 {
		k.text = ""
	}
	return k, mods, ok
}

// preparePress readies a key, at the target or where the focus is.
func (s *Session) preparePress(ctx context.Context, a vitrine.Action) (*preparedAction, string, error) {
	d := &preparedAction{}
	k, mods, ok := combination(a.Text)
	if !ok {
		return d, fmt.Sprintf("there is no key %q", a.Text), nil
	}
	path := ""
	if a.Target != nil {
		c, p, failed, err := s.target(ctx, *a.Target)
		if err != nil || failed != "" {
			return d, failed, err
		}
		d.control, path, d.at = c, p, &c.Box
	}
	d.act = func(ctx context.Context) (string, error) {
		if path != "" {
			if err := s.probe(ctx, nil, "focus", path); err != nil {
				return "", err
			}
		}
		for range max(1, min(a.Times, maxTimes)) {
			if err := s.hold(ctx, k, mods, min(max(a.MS, 0), maxHoldMS)); err != nil {
				return "", err
			}
		}
		return "", nil
	}
	return d, "", nil
}

const (
	maxTimes  = 100
	maxHoldMS = 2000 // page time for which a key is held down
)

// editing are the commands that a browser window makes of keys and a page alone does not.
var editing = map[string]string{"2a": "selectAll", "2z": "undo", "2y": "redo", "10z": "redo"}

func (s *Session) press(ctx context.Context, k key, mods int64) error { return s.hold(ctx, k, mods, 0) }

// hold presses a key and lets it go after ms of page time.
func (s *Session) hold(ctx context.Context, k key, mods int64, ms int) error {
	down := input.DispatchKeyEventParams{
		Type: input.DispatchKeyEventTypeRawKeyDown, Key: k.name, Code: k.code, WindowsVirtualKeyCode: k.number, NativeVirtualKeyCode: k.number, Modifiers: mods,
	}
	if k.text != "" {
		down.Type, down.Text, down.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, k.text, k.text
	}
	if c := editing[fmt.Sprint(mods)+strings.ToLower(k.name)]; c != "" {
		down.Commands = []string{c}
	}
	if _, err := cdp.Call(ctx, s.tab, input.DispatchKeyEvent, down); err != nil {
		return err
	}
	if ms > 0 {
		if err := s.pass(ctx, ms); err != nil {
			return err
		}
	}
	up := down
	up.Type, up.Text, up.UnmodifiedText, up.Commands = input.DispatchKeyEventTypeKeyUp, "", "", nil
	_, err := cdp.Call(ctx, s.tab, input.DispatchKeyEvent, up)
	return err
}
