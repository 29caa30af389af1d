import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, connectWith, type Session } from "@turnkit/client";
import { openRemote } from "@turnkit/remote/client";
import { createRandom } from "@turnkit/testing";
import { WebSocket } from "ws";
import { only } from "../../kit/only.js";
import { createHttp2Fetch } from "../../remote/http2-fetch.js";
import { type Wire, wires } from "../cut-plan.js";
import { ServerProcess, UPDATES } from "./server-process.js";

/** Observations of one server that was killed during a prompt. */
export type Restart = {
  readonly seed: number;
  readonly wire: Wire;
  readonly dialect: "v1" | "v2";
  /** `true` if the prompt was killed before its end. */
  readonly isCut: boolean;
  /** Number of times that the prompt ran. */
  readonly runs: number;
  /** Number of times that it is in the restored conversation. */
  readonly inserted: number;
  readonly faults: readonly string[];
};

/** Longest time between a prompt and the kill, in milliseconds. */
const MOST_MS = 40;

const info = { name: "restart", version: "1.0.0" };
const place = { cwd: "/srv" };

/** Kills a server during a prompt, starts it again on its port, and restores the session. */
export async function restart(seed: number): Promise<Restart> {
  const random = createRandom(seed);
  const wire = wires[seed % wires.length] as Wire;
  const dialect = Math.floor(seed / wires.length) % 2 === 0 ? "v2" : "v1";
  const folder = await mkdtemp(join(tmpdir(), "turnkit-restart-"));
  const ledger = join(folder, "ledger.txt");
  await writeFile(ledger, "");
  const server = new ServerProcess({ folder: join(folder, "sessions"), ledger });
  const http2 = createHttp2Fetch();
  const clients: Client[] = [];
  const open = async () => {
    const url = `${wire === "websocket" ? "ws" : "http"}://127.0.0.1:${server.port}/acp`;
    const channel = await openRemote(url, {
      reconnect: { attempts: 100, firstDelayMs: 10, longestDelayMs: 50 },
      webSocket: (address, { headers, protocols }) => new WebSocket(address, [...protocols], { headers }),
      ...(wire === "http/2" && { fetch: http2.fetch }),
    });
    const client = await connectWith(only(dialect), channel, { info });
    clients.push(client);
    return client;
  };
  try {
    await server.start();
    const client = await open();
    const session = await client.newSession(place);
    await session.prompt("first").ended;
    const before = transcriptOf(session);
    const key = `key-${seed}`;
    const turn = session.prompt("second", dialect === "v2" ? { idempotencyKey: key } : {});
    const ended = turn.ended.then(
      () => false,
      () => true,
    );
    await new Promise((resolve) => setTimeout(resolve, random.below(MOST_MS)));
    await server.kill();
    await server.start();
    const isCut = await ended;
    const again = await restored(await open(), session.id);
    // The caller does not know whether the agent has the prompt. In version 2 it sends it again with its key.
    if (dialect === "v2" && isCut) await again.prompt("second", { idempotencyKey: key }).ended;
    const after = transcriptOf(again);
    await clients.at(-1)?.close();
    const fresh = transcriptOf(await restored(await open(), session.id));
    return {
      seed,
      wire,
      dialect,
      isCut,
      ...countsOf(after, ledger),
      faults: faultsOf({ before, after, fresh, dialect, isCut, ledger }),
    };
  } finally {
    for (const client of clients) void client.close();
    http2.close();
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Restores a session. The agent of a lost connection may hold it for a moment. */
async function restored(client: Client, id: string): Promise<Session> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await client.restore(id, place);
    if (outcome.status !== "unavailable") return outcome.session;
    if (attempt === 100) throw outcome.error;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

type Line = readonly [role: string, text: string];

function transcriptOf({ state }: Session): readonly Line[] {
  return [...state.timeline].flatMap((entry): readonly Line[] =>
    entry.type === "message"
      ? [[entry.role, [...entry.content].map((block) => (block.type === "text" ? block.text : "")).join("")]]
      : [],
  );
}

const runsOf = (ledger: string) =>
  readFileSync(ledger, "utf8")
    .split("\n")
    .filter((line) => line === "second").length;

const insertedIn = (lines: readonly Line[]) =>
  lines.filter(([role, text]) => role === "user" && text === "second").length;

const countsOf = (after: readonly Line[], ledger: string) => ({ runs: runsOf(ledger), inserted: insertedIn(after) });

type Outcome = {
  readonly before: readonly Line[];
  readonly after: readonly Line[];
  readonly fresh: readonly Line[];
  readonly dialect: "v1" | "v2";
  readonly isCut: boolean;
  readonly ledger: string;
};

function faultsOf({ before, after, fresh, dialect, isCut, ledger }: Outcome): readonly string[] {
  const faults: string[] = [];
  const same = (one: readonly Line[], other: readonly Line[]) => JSON.stringify(one) === JSON.stringify(other);
  if (!same(after.slice(0, before.length), before)) faults.push("the first turn is not as it was");
  if (!same(after, fresh)) faults.push(`a second restore differs: ${JSON.stringify({ after, fresh })}`);
  const inserted = insertedIn(after);
  if (inserted > 1 || (dialect === "v2" && inserted !== 1)) faults.push(`the prompt is there ${inserted} times`);
  const runs = runsOf(ledger);
  if (runs > 1) faults.push(`the prompt ran ${runs} times`);
  const pieces = Array.from({ length: UPDATES }, (_, piece) => `second:${piece} `).join("");
  const [, answer = ""] = after.findLast(([role, text]) => role === "agent" && text.startsWith("second")) ?? [];
  if (!pieces.startsWith(answer)) faults.push(`the answer has a gap: ${answer}`);
  if (!isCut && answer !== pieces) faults.push(`the answer of an ended turn is "${answer}"`);
  return faults;
}
