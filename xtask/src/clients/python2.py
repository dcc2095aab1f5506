"""What client.py and server.py use of the official SDK for Python, 2.x."""

import mcp.client.streamable_http as http
import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.streamable_http import EventMessage, EventStore

STATELESS = "2026-07-28"
# What a tool that asks back may return.
Asked = str | types.InputRequiredResult


class Known(http.StreamableHTTPTransport):
    """Remembers the session's id, so that it can be asked for after its end."""

    session = None

    def _maybe_extract_session_id_from_response(self, response):
        super()._maybe_extract_session_id_from_response(response)
        Known.session = self.session_id


http.StreamableHTTPTransport = Known


def connect(to, errors, stateless, **callbacks):
    """A client for a URL or a command, which has to be entered."""
    over_http = to[0].startswith("http://")
    server = to[0] if over_http else stdio_client(StdioServerParameters(command=to[0], args=to[1:]), errlog=errors)
    return Client(server, mode="auto" if stateless else "legacy", log_level="info", **callbacks)


def session():
    return Known.session


def method_of(message):
    return getattr(message, "method", None)


def schema_of(question):
    return question.requested_schema


async def take_back(client, task):
    task.cancel()


def server(name, instructions):
    return MCPServer(name, version="1.0.0", instructions=instructions)


def app_of(served, events):
    return served.streamable_http_app(event_store=events, retry_interval=50)


async def tell_of_change(ctx):
    if ctx.protocol_version == STATELESS:
        await ctx.notify_tools_changed()
    else:
        await ctx.session.send_tool_list_changed()


async def ask(ctx, question, schema):
    """The answer of the person at the client, or what is returned to get it."""
    if ctx.protocol_version != STATELESS:
        asked = await ctx.elicit(question, schema)
        return f"{asked.action}: {asked.data.colour}"
    if not ctx.input_responses:
        params = types.ElicitRequestFormParams(message=question, requested_schema=schema.model_json_schema())
        requests = {"colour": types.ElicitRequest(params=params)}
        return types.InputRequiredResult(input_requests=requests, request_state="asked once")
    given = ctx.input_responses["colour"]
    return f"{given.action}: {given.content['colour']}, {ctx.request_state}"
