import { type Client, type ClientOptions, connect, type Session, type SessionEvent, type Turn } from "@turnkit/client";
import type { DialectName } from "@turnkit/session";
import { createRawPeer, type Frame, type RawPeer } from "@turnkit/testing";
import { createMemoryPair } from "@turnkit/transport/channels";
import { hold, type Schedule } from "./schedule.js";

const info = { name: "raw-agent", version: "1" };
const offered = { prompt: {}, mcp: { stdio: {} }, load: {}, resume: {}, close: {}, list: {}, delete: {} };

/** Introduction of an agent of each dialect that can do everything. */
const introductions: Readonly<Record<DialectName, object>> = {
  v1: {
    protocolVersion: 1,
    agentInfo: info,
    agentCapabilities: { loadSession: true, sessionCapabilities: { close: {}, resume: {} } },
  },
  v2: { protocolVersion: 2, info, capabilities: { session: offered } },
  seed: { protocolVersion: 2, agentInfo: info, capabilities: { session: offered } },
};

export const sessionId = "s-1";

/** Our client, spoken to in raw frames. */
export type ClientStage = {
  readonly dialect: DialectName;
  readonly client: Client;
  readonly peer: RawPeer;
  /** Calls of a method so far. */
  calls(method: string): readonly Frame[];
  /** Tells an update of a session. */
  update(update: object, of?: string): void;
  say(text: string, of?: string): void;
  /** Ends work as the dialect has it. */
  finish(prompt: Frame, how: string): void;
};

export type StageOptions = Partial<ClientOptions> & {
  /** At random unless given. */
  readonly speak?: DialectName;
  /** Introduction of the agent; it can do everything unless given. */
  readonly introduction?: object;
};

/** Connects a client to an agent that does nothing by itself. */
async function stageClient(
  schedule: Schedule,
  { speak, introduction, ...options }: StageOptions = {},
): Promise<ClientStage> {
  const dialect = speak ?? schedule.random.pick<DialectName>(["v1", "v2", "seed"]);
  const [channel, end] = createMemoryPair();
  const peer = createRawPeer(end, { patienceMs: Number.POSITIVE_INFINITY });
  const connecting = connect(channel, { info: { name: "racer", version: "1" }, ...options });
  peer.answer(await peer.call("initialize"), introduction ?? introductions[dialect]);
  const client = await connecting;
  const update = (update: object, of = sessionId) => void peer.notify("session/update", { sessionId: of, update });
  return {
    dialect,
    client,
    peer,
    calls: (method) => peer.received.filter((frame) => frame.method === method),
    update,
    say: (text, of) =>
      update({ sessionUpdate: "agent_message_chunk", messageId: "a-1", content: { type: "text", text } }, of),
    finish(prompt, how) {
      if (how === "error") peer.refuse(prompt, { code: -32603, message: "the model is gone" });
      else if (dialect !== "v2") peer.answer(prompt, { stopReason: how });
      else if (how === "withdrawn") peer.refuse(prompt, { code: -32800, message: "Request cancelled" });
    },
  };
}

/** {@link stageClient} with a session. */
export async function stageSession(
  schedule: Schedule,
  options: StageOptions,
  onEvent?: (event: SessionEvent) => void,
): Promise<ClientStage & { readonly session: Session }> {
  const stage = await stageClient(schedule, options);
  const opening = stage.client.newSession({ cwd: "/work" }, onEvent);
  stage.peer.answer(await stage.peer.call("session/new"), { sessionId });
  return { ...stage, session: await opening };
}

/** A turn as its user sees it: its end, and the loop over it, in the order in which they settle. */
export function watchTurn(schedule: Schedule, name: string, turn: Turn) {
  const seen = { loopDone: false, afterEnd: 0, ends: [] as string[] };
  const loop = (async () => {
    for await (const _ of turn) if (seen.ends.length > 0) seen.afterEnd++;
    seen.loopDone = true;
  })();
  const note = (end: string) => {
    seen.ends.push(end);
    hold(seen.loopDone, `the loop over ${name} ends before its end is told`);
  };
  const ended = turn.ended.then(
    ({ stopReason }) => note(stopReason ?? "nothing"),
    (error: { code?: unknown }) => note(String(error.code)),
  );
  void schedule.mustSettle(`the loop over ${name}`, loop);
  void schedule.mustSettle(`the end of ${name}`, ended);
  void schedule.mustSettle(`accepted of ${name}`, turn.accepted);
  return seen;
}
