package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// maxAnswer bounds what is read of an endpoint's answer, in bytes: far more than
// the longest answer that is asked for, and little enough to be held for every
// connection at once.
const maxAnswer = 4 << 20

// wire sends requests for the providers' SDKs and sees to what is alike for all
// of them: an answer is read whole or is an error; what is not JSON is not an
// answer; every failure gets its cause; no key leaves in a message. The SDKs so
// see good answers only, and their own readings of errors are not relied on.
type wire struct {
	base http.RoundTripper
	key  Secret
}

// httpClient is the client for an SDK. It follows no redirect: one to another
// host would take the key along.
func httpClient(base http.RoundTripper, key Secret) *http.Client {
	return &http.Client{
		Transport:     wire{base, key},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// RoundTrip implements [http.RoundTripper]. The error is an [*Error].
func (w wire) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := w.base.RoundTrip(req)
	if err != nil {
		return nil, w.broken(req.Context(), err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case len(body) > maxAnswer:
		return nil, NewError(CauseMalformed, res.StatusCode, fmt.Sprintf("the answer is longer than %d bytes", maxAnswer), nil)
	case err != nil && res.StatusCode < 300:
		return nil, w.broken(req.Context(), err)
	}
	if e := w.failure(res, body); e != nil {
		return nil, e
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	res.ContentLength = int64(len(body))
	res.Header.Set("Content-Type", "application/json")
	return res, nil
}

// broken is the error of a connection.
func (w wire) broken(ctx context.Context, err error) *Error {
	cause := CauseConnection
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		cause = CauseTimeout
	}
	return NewError(cause, 0, w.tidy(err.Error()), err)
}

// failure reads an answer that is none, or returns nil.
func (w wire) failure(res *http.Response, body []byte) *Error {
	told, isJSON := readAPIError(body)
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400 && res.Header.Get("Location") != "":
		message := fmt.Sprintf("HTTP %d to %s: redirects are not followed", res.StatusCode, res.Header.Get("Location"))
		return NewError(CauseRequest, res.StatusCode, w.tidy(message), nil)
	case res.StatusCode >= 300:
		e := told.read(res.StatusCode, res.Header, plain(body, isJSON))
		e.Message = w.tidy(strings.TrimSpace(fmt.Sprintf("HTTP %d %s", res.StatusCode, e.Message)))
		return e
	case !isJSON || bytes.TrimSpace(body)[0] != '{': // null and lists are answers of no protocol
		return NewError(CauseMalformed, res.StatusCode, w.tidy("the answer is no JSON object: "+plain(body, false)), nil)
	case told.failed(): // routers answer 200 and put the error of the server behind them into it
		status := told.status(http.StatusBadGateway)
		e := told.read(status, res.Header, "")
		e.Message = w.tidy(e.Message)
		return e
	}
	return nil
}

// plain describes a body that says nothing in a way we know.
func plain(body []byte, isJSON bool) string {
	text := strings.TrimSpace(string(body))
	switch lower := strings.ToLower(text); {
	case text == "":
		return "with nothing in it"
	case strings.HasPrefix(lower, "<!doctype html") || strings.HasPrefix(lower, "<html"):
		return "with a page of HTML"
	case strings.HasPrefix(lower, "data:") || strings.HasPrefix(lower, "event:"):
		return "with a stream of events, which was not asked for"
	case isJSON:
		return "with JSON that tells no error"
	}
	return text
}

// maxMessage bounds the words of others in our errors, in bytes.
const maxMessage = 400

// tidy makes one line of a text and takes the key out of it.
func (w wire) tidy(text string) string {
	if len(w.key) >= 4 { // shorter ones would hide half of the message, and are no secrets
		text = strings.ReplaceAll(text, string(w.key), hidden)
	}
	text = looksLikeKey.ReplaceAllString(text, "$1"+hidden)
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "�"), func(r rune) bool { return r <= ' ' || r == 0x7f }), " ")
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage], "") + "…"
	}
	return text
}
