// Package export writes rows in the shapes that trainers read, as JSON lines or Parquet,
// with a data card beside them.
//
//	sft       messages: the instruction and the output
//	rft       the same, of the best outputs
//	grpo      prompt, as a conversation, with id and what a reward needs to find the task
//	dpo, rm   prompt, chosen and rejected, as conversations
//	sharegpt  conversations of human and gpt; sharegpt-dpo with a chosen and a rejected turn
//	webdataset  archives with the row, its instruction and its picture as files
//	hf        a folder as the Hugging Face hub has it, of the rows with their own fields
//
// LLaMA-Factory finds its shapes by dataset_info.json. messages, prompt, chosen and rejected are as TRL's conversational formats have them.
package export
