"""What the service answers, as types. The parsers refuse what breaks the contract rather than guess:
above all, a reward that is missing is never taken for a number."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from .errors import ProtocolError, Unjudged


@dataclass(frozen=True)
class Fault:
    """Why something could not be judged: the stage that failed, a stable code, a sentence, and what to do."""

    stage: str
    code: str
    message: str
    fix: str = ""


@dataclass(frozen=True)
class Result:
    """One scored sample. reward is a number in the recipe's range, or None if and only if status is "unjudged"."""

    id: str
    status: str
    reward: float | None
    outcome: str = ""
    """What became of the website: rendered, invalid_render, build_failed or no_artifact."""
    parts: Mapping[str, float | None] = field(default_factory=dict)
    """The parts of the reward. A recipe always gives the same keys; without a reward each is None."""
    error: Fault | None = None
    recipe: str = ""
    task_id: str = ""
    model: str = ""
    group_id: str = ""
    findings: tuple[Mapping[str, Any], ...] = ()
    evidence: str = ""
    """Path of the evidence at the service, or ""."""
    frames: tuple[str, ...] = ()
    feedback: str = ""
    timing_ms: Mapping[str, float] = field(default_factory=dict)
    cost: Mapping[str, float] = field(default_factory=dict)
    cached: Mapping[str, bool] = field(default_factory=dict)
    attempt: int = 1

    @property
    def judged(self) -> bool:
        """Whether there is a reward."""
        return self.reward is not None

    def require(self) -> float:
        """The reward, or Unjudged: for trainers that know no missing reward."""
        if self.reward is None:
            raise Unjudged(f"sample {self.id} has no reward", self.error)
        return self.reward

    @classmethod
    def unjudged(cls, id: str, fault: Fault) -> Result:
        """The result of a sample that never got an answer."""
        return cls(id=id, status="unjudged", reward=None, error=fault)

    @classmethod
    def parse(cls, line: Any) -> Result:
        """Reads one result of the service. ProtocolError says which member breaks the contract."""
        body = _object(line, "result")
        reward = number(body.get("reward"), "reward")
        status = _status(body, reward)
        if status == "scored" and reward is None:
            raise ProtocolError("status is scored, without a reward")
        return cls(
            id=_text(body, "id"),
            status=status,
            reward=reward,
            outcome=_text(body, "outcome"),
            parts=_parts(body, reward),
            error=fault(body.get("error")),
            recipe=_text(body, "recipe"),
            task_id=_text(body, "task_id"),
            model=_text(body, "model"),
            group_id=_text(body, "group_id"),
            findings=tuple(body.get("findings") or ()),
            evidence=_text(body, "evidence"),
            frames=tuple(body.get("frames") or ()),
            feedback=_text(body, "feedback"),
            timing_ms=body.get("timing_ms") or {},
            cost=body.get("cost") or {},
            cached=body.get("cached") or {},
            attempt=int(body.get("attempt") or 1),
        )


@dataclass(frozen=True)
class Loop:
    """How the service runs a refine session; what is None is the service's default."""

    max_rounds: int | None = None
    max_resamples: int | None = None
    on_reject: str | None = None
    """"retry" samples again after a rejected revision, "stop" ends the session."""
    ask: str | None = None
    """"trigger": an accepted answer without the trigger is the last; "always": it is not."""
    accept: str | None = None
    """"better": only an answer above the best so far is accepted; "any": every answer."""
    feedback: str | None = None
    """"text" or "none"."""
    max_feedback_chars: int | None = None
    trigger: str | None = None
    """What the policy writes to ask for feedback."""
    epsilon: float | None = None
    """How much better than the best an answer must be."""
    reward: str | None = None
    """"best", or "relook": the mean of the accepted scores, times the length reward. Left out, it follows from the recipe."""

    def body(self) -> dict[str, Any]:
        """The members that are set."""
        return {key: value for key, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class Step:
    """The service's answer to one turn. An unjudged turn is not consumed: the same turn may be asked for again."""

    turn: int
    status: str
    accepted: bool
    done: bool
    action: str
    """"revise", "resample" (the turn was thrown away) or "done"."""
    feedback: str
    """What the policy reads next."""
    score: float | None = None
    best_score: float | None = None
    best_turn: int | None = None
    reward: float | None = None
    """Of the whole session; only when done."""
    round: int = 0
    outcome: str = ""
    images: tuple[str, ...] = ()
    error: Fault | None = None

    @classmethod
    def parse(cls, line: Any) -> Step:
        """Reads one step. ProtocolError says which member breaks the contract."""
        body = _object(line, "step")
        observation = body.get("observation") or {}
        score = number(body.get("score"), "score")
        return cls(
            turn=int(body.get("turn") or 0),
            status=_status(body, score),
            accepted=bool(body.get("accepted")),
            done=bool(body.get("done")),
            action=_text(body, "action"),
            feedback=_text(observation, "text"),
            score=score,
            best_score=number(body.get("best_score"), "best_score"),
            best_turn=body.get("best_turn"),
            reward=number(body.get("reward"), "reward"),
            round=int(body.get("round") or 0),
            outcome=_text(body, "outcome"),
            images=tuple(observation.get("images") or ()),
            error=fault(body.get("error")),
        )


@dataclass(frozen=True)
class State:
    """A session as the service has it."""

    id: str
    turn: int
    done: bool
    reward: float | None = None
    best_score: float | None = None
    best_turn: int | None = None
    observation: str = ""
    trajectory: tuple[Mapping[str, Any], ...] = ()
    """Segments in order: owner ("policy" or "critic"), text, turn, accepted, score."""
    error: Fault | None = None

    @classmethod
    def parse(cls, line: Any) -> State:
        """Reads a session. ProtocolError says which member breaks the contract."""
        body = _object(line, "session")
        return cls(
            id=_text(body, "id"),
            turn=int(body.get("turn") or 0),
            done=bool(body.get("done")),
            reward=number(body.get("reward"), "reward"),
            best_score=number(body.get("best_score"), "best_score"),
            best_turn=body.get("best_turn"),
            observation=_text(body.get("observation") or {}, "text"),
            trajectory=tuple(body.get("trajectory") or ()),
            error=fault(body.get("error")),
        )


@dataclass(frozen=True)
class Job:
    """A long batch at the service: queued, running, done or cancelled."""

    id: str
    status: str
    total: int
    done: int
    results: tuple[Result, ...] = ()

    @classmethod
    def parse(cls, line: Any) -> Job:
        """Reads a job. ProtocolError says which member breaks the contract."""
        body = _object(line, "job")
        return cls(
            id=_text(body, "id"),
            status=_text(body, "status"),
            total=int(body.get("total") or 0),
            done=int(body.get("done") or 0),
            results=tuple(Result.parse(r) for r in body.get("results") or ()),
        )


def number(value: Any, name: str) -> float | None:
    """A finite number, or None. A bool, a string or NaN is a ProtocolError."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ProtocolError(f"{name} is {value!r}, not a finite number or null")
    return float(value)


def fault(value: Any) -> Fault | None:
    """A fault, or None where there is none."""
    if not value:
        return None
    body = _object(value, "error")
    return Fault(_text(body, "stage"), _text(body, "code"), _text(body, "message"), _text(body, "fix"))


def _status(body: Mapping[str, Any], judged: float | None) -> str:
    status = _text(body, "status")
    if status not in ("scored", "unjudged"):
        raise ProtocolError(f"status is {status!r}, not scored or unjudged")
    if status == "unjudged" and judged is not None:
        raise ProtocolError(f"status is unjudged, with the number {judged!r}")
    return status


def _object(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ProtocolError(f"the {name} is {type(value).__name__}, not an object")
    return value


def _text(body: Mapping[str, Any], key: str) -> str:
    value = body.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ProtocolError(f"{key} is {value!r}, not a string")
    return value


def _parts(body: Mapping[str, Any], reward: float | None) -> dict[str, float | None]:
    """The parts of a reward. The service says 0 for those of a sample without one: they are unknown, too."""
    found = {name: number(value, f"parts.{name}") for name, value in (body.get("parts") or {}).items()}
    if reward is None:
        return dict.fromkeys(found)
    for name, value in found.items():
        if value is None:
            raise ProtocolError(f"parts.{name} is null, with the reward {reward!r}")
    return found
