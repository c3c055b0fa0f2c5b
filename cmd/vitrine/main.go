// Command vitrine builds, sees, judges and rewards websites that language models
// write.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// The first Ctrl-C asks commands to end well; the second ends them at once.
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	os.Exit(run(context.Background(), os.Args[1:], state{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, getenv: os.Getenv, signals: signals,
	}))
}
