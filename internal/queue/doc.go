// Package queue gives jobs to workers and brings their answers back, on one
// machine or many, over NATS JetStream: a server inside this process, or a cluster
// by URL.
//
// A job is asked for with Do and named by the hash of what it is. Who asks for a
// job that is answered gets that answer; who asks for one that is under way,
// anywhere in the cluster, waits for it. So a job is worked on once.
//
//	Do ── line, by client ── stream of jobs ── Take ── a worker
//	 └──────── answers ───── stream of results ── Done ──┘
//
// Only a few jobs more than the workers can hold lie in the stream; the others
// wait in the line of the process that was asked for them, where clients take
// turns and where a job that nobody waits for any more is simply dropped.
//
// A job stays in the stream until it is answered. A worker that is lost costs a
// delivery to another one; a job that loses worker after worker is answered as
// unjudged. What is answered by a judgement is kept for a while. An answer that is
// no judgement is for those who wait for it, and for nobody later.
package queue
