package queue

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"vitrine"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// guarded starts a NATS server that wants to see something.
func guarded(t *testing.T, change func(*server.Options)) string {
	t.Helper()
	o := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), JetStreamMaxStore: 1 << 40, NoLog: true, NoSigs: true}
	change(o)
	s, err := server.NewServer(o)
	must(t, err)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(30 * time.Second) {
		t.Fatal("the server does not start")
	}
	return s.ClientURL()
}

func file(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, content, 0o600))
	return path
}

// signed makes a key and a certificate by a parent, or by itself, and the files of both.
func signed(t *testing.T, name string, parent *x509.Certificate, by *ecdsa.PrivateKey) (cert *x509.Certificate, key *ecdsa.PrivateKey, certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: parent == nil, BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	if parent == nil {
		parent, by = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, by)
	must(t, err)
	cert, err = x509.ParseCertificate(der)
	must(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	certFile = file(t, name+".pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	keyFile = file(t, name+"-key.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
	return cert, key, certFile, keyFile
}

// withTLS is a server that shows a certificate and wants to see one.
func withTLS(t *testing.T) (url string, shown Auth) {
	ca, caKey, caFile, _ := signed(t, "ca", nil, nil)
	_, _, serverCert, serverKey := signed(t, "server", ca, caKey)
	_, _, clientCert, clientKey := signed(t, "client", ca, caKey)
	pair, err := tls.LoadX509KeyPair(serverCert, serverKey)
	must(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(ca)
	url = guarded(t, func(o *server.Options) {
		o.TLS, o.TLSVerify, o.TLSTimeout = true, true, 10
		o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert, MinVersion: tls.VersionTLS12}
	})
	return strings.Replace(url, "nats://", "tls://", 1), Auth{CA: caFile, Cert: clientCert, Key: clientKey}
}

// keyPair is a key of a kind with its public name.
func keyPair(t *testing.T, make func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string) {
	t.Helper()
	pair, err := make()
	must(t, err)
	public, err := pair.PublicKey()
	must(t, err)
	return pair, public
}

// withNKey is a server that knows the public key of one user.
func withNKey(t *testing.T) (url string, shown Auth) {
	user, public := keyPair(t, nkeys.CreateUser)
	seed, err := user.Seed()
	must(t, err)
	return guarded(t, func(o *server.Options) { o.Nkeys = []*server.NkeyUser{{Nkey: public}} }), Auth{Seed: file(t, "user.nk", seed)}
}

// withJWT is a server that knows the public key of an operator, who signs accounts, which
// sign users.
func withJWT(t *testing.T) (url string, shown Auth) {
	operator, operatorName := keyPair(t, nkeys.CreateOperator)
	account, accountName := keyPair(t, nkeys.CreateAccount)
	user, userName := keyPair(t, nkeys.CreateUser)
	claims := jwt.NewAccountClaims(accountName)
	claims.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1}
	accountJWT, err := claims.Encode(operator)
	must(t, err)
	_, systemName := keyPair(t, nkeys.CreateAccount)
	systemJWT, err := jwt.NewAccountClaims(systemName).Encode(operator)
	must(t, err)
	resolver := &server.MemAccResolver{}
	must(t, resolver.Store(accountName, accountJWT))
	must(t, resolver.Store(systemName, systemJWT))
	userJWT, err := jwt.NewUserClaims(userName).Encode(account)
	must(t, err)
	seed, err := user.Seed()
	must(t, err)
	creds, err := jwt.FormatUserConfig(userJWT, seed)
	must(t, err)
	url = guarded(t, func(o *server.Options) {
		o.TrustedKeys, o.AccountResolver, o.SystemAccount = []string{operatorName}, resolver, systemName
	})
	return url, Auth{Creds: file(t, "user.creds", creds)}
}

// A cluster may want to see any of these; without one, or with another, a client is refused.
func TestAClusterThatWantsToSeeSomething(t *testing.T) {
	t.Parallel()
	for name, guard := range map[string]func(t *testing.T) (url string, shown Auth){
		"user": func(t *testing.T) (string, Auth) {
			may := &server.SubjectPermission{Allow: []string{"vitrine.>", "$JS.API.>", "$JS.ACK.>", "$O.vitrine-blobs.>", "_INBOX.>"}} // as docs/operations.md says
			user := &server.User{Username: "vitrine", Password: "open sesame", Permissions: &server.Permissions{Publish: may, Subscribe: may}}
			return guarded(t, func(o *server.Options) { o.Users = []*server.User{user} }), Auth{User: "vitrine", Password: "open sesame"}
		},
		"token": func(t *testing.T) (string, Auth) {
			return guarded(t, func(o *server.Options) { o.Authorization = "open sesame" }), Auth{Token: "open sesame"}
		},
		"nkey": withNKey, "credentials": withJWT, "certificate": withTLS,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, shown := guard(t)
			other := Auth{Token: "sesame"}
			if shown.CA != "" {
				other.CA = shown.CA
			}
			for _, wrong := range []Auth{{CA: other.CA}, other} {
				q, err := Open(t.Context(), Settings{URL: url, Auth: wrong})
				if err == nil {
					q.Close()
					t.Errorf("%+v was let in", wrong)
				} else if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultNoQueue || strings.Contains(err.Error(), "sesame") {
					t.Errorf("got %v, fix %q", err, f.Fix)
				}
			}
			a, b := start(t, Settings{URL: url, Auth: shown}), start(t, Settings{URL: url, Auth: shown})
			serve(t, b, 1, scored)
			if r := mustDo(t, a, job("k")); r.Sample.Status != vitrine.SampleScored {
				t.Errorf("got %+v", r)
			}
			if _, err := a.Blobs().Put(t.Context(), []byte("evidence")); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCredentialsThatCannotBe(t *testing.T) {
	t.Parallel()
	for says, auth := range map[string]Auth{
		"cannot be read": {Creds: filepath.Join(t.TempDir(), "none")}, "seed": {Seed: file(t, "no-seed", []byte("hello"))}, "needs its key": {Cert: file(t, "cert", nil)},
	} {
		_, err := Open(t.Context(), Settings{URL: "nats://127.0.0.1:1", Auth: auth})
		if f := vitrine.AsFault("x", err); err == nil || f.Code != vitrine.FaultUsage || f.Fix == "" || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want it to say %q", err, says)
		}
	}
	_, err := Open(t.Context(), Settings{URL: "nats://user:sesame@[::1:4222"})
	if err == nil || strings.Contains(err.Error(), "sesame") || strings.Contains(vitrine.AsFault("x", err).Fix, "sesame") {
		t.Errorf("got %v", err)
	}
	if got := Address("nats://user:a@b@host:1,tls://token@other,plain:4"); got != "nats://host:1,tls://other,plain:4" {
		t.Errorf("an address is told as %s", got)
	}
}

// Other users of the machine reach a port of loopback, too.
func TestTheServerInsideIsForThoseItKnows(t *testing.T) {
	t.Parallel()
	if quiet := start(t, Settings{}); quiet.node.server.Addr() != nil {
		t.Errorf("it listens on %s, and was not asked to", quiet.node.server.Addr())
	}
	dir := t.TempDir()
	q := start(t, Settings{Dir: dir, Listen: "127.0.0.1:0"})
	if other, err := Open(t.Context(), Settings{URL: q.URL()}); err == nil {
		other.Close()
		t.Error("one without a token was let in")
	}
	info, err := os.Stat(q.TokenFile())
	must(t, err)
	if token, _ := os.ReadFile(q.TokenFile()); info.Mode().Perm() != 0o600 || string(token) != q.Token() || len(token) < 20 {
		t.Errorf("the token %q is in a file of mode %v", token, info.Mode())
	}
	first := q.Token()
	q.Close()
	if q = start(t, Settings{Dir: dir, Listen: "127.0.0.1:0"}); q.Token() != first {
		t.Error("after a restart its workers are not let in any more")
	}
	start(t, Settings{URL: q.URL(), Auth: Auth{Token: first}})
}
