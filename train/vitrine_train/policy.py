"""TRL's GRPO with the log-probabilities computed as fast as a processor can, and with what ReLook adds to it."""

from __future__ import annotations

from typing import Any

import torch
from trl import GRPOTrainer


class Trainer(GRPOTrainer):  # type: ignore[misc]
    """GRPOTrainer whose last layer computes in bfloat16 as the others do, and not again in the backward pass. TRL's
    own computes it in tiles, in 32 bits where there is no GPU: a third of the memory and twice the time of an update."""

    advantage_clip = 0.0
    """Advantages are clipped to as much on either side (ReLook App. G: 2); 0 for no bound."""

    distill = 0.0
    """Weight of the loss that teaches the critic's words (ReLook Eq. 8: 0.1); 0 for none."""
    logps: torch.Tensor | None = None
    """Log-probabilities of the tokens of the batch whose loss is computed, of shape (outputs, tokens)."""

    def _compute_loss(self, model: Any, inputs: dict[str, Any]) -> torch.Tensor:
        """L = -J + γ · L_distill (ReLook Eq. 7 and 8). The teacher's distribution is taken to be at the word that it said:
        a critic behind the service gives no others. A trajectory without a critique has 0."""
        loss: torch.Tensor = super()._compute_loss(model, inputs)
        logps, self.logps = self.logps, None
        if not self.distill or logps is None or "tool_mask" not in inputs:
            return loss
        critic = inputs["completion_mask"] * (1 - inputs["tool_mask"])
        entropy = (-(logps * critic).sum(-1) / critic.sum(-1).clamp(min=1)).mean()
        self._metrics["train"]["distillation"].append(self.accelerator.gather(entropy.detach()).mean().item())
        return loss + self.distill * entropy / self.current_gradient_accumulation_steps

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        batch: dict[str, Any] = super()._generate_and_score_completions(inputs)
        if self.advantage_clip:
            batch["advantages"] = batch["advantages"].clamp(-self.advantage_clip, self.advantage_clip)
        return batch

    def _get_per_token_logps_and_entropies(
        self, model: Any, input_ids: torch.Tensor, attention_mask: torch.Tensor, logits_to_keep: int,
        batch_size: int | None = None, compute_entropy: bool = False, compute_aux_loss: bool = False, **images: Any,
    ) -> tuple[torch.Tensor, torch.Tensor | None, torch.Tensor | None]:  # fmt: skip
        if input_ids.device.type != "cpu":
            found = super()._get_per_token_logps_and_entropies(
                model, input_ids, attention_mask, logits_to_keep, batch_size, compute_entropy, compute_aux_loss, **images)  # fmt: skip
            self.logps = found[0]
            return found  # type: ignore[no-any-return]
        size = batch_size or len(input_ids)
        parts = [self._of(model, input_ids[at : at + size], attention_mask[at : at + size], logits_to_keep) for at in range(0, len(input_ids), size)]
        logps, entropies = (torch.cat(tensors) for tensors in zip(*parts, strict=True))
        self.logps = logps
        return logps, entropies if compute_entropy else None, None

    def _of(self, model: Any, ids: torch.Tensor, mask: torch.Tensor, keep: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities of the last `keep` tokens and the entropies of the distributions that they are from, of shape
        (outputs, keep); 0 where there is no token."""
        seen = mask.any(0).nonzero()  # TRL pads to the longest of a step, which need not be in this batch
        first, last = int(seen[0]), int(seen[-1]) + 1
        padded = ids.shape[1] - last
        ids, mask, keep = ids[:, first:last], mask[:, first:last], keep - padded
        there = mask[:, -keep:].bool()
        with self.accelerator.autocast():
            hidden = model.base_model(input_ids=ids, attention_mask=mask, use_cache=False).last_hidden_state[:, -keep - 1 : -1]
            logits = model.get_output_embeddings()(hidden[there])
        logs = torch.log_softmax(logits.float() / self.temperature, -1)
        with torch.no_grad():
            entropies = -(logs.exp() * logs).sum(-1)
        logps = logs.gather(-1, ids[:, -keep:][there].unsqueeze(-1)).squeeze(-1)
        blank = logps.new_zeros(len(ids), keep + padded)
        place = torch.nn.functional.pad(there, (0, padded))
        return blank.masked_scatter(place, logps), blank.masked_scatter(place, entropies)
