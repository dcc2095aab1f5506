"""A server on the official SDK for Python, over standard input and output, or with `--listen` over HTTP on a free port."""

import asyncio
import json
import socket
import sys

import uvicorn
from pydantic import BaseModel, Field

import sdk
from sdk import Context, EventMessage, EventStore, ToolError

server = sdk.server("clients", "Answers, fails, asks and waits.")
counts = {"cancelled": 0, "resumed": 0}


class Colour(BaseModel):
    """What is asked of the person at the client."""

    colour: str = Field(description="A colour")


@server.tool()
async def answer(text: str = Field(description="What comes back"), after: float = 0.0) -> str:
    """Gives the text back, after so many seconds."""
    await asyncio.sleep(after)
    return text


@server.tool()
async def fail(key: str = Field(description="A key, such as k1")) -> str:
    """Fails, since no key is known here."""
    error = {"code": "NOT_FOUND", "what": f"no entry has the key {key}", "next": "call answer instead"}
    raise ToolError(json.dumps(error))


@server.tool()
async def steps(ctx: Context, count: int = Field(description="How many", ge=1, le=20)) -> str:
    """Tells of so many steps while it takes them: of each by its progress and by a line of the log."""
    for step in range(1, count + 1):
        await ctx.report_progress(step, count, f"step {step}")
        await ctx.info(f"took step {step}")
    return f"{count} steps"


@server.tool()
async def ask(ctx: Context, question: str = Field(description="What is asked")) -> sdk.Asked:
    """Asks the person at the client, and gives their answer back."""
    return await sdk.ask(ctx, question, Colour)


@server.tool()
async def slow(ctx: Context, seconds: float = Field(description="How long", ge=0, le=60)) -> str:
    """Says that it began, and waits."""
    await ctx.report_progress(0, 1, "began")
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        counts["cancelled"] += 1
        raise
    return "done"


@server.tool()
async def counted(what: str = Field(description="Either cancelled or resumed")) -> str:
    """Says how many calls to slow were taken back, or how many streams were taken up again."""
    return str(counts[what])


@server.tool()
async def change(ctx: Context) -> str:
    """Says to whoever listens that the list of tools is another."""
    await sdk.tell_of_change(ctx)
    return "told"


@server.tool()
async def interrupted(ctx: Context) -> str:
    """Ends the stream of its answer in the middle where that can be taken up again, and goes on."""
    await ctx.report_progress(1, 2, "before")
    await ctx.close_sse_stream()
    await asyncio.sleep(0.2)
    await ctx.report_progress(2, 2, "after")
    return "whole"


class Events(EventStore):
    """What was sent, by its number, so that streams can be taken up again."""

    def __init__(self):
        self.sent = []

    async def store_event(self, stream_id, message):
        self.sent.append((stream_id, message))
        return str(len(self.sent))

    async def replay_events_after(self, last_event_id, send_callback):
        counts["resumed"] += 1
        last = int(last_event_id)
        stream = self.sent[last - 1][0]
        for number, (of, message) in enumerate(self.sent[last:], last + 1):
            if of == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


def listen():
    """Serves over HTTP until it is ended; the URL goes to standard error."""
    door = socket.socket()
    door.bind(("127.0.0.1", 0))
    config = uvicorn.Config(sdk.app_of(server, Events()), log_level="warning", timeout_graceful_shutdown=1)
    print(f"http://127.0.0.1:{door.getsockname()[1]}/mcp", file=sys.stderr, flush=True)
    uvicorn.Server(config).run(sockets=[door])


if "--listen" in sys.argv:
    listen()
else:
    server.run("stdio")
    print("ended by itself", file=sys.stderr, flush=True)
