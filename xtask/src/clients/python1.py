"""What client.py and server.py use of the official SDK for Python, 1.x, which has no stateless life cycle."""

from contextlib import AsyncExitStack

from mcp import ClientSession, McpError as MCPError, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.fastmcp import Context, FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from mcp.server.streamable_http import EventMessage, EventStore

STATELESS = "2026-07-28"
# What a tool that asks back may return.
Asked = str
session_of = None


class Connected:
    """A session under the names of 2.x."""

    def __init__(self, transport, callbacks):
        self.transport, self.callbacks, self.stack = transport, callbacks, AsyncExitStack()
        hears = callbacks["message_handler"]

        async def on_message(message):
            # The answer to a call that was taken back, which may come early or late.
            if not str(message).startswith("Received response with an unknown request ID"):
                await hears(message)

        self.callbacks["message_handler"] = on_message

    async def __aenter__(self):
        global session_of
        streams = await self.stack.enter_async_context(self.transport)
        session_of = streams[2] if len(streams) > 2 else None
        self.session = await self.stack.enter_async_context(ClientSession(*streams[:2], **self.callbacks))
        begun = await self.session.initialize()
        self.protocol_version, self.server_info = begun.protocolVersion, begun.serverInfo
        self.server_capabilities, self.instructions = begun.capabilities, begun.instructions
        # The transport forgets it at its end.
        known = session_of() if session_of else None
        session_of = lambda: known
        return self

    async def __aexit__(self, *why):
        await self.stack.__aexit__(*why)

    async def list_tools(self):
        listed = await self.session.list_tools()
        listed.__dict__["next_cursor"] = listed.nextCursor
        return listed

    async def call_tool(self, name, arguments, progress_callback=None):
        return await self.session.call_tool(name, arguments, progress_callback=progress_callback)


def connect(to, errors, stateless, **callbacks):
    """A client for a URL or a command, which has to be entered."""
    if to[0].startswith("http://"):
        return Connected(streamable_http_client(to[0]), callbacks)
    return Connected(stdio_client(StdioServerParameters(command=to[0], args=to[1:]), errlog=errors), callbacks)


def session():
    return session_of()


def method_of(message):
    return getattr(getattr(message, "root", None), "method", None)


def schema_of(question):
    return question.requestedSchema


async def take_back(client, task):
    # This SDK only stops to wait; its last request is the one that is taken back.
    task.cancel()
    params = types.CancelledNotificationParams(requestId=client.session._request_id - 1, reason="not wanted any more")
    notification = types.CancelledNotification(params=params)
    await client.session.send_notification(types.ClientNotification(notification))


def server(name, instructions):
    return FastMCP(name, instructions=instructions, log_level="WARNING")


def app_of(served, events):
    served._event_store, served._retry_interval = events, 50
    return served.streamable_http_app()


async def tell_of_change(ctx):
    await ctx.session.send_tool_list_changed()


async def ask(ctx, question, schema):
    """The answer of the person at the client."""
    asked = await ctx.elicit(question, schema)
    return f"{asked.action}: {asked.data.colour}"
