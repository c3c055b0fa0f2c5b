"""What can go wrong, by who can mend it.

A bad website is not here: it is a Result with a low reward. Something that could not be judged is not here
either, until somebody asks for its number: then it is Unjudged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .answers import Fault


class VitrineError(Exception):
    """Base of all errors of this package.

    code is the service's stable word for the cause, fix says what to do, status is the HTTP status or 0."""

    def __init__(self, message: str, *, code: str = "", fix: str = "", status: int = 0) -> None:
        super().__init__(f"{message} ({fix})" if fix else message)
        self.code = code
        self.fix = fix
        self.status = status


class InvalidInput(VitrineError):
    """The request is wrong: a wrong type, an unknown recipe or task, too large. Asking again does not help."""


class Unauthorized(VitrineError):
    """The token is missing or wrong."""


class NotFound(VitrineError):
    """No such session, job, task or recipe, or it has expired."""


class Conflict(VitrineError):
    """The session already has another output for this turn."""


class Busy(VitrineError):
    """The service was full or draining until the deadline."""


class Unreachable(VitrineError):
    """No answer could be had until the deadline: refused, reset, timed out, or a broken proxy."""


class ProtocolError(VitrineError):
    """The answer is not what the contract promises, or the service failed within (5xx)."""


class Unjudged(VitrineError):
    """Somebody asked for the number of something that could not be judged. fault says why."""

    def __init__(self, message: str, fault: Fault | None = None) -> None:
        super().__init__(
            f"{message}: {fault.message}" if fault else message,
            code=fault.code if fault else "unjudged",
            fix=fault.fix if fault else "",
        )
        self.fault = fault


def of_status(status: int, problem: Any) -> VitrineError:
    """The error of an HTTP answer: status, and its RFC 9457 problem document if it had one."""
    document = problem if isinstance(problem, dict) else {}
    text = str(document.get("detail") or document.get("title") or f"the service answered HTTP {status}")
    kind = _BY_STATUS.get(status, InvalidInput if 400 <= status < 500 else ProtocolError)
    return kind(text, code=str(document.get("code") or ""), fix=str(document.get("fix") or ""), status=status)


_BY_STATUS: dict[int, type[VitrineError]] = {
    401: Unauthorized,
    403: Unauthorized,
    404: NotFound,
    409: Conflict,
    429: Busy,
    502: Unreachable,
    503: Busy,
    504: Unreachable,
}
