// A server on the official SDK for TypeScript, over standard input and output, or with `--listen` over HTTP on a free port.

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

import * as z from "zod";

import * as sdk from "./sdk.mjs";

const counts = { cancelled: 0, resumed: 0 };
// Whoever listens without a session is told by the handler of all requests.
let handler;

const text = (words) => ({ content: [{ type: "text", text: String(words) }] });
const failed = (error) => ({ ...text(JSON.stringify(error)), isError: true });
const colour = { type: "object", properties: { colour: { type: "string", description: "A colour" } }, required: ["colour"] };

// Waits after each: what comes together with the answer is taken by this SDK's client for a call that is over.
async function progress(ctx, step, total, message) {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  await ctx.mcpReq.notify({
    method: "notifications/progress", params: { progressToken, progress: step, total, message },
  });
  await sleep(50);
}

function make({ era }) {
  const stateless = era === "modern";
  const info = { name: "clients", version: "1.0.0" };
  const instructions = "Answers, fails, asks and waits.";
  const server = sdk.server(info, { capabilities: { logging: {}, tools: { listChanged: true } }, instructions });
  const tool = (name, description, shape, run) =>
    sdk.register(server, name, { description, inputSchema: z.strictObject(shape) }, run);

  tool("answer", "Gives the text back, after so many seconds.", {
    text: z.string().describe("What comes back"), after: z.number().default(0).describe("Seconds"),
  }, async (given) => {
    await sleep(given.after * 1000);
    return text(given.text);
  });

  tool("fail", "Fails, since no key is known here.", { key: z.string().describe("A key, such as k1") }, ({ key }) =>
    failed({ code: "NOT_FOUND", what: `no entry has the key ${key}`, next: "call answer instead" }));

  tool("steps", "Tells of so many steps while it takes them: of each by its progress and by a line of the log.", {
    count: z.int().min(1).max(20).describe("How many"),
  }, async ({ count }, ctx) => {
    for (let step = 1; step <= count; step += 1) {
      await progress(ctx, step, count, `step ${step}`);
      await ctx.mcpReq.log("info", `took step ${step}`);
    }
    return text(`${count} steps`);
  });

  tool("ask", "Asks the person at the client, and gives their answer back.", {
    question: z.string().describe("What is asked"),
  }, async ({ question }, ctx) => {
    let given;
    if (!stateless) {
      given = await ctx.mcpReq.elicitInput({ message: question, requestedSchema: colour });
    } else if (ctx.mcpReq.inputResponses === undefined) {
      return sdk.asking({ message: question, requestedSchema: colour }, "asked once");
    } else {
      given = ctx.mcpReq.inputResponses.colour;
    }
    return text(`${given.action}: ${given.content?.colour}, ${ctx.mcpReq.requestState?.()}`);
  });

  tool("slow", "Says that it began, and waits.", {
    seconds: z.number().min(0).max(60).describe("How long"),
  }, async ({ seconds }, ctx) => {
    await progress(ctx, 0, 1, "began");
    try {
      await sleep(seconds * 1000, undefined, { signal: ctx.mcpReq.signal });
    } catch (error) {
      counts.cancelled += 1;
      throw error;
    }
    return text("done");
  });

  tool("counted", "Says how many calls to slow were taken back, or how many streams were taken up again.", {
    what: z.enum(["cancelled", "resumed"]).describe("What is counted"),
  }, ({ what }) => text(counts[what]));

  tool("change", "Says to whoever listens that the list of tools is another.", {}, async () => {
    if (stateless && handler) handler.notify.toolsChanged();
    else await server.server.sendToolListChanged();
    return text("told");
  });

  tool("interrupted", "Ends the stream of its answer in the middle where that can be taken up again, and goes on.", {},
    async (_, ctx) => {
      await progress(ctx, 1, 2, "before");
      ctx.http?.closeSSE?.();
      await sleep(200);
      await progress(ctx, 2, 2, "after");
      return text("whole");
    });
  return server;
}

// What was sent, by its number, so that streams can be taken up again.
class Events {
  sent = [];

  async storeEvent(stream, message) {
    return String(this.sent.push({ stream, message }));
  }

  async getStreamIdForEventId(id) {
    return this.sent[Number(id) - 1]?.stream;
  }

  async replayEventsAfter(id, { send }) {
    counts.resumed += 1;
    const { stream } = this.sent[Number(id) - 1];
    for (const [at, event] of this.sent.entries()) {
      const isOne = at >= Number(id) && event.stream === stream && Object.keys(event.message).length > 0;
      if (isOne) await send(String(at + 1), event.message);
    }
    return stream;
  }
}

const sessions = new Map();

async function withSession(request, response, body) {
  const known = sessions.get(request.headers["mcp-session-id"]);
  if (known) return known.handleRequest(request, response, body);
  if (request.headers["mcp-session-id"]) return response.writeHead(404).end();
  const transport = new sdk.SessionTransport({
    sessionIdGenerator: randomUUID, eventStore: new Events(), retryInterval: 50,
    onsessioninitialized: (id) => sessions.set(id, transport),
    onsessionclosed: (id) => sessions.delete(id),
  });
  await make({ era: "legacy" }).connect(transport);
  return transport.handleRequest(request, response, body);
}

async function serve(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks)) : undefined;
  return await sdk.answersStateless(handler, request, response, body) || withSession(request, response, body);
}

if (process.argv.includes("--listen")) {
  handler = sdk.statelessHandler(make);
  const door = createServer((request, response) => serve(request, response).catch((error) => {
    console.error(error);
    response.destroy();
  }));
  door.listen(0, "127.0.0.1", () => console.error(`http://127.0.0.1:${door.address().port}/mcp`));
} else {
  sdk.serveStdio(make);
  process.on("exit", () => console.error("ended by itself"));
}
