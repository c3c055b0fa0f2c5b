package queue

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/nats-io/nats.go"

	"vitrine"
	"vitrine/internal/disk"
)

// Auth is what a cluster wants to see. What is empty is not shown; a URL may have a token,
// or a user and password, as well.
type Auth struct {
	User, Password string
	Token          string
	Seed           string // file with the seed of an nkey
	Creds          string // file of credentials: a JWT and a seed
	CA             string // file of the authorities that sign the servers' certificates; default the system's
	Cert, Key      string // files of the client's certificate and its key
}

// options for the connection. Files are read again at each reconnect.
func (a Auth) options() (all []nats.Option, err error) {
	if (a.Cert == "") != (a.Key == "") {
		return nil, usage("a client's certificate needs its key", "give both --nats-cert and --nats-cert-key, or none")
	}
	for _, file := range []string{a.Seed, a.Creds, a.CA, a.Cert, a.Key} {
		if _, err := os.Stat(file); file != "" && err != nil {
			return nil, usage("a file of the queue's credentials cannot be read: "+err.Error(), "name a file that is there and may be read")
		}
	}
	if a.User != "" {
		all = append(all, nats.UserInfo(a.User, a.Password))
	}
	if a.Token != "" {
		all = append(all, nats.Token(a.Token))
	}
	if a.Seed != "" {
		option, err := nats.NkeyOptionFromSeed(a.Seed)
		if err != nil {
			return nil, usage("the seed of the nkey cannot be used: "+err.Error(), "make one with nk -gen user, and keep the file to yourself")
		}
		all = append(all, option)
	}
	if a.Creds != "" {
		all = append(all, nats.UserCredentials(a.Creds))
	}
	if a.CA != "" {
		all = append(all, nats.RootCAs(a.CA))
	}
	if a.Cert != "" {
		all = append(all, nats.ClientCert(a.Cert, a.Key))
	}
	return all, nil
}

// Address is a URL, or several, without what is secret in them.
func Address(urls string) string {
	var all []string
	for text := range strings.SplitSeq(urls, ",") {
		if _, host, secret := strings.Cut(text, "@"); secret {
			scheme, _, ok := strings.Cut(text, "://")
			if !ok {
				scheme = "nats"
			}
			text = scheme + "://" + host[strings.LastIndex(host, "@")+1:]
		}
		all = append(all, text)
	}
	return strings.Join(all, ",")
}

// checkURLs refuses what is no URL, without telling its secrets.
func checkURLs(urls string) error {
	for text := range strings.SplitSeq(urls, ",") {
		if _, err := url.Parse(strings.TrimSpace(text)); err != nil {
			return vitrine.NewFault("queue", vitrine.FaultNoQueue, nil, "the queue's server cannot be reached: this is no URL: "+Address(text)).
				WithFix("write it as nats://HOST:4222")
		}
	}
	return nil
}

// tokenFile is where a queue that listens without a token that was given keeps its own.
const tokenFile = "token"

// ownToken is the token of a queue that listens on this machine and was given none: other
// users of the machine reach its port, too, but cannot read the file.
func ownToken(dir string) (string, error) {
	name := filepath.Join(dir, tokenFile)
	b, err := os.ReadFile(name)
	if err == nil && len(b) > 0 {
		return string(b), nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", disk.Classify(err)
	}
	token := rand.Text()
	return token, disk.Classify(os.WriteFile(name, []byte(token), 0o600))
}
