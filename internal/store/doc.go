// Package store keeps what was found out: evidence folders, run folders and the
// content-addressed cache. Whatever is finished is on disk before it is told of,
// and nothing half-written is ever taken for finished.
package store
