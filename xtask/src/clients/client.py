"""A client on the official SDK for Python. Prints whatever it sees, a JSON object a line.

client.py LIFE SERVER PART URL            over HTTP
client.py LIFE SERVER PART COMMAND…       over standard input and output

LIFE is `handshake` or `stateless`; SERVER is `own` or `ledger`; PART is `all`, or `leave`: goes away in the middle of a call.
"""

import asyncio
import json
import os
import sys
import tempfile
import urllib.error
import urllib.request

from pydantic import ValidationError

import sdk
from sdk import MCPError, types

LIFE, SERVER, PART, *TO = sys.argv[1:]
STATELESS = LIFE == "stateless"
OVER_HTTP = TO[0].startswith("http://")
AT_ONCE = 16
PATIENCE = 15
at = "connect"
# What the server had counted when it was asked first.
before = {}


def tell(saw, **what):
    print(json.dumps({"at": at, "saw": saw, **what}, ensure_ascii=False), flush=True)


def plain(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def begin(step):
    global at
    at = step


async def on_progress(progress, total, message):
    tell("progress", progress=progress, total=total, message=message)


async def on_log(params):
    tell("log", level=params.level, data=params.data)


async def on_message(message):
    method = sdk.method_of(message)
    if isinstance(message, Exception):
        tell("noise", error=str(message))
    elif method == "notifications/tools/list_changed":
        # It may come on another stream than the answer, and then before or after it.
        told.set()
    elif method and method not in ("notifications/progress", "notifications/message"):
        tell("notification", method=method)


async def on_question(context, params):
    tell("question", message=params.message, schema=sdk.schema_of(params))
    return types.ElicitResult(action="accept", content={"colour": "blue"})


async def call(client, name, arguments, **more):
    """Makes a call and tells of its answer; `quiet` gives it back instead."""
    quiet = more.pop("quiet", False)
    if not quiet:
        tell("call", name=name, arguments=arguments)
    try:
        result = plain(await asyncio.wait_for(client.call_tool(name, arguments, **more), PATIENCE))
        result.pop("_meta", None)
        answer = {"result": result}
    except MCPError as error:
        answer = {"error": {"code": error.error.code, "message": error.error.message}}
    except ValidationError as error:
        why = [".".join(map(str, each["loc"])) + ": " + each["msg"] for each in error.errors()]
        answer = {"refused by the client": "; ".join(why)}
    if not quiet:
        tell("answer", name=name, **answer)
    return answer


async def at_once(client, calls):
    """Makes calls at once, and tells of their answers in the order of the calls."""
    answers = await asyncio.gather(*(call(client, *each, quiet=True) for each in calls))
    for (name, arguments), answer in zip(calls, answers):
        tell("call", name=name, arguments=arguments)
        tell("answer", name=name, **answer)


async def take_back(client):
    """Takes a call back once it has begun, and waits until the server knows."""
    began = asyncio.Event()

    async def on_begin(progress, total, message):
        tell("progress", progress=progress, total=total, message=message)
        began.set()

    arguments = {"seconds": 30}
    tell("call", name="slow", arguments=arguments)
    task = asyncio.create_task(client.call_tool("slow", arguments, progress_callback=on_begin))
    await asyncio.wait_for(began.wait(), PATIENCE)
    await sdk.take_back(client, task)
    try:
        tell("answer", name="slow", result=plain(await task))
    except asyncio.CancelledError:
        tell("taken back", name="slow")
    await until_counted(client, "cancelled")
    tell("known to the server")


async def counted(client, what):
    answer = await call(client, "counted", {"what": what}, quiet=True)
    return int(answer["result"]["content"][0]["text"])


async def until_counted(client, what):
    """Waits until the server knows of one more than before."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while await counted(client, what) <= before[what]:
        if asyncio.get_running_loop().time() > deadline:
            raise TimeoutError(f"nothing was {what}")
        await asyncio.sleep(0.02)


async def hear_of_change(client):
    if STATELESS:
        async with client.listen(tools_list_changed=True) as heard:
            tell("listening", honoured=plain(heard.honored))
            await call(client, "change", {})
            async for event in heard:
                tell("event", kind=type(event).__name__)
                break
    else:
        await call(client, "change", {})
    await asyncio.wait_for(told.wait(), PATIENCE)
    tell("notification", method="notifications/tools/list_changed")


async def own(client):
    before["cancelled"] = await counted(client, "cancelled")
    begin("answer")
    await call(client, "answer", {"text": "Grüße, 世界 🙂\n\u2028\"quoted\""})
    begin("large answer")
    await call(client, "answer", {"text": "0123456789abcdef" * 12_000})
    begin("failure")
    await call(client, "fail", {"key": "k1"})
    begin("wrong arguments")
    await call(client, "steps", {"count": "many"})
    begin("unknown tool")
    await call(client, "nothing", {})
    begin("progress")
    await call(client, "steps", {"count": 5}, progress_callback=on_progress)
    begin("question")
    await call(client, "ask", {"question": "Which colour?"})
    begin("change")
    await hear_of_change(client)
    begin("interrupted")
    await call(client, "interrupted", {}, progress_callback=on_progress)
    if await counted(client, "resumed"):
        tell("resumed")
    begin("at once")
    later = lambda number: round((AT_ONCE - number) * 0.01, 2)
    await at_once(client, [("answer", {"text": f"no {n}", "after": later(n)}) for n in range(AT_ONCE)])
    begin("take back")
    await take_back(client)
    begin("after that")
    await call(client, "answer", {"text": "still here"})


async def ledger(client):
    begin("categories")
    await call(client, "list_categories", {})
    begin("a page")
    await call(client, "query_transactions", {"category": "Dining", "limit": 3})
    begin("failure")
    await call(client, "inspect_csv", {"file_key": "no such upload"})
    begin("wrong arguments")
    await call(client, "query_transactions", {"limit": "many"})
    begin("unknown tool")
    await call(client, "nothing", {})
    begin("at once")
    await at_once(client, [("query_transactions", {"limit": 1 + n}) for n in range(AT_ONCE)])


async def leave(client):
    """Goes away without a word: in the middle of a call, or with the ledger, where none is slow, after one."""
    begin("leave")

    async def on_begin(progress, total, message):
        gone()

    if SERVER == "own":
        tell("call", name="slow", arguments={"seconds": 30})
        await client.call_tool("slow", {"seconds": 30}, progress_callback=on_begin)
    else:
        await call(client, "list_categories", {})
    gone()


def gone():
    tell("gone")
    os._exit(0)


def ask_for_ended_session():
    """What the server says to whoever uses the session that was ended."""
    if sdk.session() is None:
        return "there was no session"
    headers = {
        "mcp-session-id": sdk.session(), "mcp-protocol-version": "2025-11-25", "accept": "text/event-stream",
    }
    try:
        with urllib.request.urlopen(urllib.request.Request(TO[0], headers=headers), timeout=PATIENCE) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


async def main():
    global told
    told = asyncio.Event()
    errors = tempfile.TemporaryFile("w+")
    client = sdk.connect(
        TO, errors, STATELESS, elicitation_callback=on_question, logging_callback=on_log, message_handler=on_message,
        client_info=types.Implementation(name="clients", version="1.0.0"),
    )
    async with client:
        tell("connected", revision=client.protocol_version, server=plain(client.server_info),
             capabilities=plain(client.server_capabilities), instructions=client.instructions)
        if STATELESS != (client.protocol_version == sdk.STATELESS):
            tell("not spoken by the server")
            return
        begin("list")
        listed = await client.list_tools()
        tell("tools", tools=[plain(tool) for tool in listed.tools], cursor=listed.next_cursor)
        await {"all": own if SERVER == "own" else ledger, "leave": leave}[PART](client)
        begin("close")
    tell("closed")
    if OVER_HTTP:
        tell("session after its end", status=ask_for_ended_session())
    errors.seek(0)
    for line in errors.read().splitlines():
        tell("standard error", line=line)


asyncio.run(main())
