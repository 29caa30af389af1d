import { spawn } from "node:child_process";
import { createRawPeer, type Frame, type RawPeer } from "./raw-lines.js";

// A client as written in June 2026, with the draft of version 2 of those days and no library:
// `seed-client SCENE DIRECTORY FILE -- AGENT…`. It prints every frame that it receives, as a line of JSON, with the time
// of its answers among them: `{ "answered": … }`.

const [scene = "", cwd = "", file = "", _dashes, program = "", ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
const print = (frame: Frame) => void process.stdout.write(`${JSON.stringify(frame)}\n`);
const questions: ((outcome: Frame) => void)[] = [];
let asked = () => {};
const firstQuestion = new Promise<void>((resolve) => {
  asked = resolve;
});

const peer = createRawPeer(child.stdout, child.stdin, (frame) => {
  print(frame);
  if (frame.method === "session/update" || frame.method === "$/cancel_request") return undefined;
  if (frame.method !== "session/request_permission") throw { code: -32601, message: "Method not found" };
  if (scene !== "cancel") {
    const option = frame.params.options.find(({ kind }: Frame) => kind === "allow_once");
    return { outcome: { outcome: "selected", optionId: option.optionId } };
  }
  asked();
  return new Promise((resolve) => questions.push((outcome) => resolve({ outcome })));
});

async function call(method: string, params: object): Promise<Frame> {
  const { id: _, jsonrpc: __, ...answer } = await peer.request(method, params);
  print({ answered: method, ...answer });
  return answer.result ?? {};
}

/** The draft has a client answer all its open questions when it cancels. */
function cancel(to: RawPeer, sessionId: string): void {
  to.notify("session/cancel", { sessionId });
  for (const settle of questions) settle({ outcome: "cancelled" });
}

// No `info`: that came later.
await call("initialize", {
  protocolVersion: 2,
  clientInfo: { name: "seed-client", version: "0.6.0" },
  capabilities: {},
});
const { sessionId } = await call("session/new", { cwd, mcpServers: [] });
if (scene === "mode") await call("session/set_config_option", { sessionId, configId: "mode", value: "review" });
if (scene === "strays") {
  await call("session/prompt", { sessionId, prompt: [{ type: "audio", data: "", mimeType: "audio/wav" }] });
  await call("session/prompt", { sessionId: "nobody", prompt: [{ type: "text", text: "hello" }] });
  await call("session/load", { sessionId, cwd, mcpServers: [] });
  await call("auth/login", { methodId: "web" });
  await call("session/close", { sessionId });
} else {
  const turn = call("session/prompt", { sessionId, prompt: [{ type: "text", text: `Review ${file}` }] });
  if (scene === "cancel") {
    await firstQuestion;
    cancel(peer, sessionId);
  }
  await turn;
}
child.stdin.end();
