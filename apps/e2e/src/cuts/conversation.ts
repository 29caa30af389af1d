import { createAgent } from "@turnkit/agent";
import { connectWith, type Session } from "@turnkit/client";
import { openRemote, type RemoteOptions } from "@turnkit/remote/client";
import { listen } from "@turnkit/remote/node";
import { createRemoteServer } from "@turnkit/remote/server";
import type { Channel } from "@turnkit/transport";
import { WebSocket } from "ws";
import { only } from "../kit/only.js";
import { certificate } from "../remote/certificate.js";
import { createHttp2Fetch } from "../remote/http2-fetch.js";
import { createHttpsFetch } from "../remote/https-fetch.js";
import type { CutClass, CutPlan } from "./cut-plan.js";
import { CuttingProxy } from "./cutting-proxy.js";

/** Prompts of each session, and updates of each prompt. */
const size = { sessions: 2, prompts: 3, updates: 12 };

/** Longest time of a conversation, in milliseconds. A silent network during the opening of a WebSocket costs 30 s. */
const BOUND_MS = 40_000;

/** Observations of one conversation. Each fault is one sentence. */
export type CutFinding = {
  readonly plan: CutPlan;
  readonly made: readonly CutClass[];
  /** Attempts to connect that a cut ended before `initialize` was answered. */
  readonly refused: number;
  readonly prompts: number;
  readonly updates: number;
  readonly ms: number;
  readonly faults: readonly string[];
};

/** Holds one conversation through a proxy that cuts, and compares what arrived with what was said. */
export async function converse(plan: CutPlan): Promise<CutFinding> {
  const ran = new Map<string, number>();
  const server = createRemoteServer({ agent: countingAgent(ran), keepAliveMs: 60, graceMs: 30_000 });
  const tls = plan.tls ? certificate() : undefined;
  const port = await listen(server, { path: "/acp", tls, limits: { closeMs: 50, pingMs: 150 } });
  const proxy = await CuttingProxy.start(port.port, plan.cuts);
  const wire = fetchOf(plan, tls?.cert);
  const started = performance.now();
  const faults: string[] = [];
  const result = { refused: 0, prompts: 0, updates: 0 };
  const url = `${plan.wire === "websocket" ? "ws" : "http"}${plan.tls ? "s" : ""}://127.0.0.1:${proxy.port}/acp`;
  const open = () =>
    openRemote(url, {
      reconnect: { attempts: 60, firstDelayMs: 2, longestDelayMs: 30, silenceMs: 350 },
      webSocket,
      ...(wire && { fetch: wire.fetch }),
    });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, BOUND_MS, new Error(`The conversation took more than ${BOUND_MS} ms.`));
  });
  try {
    await Promise.race([late, talk(plan, { open, proxy, faults, result })]);
  } catch (error) {
    faults.push((error as Error).message);
  }
  clearTimeout(timer);
  for (const [prompt, count] of ran) if (count !== 1) faults.push(`${prompt} ran ${count} times`);
  const ms = performance.now() - started;
  proxy.close();
  wire?.close();
  await port.close();
  return { plan, made: proxy.made, ms, faults, ...result };
}

/** Returns the `fetch` of a plan, or `undefined` for the one of the runtime. */
function fetchOf({ wire, tls }: CutPlan, ca: string | undefined) {
  if (wire === "http/2") return createHttp2Fetch(ca);
  return wire === "http/1.1" && tls && ca !== undefined ? createHttpsFetch(ca) : undefined;
}

const webSocket: RemoteOptions["webSocket"] = (url, { headers, protocols }) =>
  new WebSocket(url, [...protocols], { headers, ca: certificate().cert });

/** An agent that counts its prompts, and answers each with numbered pieces. */
function countingAgent(ran: Map<string, number>) {
  return createAgent({
    info: { name: "counting", version: "1.0.0" },
    newSession() {},
    async prompt(turn) {
      const [block] = turn.prompt;
      const text = block?.type === "text" ? block.text : "";
      ran.set(text, (ran.get(text) ?? 0) + 1);
      for (let piece = 0; piece < size.updates; piece += 1) {
        await turn.say(`${text}:${piece} `);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  });
}

type Talk = {
  readonly open: () => Promise<Channel>;
  readonly proxy: CuttingProxy;
  readonly faults: string[];
  readonly result: { refused: number; prompts: number; updates: number };
};

async function talk({ dialect }: CutPlan, { open, proxy, faults, result }: Talk): Promise<void> {
  const info = { name: "cut", version: "1.0.0" };
  const connect = async () => connectWith(only(dialect), await open(), { info });
  let client: Awaited<ReturnType<typeof connect>> | undefined;
  while (client === undefined) {
    try {
      client = await connect();
    } catch (error) {
      // Nothing was said before the answer of initialize: the stated outcome is an error, and the caller connects again.
      result.refused += 1;
      if (result.refused > 10) throw error;
    }
  }
  proxy.isConnected = true;
  const sessions = await Promise.all(Array.from({ length: size.sessions }, () => client.newSession({ cwd: "/srv" })));
  await Promise.all(
    sessions.map(async (session, index) => {
      for (let prompt = 0; prompt < size.prompts; prompt += 1) {
        const text = `p${index}.${prompt}`;
        await session.prompt(text).ended;
        result.prompts += 1;
        const expected = Array.from({ length: size.updates }, (_, piece) => `${text}:${piece} `).join("");
        const got = lastAnswer(session);
        if (got === expected) result.updates += size.updates;
        else faults.push(`${text}: expected "${expected}", but got "${got}"`);
      }
    }),
  );
  await client.close();
}

/** Returns the agent's text after the last prompt. */
function lastAnswer({ state }: Session): string {
  const entries = [...state.timeline];
  const last = entries.findLastIndex((entry) => entry.type === "message" && entry.role === "user");
  return entries
    .slice(last + 1)
    .flatMap((entry) => (entry.type === "message" && entry.role === "agent" ? [...entry.content] : []))
    .map((block) => (block.type === "text" ? block.text : ""))
    .join("");
}
