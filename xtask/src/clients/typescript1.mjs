// What client.mjs and server.mjs use of the official SDK for TypeScript, 1.x, which has no stateless life cycle.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  ElicitRequestSchema, ElicitResultSchema, LoggingMessageNotificationSchema, ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";

export { StreamableHTTPServerTransport as SessionTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

export function client(info, _isStateless, { onquestion, onlog, onchange }) {
  const made = new Client(info, { capabilities: { elicitation: { form: {} } } });
  made.setRequestHandler(ElicitRequestSchema, onquestion);
  made.setNotificationHandler(LoggingMessageNotificationSchema, onlog);
  made.setNotificationHandler(ToolListChangedNotificationSchema, onchange);
  // Under the names of 2.x.
  const { callTool } = made;
  made.callTool = (params, options) => callTool.call(made, params, undefined, options);
  return made;
}

let negotiated;

export function transport(to) {
  const made = to[0].startsWith("http://") ? new StreamableHTTPClientTransport(new URL(to[0]))
    : new StdioClientTransport({ command: to[0], args: to.slice(1), stderr: "pipe" });
  const { setProtocolVersion } = made;
  made.setProtocolVersion = (version) => {
    negotiated = version;
    setProtocolVersion?.call(made, version);
  };
  return made;
}

export const revision = () => negotiated;

// What a server said, unless it was the client that did not take an answer. This SDK puts the code before the words.
export function errorOf({ name, code, message }) {
  return name === "McpError" ? { code, message: message.replace(`MCP error ${code}: `, "") } : undefined;
}

export const server = (info, options) => new McpServer(info, options);

export const register = (made, name, config, run) => made.registerTool(name, config, (args, extra) => run(args, {
  mcpReq: {
    _meta: extra._meta, signal: extra.signal, notify: extra.sendNotification,
    log: (level, data) => extra.sendNotification({ method: "notifications/message", params: { level, data } }),
    elicitInput: (params) => extra.sendRequest({ method: "elicitation/create", params }, ElicitResultSchema),
  },
  http: { closeSSE: extra.closeSSEStream },
}));

export const statelessHandler = () => undefined;
export const answersStateless = () => false;
export const serveStdio = (make) => make({ era: "legacy" }).connect(new StdioServerTransport());
