"""Vitrine from Python: ask its reward service for rewards, one or thousands at a time.

    from vitrine import SyncClient
    with SyncClient("http://127.0.0.1:7400") as vitrine:
        [result] = vitrine.score([{"output": "<!doctype html>…", "instruction": "a pricing page"}])
        print(result.reward)  # a number, or None where nothing could be judged

Each trainer has a module of its own: vitrine.verl, vitrine.trl, vitrine.openrlhf, vitrine.slime, vitrine.skyrl.
None of them imports its trainer, or torch, before it is used.
"""

from .answers import Fault, Job, Loop, Result, State, Step
from .client import Client, Session
from .errors import (
    Busy,
    Conflict,
    InvalidInput,
    NotFound,
    ProtocolError,
    Unauthorized,
    Unjudged,
    Unreachable,
    VitrineError,
)
from .settings import Settings
from .sync import SyncClient, SyncSession

__version__ = "0.1.0"

__all__ = [
    "Busy",
    "Client",
    "Conflict",
    "Fault",
    "InvalidInput",
    "Job",
    "Loop",
    "NotFound",
    "ProtocolError",
    "Result",
    "Session",
    "Settings",
    "State",
    "Step",
    "SyncClient",
    "SyncSession",
    "Unauthorized",
    "Unjudged",
    "Unreachable",
    "VitrineError",
]
