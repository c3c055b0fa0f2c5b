// Package export writes rows in the shapes that trainers read, as JSON lines or Parquet,
// with a data card beside them.
//
//	sft       messages: the instruction and the output
//	rft       the same, of the best outputs
//	grpo      prompt, as a conversation, with id and what a reward needs to find the task
//	dpo, rm   prompt, chosen and rejected, as conversations
//	sharegpt  conversations of human and gpt
//
// messages, prompt, chosen and rejected are as TRL's conversational formats have them.
package export
