// What client.mjs and server.mjs use of the official SDK for TypeScript, 2.x.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler, inputRequired, isLegacyRequest } from "@modelcontextprotocol/server";

export { serveStdio } from "@modelcontextprotocol/server/stdio";
export { NodeStreamableHTTPServerTransport as SessionTransport };

export function client(info, isStateless, { onquestion, onlog, onchange }) {
  const made = new Client(info, {
    capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: isStateless ? "auto" : "legacy" },
  });
  made.setRequestHandler("elicitation/create", onquestion);
  made.setNotificationHandler("notifications/message", onlog);
  made.setNotificationHandler("notifications/tools/list_changed", onchange);
  return made;
}

export const transport = (to) => to[0].startsWith("http://") ? new StreamableHTTPClientTransport(new URL(to[0]))
  : new StdioClientTransport({ command: to[0], args: to.slice(1), stderr: "pipe" });

export const revision = (connected) => connected.getNegotiatedProtocolVersion();

// What a server said, unless it was the client that did not take an answer.
export const errorOf = ({ name, code, message }) => name === "ProtocolError" ? { code, message } : undefined;

export const server = (info, options) => new McpServer(info, options);

export const register = (made, name, config, run) => made.registerTool(name, config, run);

export const asking = (question, requestState) =>
  inputRequired({ inputRequests: { colour: inputRequired.elicit(question) }, requestState });

export const statelessHandler = (make) => createMcpHandler(make, { legacy: "reject" });

// Answers a request without a session, and says whether it is one.
export async function answersStateless(handler, request, response, body) {
  if (await isLegacyRequest(await toWebRequest(request, body), body)) return false;
  await toNodeHandler(handler)(request, response, body);
  return true;
}
