import { connectWith, v2Dialect } from "@turnkit/client";
import { createSessionTree, decodeV2, reduceTree } from "@turnkit/session";
import { createMemoryPair } from "@turnkit/transport/channels";
import type { Found, Measure } from "../scenario.js";
import { chunk, type Update } from "./conversation.js";

/** Sessions that get the chunks: one session, or a number of working child sessions by turns. */
export type Speakers = "idle session" | "session at work" | number;

type Message = { readonly sessionId: string; readonly update: Update };

const ROOT = "root";
const WARM_UPS = 8;

function messages(size: number, speakers: Speakers): readonly Message[] {
  const ids = Array.from({ length: typeof speakers === "number" ? speakers : 0 }, (_, index) => `child-${index}`);
  const started = (sessionId: string): Message => ({
    sessionId,
    update: { sessionUpdate: "state_update", state: "running", background: [] },
  });
  const opened = ids.flatMap((sessionId): Message[] => [
    { sessionId: ROOT, update: { sessionUpdate: "subagent_update", sessionId, title: sessionId } },
    started(sessionId),
  ]);
  if (speakers === "session at work") opened.push(started(ROOT));
  const spoken = Math.max(ids.length, 1);
  const said = Array.from({ length: size - opened.length }, (_, index): Message => {
    const own = Math.floor(index / spoken);
    const update = chunk(index, { messageId: `m${Math.floor(own / 50)}` });
    return { sessionId: ids[index % spoken] ?? ROOT, update };
  });
  return [...opened, ...said];
}

/** Measures a session tree with a state after every update, and a client with its states at the end. */
export function measureChildren(speakers: Speakers): Measure {
  return async (size) => {
    const all = messages(size, speakers);
    // Warm-up, as in a process that has run for a while. In a new process, collecting the garbage of many working
    // states costs more.
    for (let round = 0; round < WARM_UPS; round++) foldTree(all);
    global.gc?.();
    const started = performance.now();
    foldTree(all);
    const time = performance.now() - started;
    return { time, ...(await measureClient(all)) };
  };
}

function foldTree(all: readonly Message[]): void {
  let tree = createSessionTree(ROOT);
  for (const { sessionId, update } of all)
    for (const event of decodeV2(update)) tree = reduceTree(tree, [{ sessionId, event }]);
}

async function measureClient(all: readonly Message[]): Promise<Found> {
  const [here, there] = createMemoryPair();
  const answer = { protocolVersion: 2, info: { name: "bench", version: "1.0.0" }, capabilities: { session: {} } };
  const results: Readonly<Record<string, object>> = { initialize: answer, "session/new": { sessionId: ROOT } };
  there.start({
    message(message) {
      const { id, method } = message as { readonly id: number; readonly method: string };
      there.send({ jsonrpc: "2.0", id, result: results[method] });
    },
    invalidLine() {},
  });
  const client = await connectWith([v2Dialect], here, { info: { name: "bench", version: "1.0.0" } });
  const session = await client.newSession({ cwd: "/tmp" });
  const arrived = new Promise<void>((resolve) => {
    session.onEvent(({ type }) => (type === "session_info_update" ? resolve() : undefined));
  });
  global.gc?.();
  const started = performance.now();
  const end = { sessionId: ROOT, update: { sessionUpdate: "session_info_update", title: "The end" } };
  for (const params of [...all, end]) await there.send({ jsonrpc: "2.0", method: "session/update", params });
  await arrived;
  const spoken = session.children.length > 0 ? session.children : [session];
  if (spoken.some(({ state }) => state.timeline.length === 0)) throw new Error("A session lost its updates.");
  const time = performance.now() - started;
  await client.close();
  return { client: time };
}
