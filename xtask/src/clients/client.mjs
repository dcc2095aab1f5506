// A client on the official SDK for TypeScript. Prints whatever it sees, a JSON object a line; its arguments are those of client.py.

import { setTimeout as sleep } from "node:timers/promises";

import * as sdk from "./sdk.mjs";

const [life, server, part, ...to] = process.argv.slice(2);
const isStateless = life === "stateless";
const isOverHttp = to[0].startsWith("http://");
const AT_ONCE = 16;
const PATIENCE = 15_000;

let at = "connect";
const begin = (step) => { at = step; };
const tell = (saw, what = {}) => console.log(JSON.stringify({ at, saw, ...what }));
const onprogress = ({ progress, total, message }) => tell("progress", { progress, total, message });

// Makes a call and gives its answer.
async function asked(name, args, options = {}) {
  const _meta = isStateless ? { "io.modelcontextprotocol/logLevel": "info" } : {};
  try {
    const result = await client.callTool({ name, arguments: args, _meta }, { timeout: PATIENCE, ...options });
    delete result._meta;
    return { result };
  } catch (error) {
    if (options.signal?.aborted) return { takenBack: error.message };
    const told = sdk.errorOf(error);
    if (told) return { error: told };
    return { "refused by the client": `${error.name}: ${error.code}: ${error.message}` };
  }
}

async function call(name, args, options) {
  tell("call", { name, arguments: args });
  const answer = await asked(name, args, options);
  tell(answer.takenBack === undefined ? "answer" : "taken back", { name, ...answer });
}

// Makes calls at once, and tells of their answers in the order of the calls.
async function atOnce(calls) {
  const answers = await Promise.all(calls.map(([name, args]) => asked(name, args)));
  for (const [number, [name, args]] of calls.entries()) {
    tell("call", { name, arguments: args });
    tell("answer", { name, ...answers[number] });
  }
}

// Takes a call back once it has begun, and waits until the server knows.
async function takeBack() {
  const back = new AbortController();
  await call("slow", { seconds: 30 }, {
    signal: back.signal,
    onprogress: (step) => { onprogress(step); back.abort("not wanted any more"); },
  });
  await untilCounted("cancelled");
  tell("known to the server");
}

// What the server had counted when it was asked first.
const before = {};

const counted = async (what) => Number((await asked("counted", { what })).result.content[0].text);

// Waits until the server knows of one more than before.
async function untilCounted(what) {
  const deadline = Date.now() + PATIENCE;
  while (await counted(what) <= before[what]) {
    if (Date.now() > deadline) throw new Error(`nothing was ${what}`);
    await sleep(20);
  }
}

// It may come on another stream than the answer, and then before or after it.
let told;
const change = new Promise((resolve) => { told = resolve; });

async function hearOfChange() {
  const heard = isStateless ? await client.listen({ toolsListChanged: true }) : undefined;
  if (heard) tell("listening", { honoured: heard.honoredFilter });
  await call("change", {});
  const notice = await Promise.race([change, sleep(PATIENCE, { method: "none" }, { ref: false })]);
  tell("notification", { method: notice.method });
  if (!heard) return;
  await heard.close();
  tell("listening no more", { because: await heard.closed });
}

async function own() {
  before.cancelled = await counted("cancelled");
  begin("answer");
  await call("answer", { text: 'Grüße, 世界 🙂\n\u2028"quoted"' });
  begin("large answer");
  await call("answer", { text: "0123456789abcdef".repeat(12_000) });
  begin("failure");
  await call("fail", { key: "k1" });
  begin("wrong arguments");
  await call("steps", { count: "many" });
  begin("unknown tool");
  await call("nothing", {});
  begin("progress");
  await call("steps", { count: 5 }, { onprogress });
  begin("question");
  await call("ask", { question: "Which colour?" });
  begin("change");
  await hearOfChange();
  begin("interrupted");
  await call("interrupted", {}, { onprogress });
  if (await counted("resumed")) tell("resumed");
  begin("at once");
  const numbers = [...Array(AT_ONCE).keys()];
  await atOnce(numbers.map((n) => ["answer", { text: `no ${n}`, after: (AT_ONCE - n) / 100 }]));
  begin("take back");
  await takeBack();
  begin("after that");
  await call("answer", { text: "still here" });
}

async function ledger() {
  begin("categories");
  await call("list_categories", {});
  begin("a page");
  await call("query_transactions", { category: "Dining", limit: 3 });
  begin("failure");
  await call("inspect_csv", { file_key: "no such upload" });
  begin("wrong arguments");
  await call("query_transactions", { limit: "many" });
  begin("unknown tool");
  await call("nothing", {});
  begin("at once");
  await atOnce([...Array(AT_ONCE).keys()].map((n) => ["query_transactions", { limit: 1 + n }]));
}

function gone() {
  tell("gone");
  process.exit(0);
}

// Goes away without a word: in the middle of a call, or with the ledger, where none is slow, after one.
async function leave() {
  begin("leave");
  if (server === "own") await call("slow", { seconds: 30 }, { onprogress: gone });
  else await call("list_categories", {});
  gone();
}

// What the server says to whoever uses the session that was ended.
async function afterItsEnd(session) {
  if (session === undefined) return "there was no session";
  const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25", accept: "text/event-stream" };
  const answer = await fetch(to[0], { headers });
  await answer.body?.cancel();
  return answer.status;
}

const client = sdk.client({ name: "clients", version: "1.0.0" }, isStateless, {
  onquestion: ({ params }) => {
    tell("question", { message: params.message, schema: params.requestedSchema });
    return { action: "accept", content: { colour: "blue" } };
  },
  onlog: ({ params }) => tell("log", { level: params.level, data: params.data }),
  onchange: told,
});
client.onerror = (error) => tell("noise", { error: error.message });

const transport = sdk.transport(to);
let errors = "";
transport.stderr?.on("data", (chunk) => { errors += chunk; });
await client.connect(transport);
const revision = sdk.revision(client);
tell("connected", {
  revision, server: client.getServerVersion(),
  capabilities: client.getServerCapabilities(), instructions: client.getInstructions(),
});
if (isStateless !== (revision === "2026-07-28")) {
  tell("not spoken by the server");
} else {
  begin("list");
  const { tools, nextCursor } = await client.listTools();
  tell("tools", { tools, cursor: nextCursor });
  await { all: server === "own" ? own : ledger, leave }[part]();
  begin("close");
}
// What it says of streams that it closes itself comes at any time.
client.onerror = undefined;
const session = transport.sessionId;
if (session !== undefined) await transport.terminateSession();
await client.close();
tell("closed");
if (isOverHttp) tell("session after its end", { status: await afterItsEnd(session) });
for (const line of errors.split("\n").filter(Boolean)) tell("standard error", { line });
