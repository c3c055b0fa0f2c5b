// Package store keeps what was found out: evidence folders and run folders. Whatever is
// finished is on disk before it is reported, and nothing half-written is ever taken for
// finished.
package store
