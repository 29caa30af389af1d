import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Client, connectWith, type Session, v2Dialect } from "@turnkit/client";
import { openRemote } from "@turnkit/remote/client";
import { type MessageEntry, messageText, type SessionState } from "@turnkit/session";
import { WebSocket } from "ws";
import { turnkit } from "../interop/programs.js";
import { runSource } from "../process/source.js";
import { PIECES, pieceOf } from "./pieces.js";

const token = "a-token-of-the-tests-0123456789";

/** Processes that are killed in one round. */
const targets = ["gateway", "agent", "both"] as const;

/** Findings of a run. Every list should be empty. */
export type Losses = {
  kills: number;
  /** Prompts whose message was acknowledged and is missing, or is there twice. */
  readonly prompts: string[];
  /** Turns whose end was told, and whose answer is not whole. */
  readonly turns: string[];
};

/**
 * Kills `turnkit serve`, its agent, or both, at random moments of prompts. After each kill another client attaches, and finds
 * everything that was acknowledged.
 */
export async function killGateways(kills: number, folder: string, random: () => number): Promise<Losses> {
  const losses: Losses = { kills: 0, prompts: [], turns: [] };
  const acknowledged = new Set<string>();
  const ended = new Set<string>();
  let id: string | undefined;
  let served = await serve(folder);
  for (let round = 0; round < kills; round += 1) {
    const { client, session } = await attach(served.url, folder, id);
    id = session.id;
    check(session.state, { acknowledged, ended, losses });
    const target = targets[Math.floor(random() * targets.length)] ?? "both";
    const moment = Math.floor(random() * 2 * (PIECES + 6));
    await killDuring({
      served,
      client,
      session,
      target,
      moment,
      names: [`${round}a`, `${round}b`],
      acknowledged,
      ended,
    });
    losses.kills += 1;
    await client.close();
    if (target !== "agent") served = await serve(folder);
  }
  const { client, session } = await attach(served.url, folder, id);
  check(session.state, { acknowledged, ended, losses });
  await client.close();
  served.process.kill("SIGKILL");
  await served.exit;
  return losses;
}

type Served = { readonly process: ChildProcess; readonly url: string; readonly exit: Promise<unknown> };

async function serve(folder: string): Promise<Served> {
  const agent = runSource(new URL("agent-main.ts", import.meta.url));
  const command = [...turnkit, "serve", "--listen", "127.0.0.1:0", "--", ...agent, join(folder, "agent")];
  const [program = "", ...args] = command;
  const env = { ...process.env, TURNKIT_TOKEN: token, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"] });
  const exit = once(child, "exit");
  const [line] = await once(child.stdout.setEncoding("utf8"), "data");
  const url = `${String(line).split("#")[0]}acp`.replace("http", "ws");
  return { process: child, url, exit };
}

async function attach(url: string, cwd: string, id: string | undefined): Promise<{ client: Client; session: Session }> {
  const webSocket = (address: string, { headers }: { readonly headers?: Record<string, string> }) =>
    new WebSocket(address, { headers });
  const channel = await openRemote(url, { token, webSocket, reconnect: false } as never);
  const client = await connectWith([v2Dialect], channel, { info: { name: "killer", version: "1.0.0" } });
  if (id === undefined) return { client, session: await client.newSession({ cwd }) };
  const outcome = await client.restore(id, { cwd });
  if (outcome.status === "unavailable") throw outcome.error;
  return { client, session: outcome.session };
}

type Round = {
  readonly served: Served;
  readonly client: Client;
  readonly session: Session;
  readonly target: (typeof targets)[number];
  /** Number of events before the kill. */
  readonly moment: number;
  readonly names: readonly string[];
  readonly acknowledged: Set<string>;
  readonly ended: Set<string>;
};

/** Sends prompts, and kills at the given event. Settles when the killed processes are gone. */
async function killDuring(round: Round): Promise<void> {
  const { served, client, session, target, moment, names, acknowledged, ended } = round;
  let events = 0;
  let isDead = false;
  const kill = (): void => {
    const pid = Number(session.state.title?.split(" ")[1]);
    if (target !== "gateway" && pid > 0) killProcess(pid);
    if (target !== "agent") served.process.kill("SIGKILL");
    isDead = true;
  };
  const promptIds = new Map<string, string>();
  session.onEvent((event) => {
    if (event.type === "prompt_accepted") acknowledged.add(promptIds.get(event.promptId) ?? "");
    events += 1;
    if (events === moment && !isDead) kill();
  });
  const turns = names.map((name) => {
    const turn = session.prompt(name);
    promptIds.set(turn.promptId, name);
    return turn.ended.then(
      ({ stopReason }) => {
        if (stopReason === "end_turn") ended.add(name);
      },
      () => undefined,
    );
  });
  await Promise.all(turns);
  if (!isDead) kill();
  if (target !== "agent") await Promise.all([served.exit, client.closed]);
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended with an earlier kill.
  }
}

type Known = { readonly acknowledged: Set<string>; readonly ended: Set<string>; readonly losses: Losses };

function check(state: SessionState, { acknowledged, ended, losses }: Known): void {
  const messages = [...state.timeline].filter((entry): entry is MessageEntry => entry.type === "message");
  const said = messages.map((entry) => [entry.role, messageText(entry)] as const);
  const answers = said.filter(([role]) => role === "agent").map(([, text]) => text);
  for (const name of acknowledged) {
    const times = said.filter(([role, text]) => role === "user" && text === name).length;
    if (times !== 1 && name !== "") losses.prompts.push(`${name}: ${times} times`);
  }
  for (const name of ended) {
    const whole = Array.from({ length: PIECES }, (_, piece) => pieceOf(name, piece)).join("");
    if (!answers.some((answer) => answer.includes(whole))) losses.turns.push(name);
  }
}
