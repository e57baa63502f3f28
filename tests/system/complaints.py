"""What a browser complains about while a test looks elsewhere."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response, WebError

# Chromium and htmx repeat in the console what the response itself has said.
ECHOES = ("Failed to load resource", "Response Status Error Code")


class Complaints:
    """Errors in the console, exceptions, refused and failed requests. What a test does not expect fails it."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self._expected: list[str] = []

    def expect(self, *complaints: str) -> None:
        """Let these pass, and demand that they come: `404 /nowhere` for a response, else words from the console."""
        self._expected += complaints

    def listen(self, context: BrowserContext, *, scripts: bool = True) -> None:
        """Hear what every page of this browser complains about; one without `scripts` refuses to load any."""
        context.on("console", self._hear_console)
        context.on("weberror", self._hear_exception)
        context.on("response", self._hear_response)
        context.on("requestfailed", self._hear_failure if scripts else self._hear_failure_without_scripts)

    def leave(self, context: BrowserContext, *, scripts: bool = True) -> None:
        """Hear no more from this browser."""
        context.remove_listener("console", self._hear_console)
        context.remove_listener("weberror", self._hear_exception)
        context.remove_listener("response", self._hear_response)
        heard_failures = self._hear_failure if scripts else self._hear_failure_without_scripts
        context.remove_listener("requestfailed", heard_failures)

    def verify(self) -> None:
        """Fail unless the expected complaints came, and no others."""
        unexpected = [heard for heard in self.heard if not any(words in heard for words in self._expected)]
        assert not unexpected, f"the browser complains: {unexpected}"
        missed = [words for words in self._expected if not any(words in heard for heard in self.heard)]
        assert not missed, f"expected, but the browser did not complain: {missed}, only: {self.heard}"

    def _hear_console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(ECHOES):
            self.heard.append(f"console: {message.text}")

    def _hear_exception(self, error: WebError) -> None:
        self.heard.append(f"exception: {error.error}")

    def _hear_response(self, response: Response) -> None:
        if response.status >= 400:
            self.heard.append(f"{response.status} {urlsplit(response.url).path}")

    def _hear_failure(self, request: Request) -> None:
        # Leaving a page aborts what it was still loading; that is not a failure.
        if request.failure != "net::ERR_ABORTED":
            self.heard.append(f"{request.failure} {urlsplit(request.url).path}")

    def _hear_failure_without_scripts(self, request: Request) -> None:
        if request.failure != "csp" or not urlsplit(request.url).path.endswith(".js"):
            self._hear_failure(request)
