// Package model asks language models: messages with pictures in, text and usage
// out. It knows no prompt.
//
//	caller ── Client ── tape ── budget ── endpoint: slots, tries, what it learned ── Model: one provider's wire
//
// A Model sends one request to one provider, by the provider's official SDK:
// packages openai, anthropic and google; package providers chooses between them.
// An endpoint adds what is alike for all: adaptive concurrency, deadlines, tries.
// Client adds names, prices, the budget and the tape of earlier conversations,
// which package replay keeps. Package modeltest is a server for tests.
package model
