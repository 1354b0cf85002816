"""Firefox as Debian ships it (firefox-esr), driven by Playwright.

Playwright's own Firefox must be downloaded, but `channel="moz-firefox"` drives an ordinary one by WebDriver BiDi, the
protocol that every Firefox speaks. The present Playwright sends commands that an extended-support Firefox does not know
yet, and gives up at the first error. So it starts this file instead of Firefox. The file starts Firefox, passes all
messages on, and answers "done" where Firefox does not know a command of the module `emulation`. What these commands
would set (dark colours, less motion) is in the preferences with which Firefox is started.
"""

import asyncio
import contextlib
import json
import shutil
import sys
from pathlib import Path

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
LISTENING = "WebDriver BiDi listening on "
PREFERENCES = {
    "browser.shell.checkDefaultBrowser": False,
    "ui.prefersReducedMotion": 1,
}


def launch(playwright, folder: Path, dark: bool = False):
    """A browser of Playwright that is Firefox. The folder is for the program that Playwright starts.

    dark: pages get prefers-color-scheme: dark. It holds for the whole browser, not for a context.
    """
    program = folder / "firefox"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return playwright.firefox.launch(
        channel="moz-firefox",
        executable_path=program,
        firefox_user_prefs=PREFERENCES | {"layout.css.prefers-color-scheme.content-override": 0 if dark else 1},
    )


async def pass_on(playwright, firefox_address: str) -> None:
    """All messages between one connection of Playwright and Firefox."""
    from websockets.asyncio.client import connect

    address = firefox_address + playwright.request.path
    optional = set()  # ids of commands that only set something up

    async with connect(address, max_size=None, proxy=None) as firefox:

        async def ask():
            async for text in playwright:
                command = json.loads(text)
                if command["method"].startswith("emulation."):
                    optional.add(command["id"])
                await firefox.send(text)

        async def answer():
            async for text in firefox:
                message = json.loads(text)
                if message.get("id") in optional and message.get("error") == "unknown command":
                    text = json.dumps({"type": "success", "id": message["id"], "result": {}})
                await playwright.send(text)

        ways = [asyncio.create_task(ask()), asyncio.create_task(answer())]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()


async def run(arguments: list[str]) -> int:
    """Firefox until it ends, behind an address of our own, which is told as Firefox tells its own."""
    from websockets.asyncio.server import serve

    firefox = await asyncio.create_subprocess_exec(FIREFOX, *arguments, stderr=asyncio.subprocess.PIPE)
    with contextlib.suppress(ProcessLookupError):
        async for line in firefox.stderr:
            text = line.decode(errors="replace")
            if LISTENING not in text:
                sys.stderr.write(text)
                continue
            address = text.split(LISTENING)[1].strip()
            server = await serve(lambda client, to=address: pass_on(client, to), "127.0.0.1", 0, max_size=None)
            port = server.sockets[0].getsockname()[1]
            print(f"{LISTENING}ws://127.0.0.1:{port}", file=sys.stderr, flush=True)
    return await firefox.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(run(sys.argv[1:])))
