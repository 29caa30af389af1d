import {
  allowOnce,
  type Client,
  connectWith,
  createElicitations,
  createFileHandlers,
  createTerminalHandlers,
  type TerminalHost,
} from "@turnkit/client";
import type { DialectName } from "@turnkit/session";
import { only } from "../kit/only.js";
import type { Target } from "./fuzz.js";
import { framesToClient, target } from "./hostile-frames.js";
import { type Frame, RawPipe } from "./raw-pipe.js";

const info = { name: "raw-agent", version: "1.0.0" };
const offered = { prompt: {}, mcp: { stdio: {} }, delete: {}, list: {}, resume: {}, close: {} };
const introductions: Readonly<Record<DialectName, object>> = {
  v1: { protocolVersion: 1, agentCapabilities: { loadSession: true }, agentInfo: info },
  v2: { protocolVersion: 2, info, capabilities: { session: offered } },
  seed: { protocolVersion: 2, agentInfo: info, capabilities: { session: offered } },
};

/** Our client, connected over a pipe to a raw agent of one dialect. */
export async function clientTarget(dialect: DialectName): Promise<Target> {
  const pipe = new RawPipe((call) => answer(pipe, dialect, call));
  let reported = 0;
  const client = await connectWith(only(dialect), pipe.channel, {
    info: { name: "target", version: "1.0.0" },
    permissions: allowOnce,
    elicitations: createElicitations({ form: () => ({ action: "decline" }), url: () => ({ action: "decline" }) }),
    files: createFileHandlers({ readTextFile: () => "text", writeTextFile: () => undefined }),
    terminals: createTerminalHandlers(terminals),
    extensions: { "_example/ping": (params) => ({ pong: params }) },
    limits: { stateBytes: 64 * 1024, terminalBytes: 16 * 1024 },
    onDiagnostic: () => {
      reported++;
    },
  });
  const session = await client.newSession({ cwd: "/srv/otter" });
  let count = 0;
  return {
    pipe,
    frames: framesToClient,
    reported: () => reported,
    async good() {
      count++;
      await askedWell(pipe, dialect, count);
      await asksWell(client, count);
      const { stopReason } = await session.prompt("hi").ended;
      if (stopReason !== "end_turn") throw new Error(`the turn ended as ${stopReason}`);
    },
    async close() {
      pipe.end();
      await client.closed;
    },
  };
}

/** The agent's next good question is answered with what the policy selects. */
async function askedWell(pipe: RawPipe, dialect: DialectName, count: number): Promise<void> {
  const options = [{ optionId: `yes-${count}`, name: "Yes", kind: "allow_once" }];
  const about =
    dialect === "v2"
      ? { title: "Run?", subject: { type: "command", command: "ls", cwd: "/srv/otter" } }
      : { toolCall: { toolCallId: "good", title: "Run?" } };
  const said = await pipe.request(`ask-${count}`, "session/request_permission", {
    sessionId: target,
    ...about,
    options,
  });
  if (said.result?.outcome?.optionId === `yes-${count}`) return;
  throw new Error(`session/request_permission was answered with ${JSON.stringify(said)}`);
}

/** The client's own next good question gets its answer. */
async function asksWell(client: Client, count: number): Promise<void> {
  const { echoed } = await client.request<{ echoed: number }>("_example/echo", { count });
  if (echoed !== count) throw new Error(`_example/echo came back as ${echoed}`);
}

function answer(pipe: RawPipe, dialect: DialectName, { id, method, params }: Frame): void {
  const update = (sessionUpdate: string, rest: object) =>
    pipe.send({ method: "session/update", params: { sessionId: target, update: { sessionUpdate, ...rest } } });
  if (id === undefined) return;
  if (method === "initialize") return pipe.send({ id, result: introductions[dialect] });
  if (method === "session/new") return pipe.send({ id, result: { sessionId: target } });
  if (method === "_example/echo") return pipe.send({ id, result: { echoed: params.count } });
  if (method !== "session/prompt") return pipe.send({ id, result: {} });
  if (dialect !== "v2") return pipe.send({ id, result: { stopReason: "end_turn" } });
  const messageId = `user-${id}`;
  update("user_message", { messageId, content: params.prompt });
  update("state_update", { state: "running", background: [] });
  pipe.send({ id, result: { messageId } });
  update("state_update", { state: "idle", stopReason: "end_turn", background: [] });
}

/** Terminals in which nothing runs. */
const terminals: TerminalHost = {
  create() {
    const exit = { exitCode: 0, signal: null };
    return {
      output: () => ({ output: "", truncated: false, exitStatus: exit }),
      exited: Promise.resolve(exit),
      kill: () => undefined,
      release: () => undefined,
      onData: () => () => undefined,
    };
  },
};
