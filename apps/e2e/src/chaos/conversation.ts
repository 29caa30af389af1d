import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@turnkit/client";
import { messageText, type SessionState } from "@turnkit/session";
import { piecesOf, promptOf } from "./answer.js";
import { type Ledger, readLedger } from "./ledger.js";
import { boundMs, live, type Scene } from "./live.js";
import { type ConversationPlan, calm, type Life } from "./plan.js";
import { membersOf, whenGone } from "./process-groups.js";

/** Findings of one conversation. The lists name what must not be. */
export type Findings = {
  readonly index: number;
  readonly groups: number;
  readonly sent: number;
  readonly acknowledged: number;
  readonly restored: boolean;
  readonly orphans: readonly string[];
  readonly hangs: readonly string[];
  readonly lost: readonly string[];
  readonly failures: readonly string[];
};

/** The built programs. */
export type Programs = { readonly agent: string; readonly client: string };

/** The end of stdin, SIGTERM and KILL may each take 2 s; the rest is for a machine that has much else to do. */
export const groupsMs = 12_000;

/** Plays a conversation with all its deaths, then restores it with a new client and looks at it. */
export async function converse(plan: ConversationPlan, programs: Programs, root: string): Promise<Findings> {
  const folder = join(root, String(plan.index));
  const ledger = join(folder, "ledger");
  await mkdir(folder);
  await writeFile(ledger, "");
  const orphans: string[] = [];
  const hangs: string[] = [];
  const scene = { dialect: plan.dialect, folder: join(folder, "log"), ledger, agent: programs.agent };
  await mkdir(scene.folder);

  for (const life of plan.lives) {
    if (life.victim !== "client" && life.victim !== "both") await live({ ...scene, life, dies: false });
    else hangs.push(...(await liveAndDie({ ...scene, life, dies: true }, programs.client)));
    orphans.push(...(await endOrphans(ledger, describe(life))));
  }

  const before = readLedger(ledger);
  const lost: string[] = [];
  const look = (session: Session) => lost.push(...missing(session.state, before, plan.lives));
  await live({ ...scene, life: calm, dies: false }, before.sessionId === undefined ? undefined : look);
  orphans.push(...(await endOrphans(ledger, "the calm life")));
  const after = readLedger(ledger);
  const failures = [...after.failures];
  if (after.acknowledged.length !== before.acknowledged.length + 1) failures.push("the last turn did not end well");
  hangs.push(...after.hangs);
  await rm(folder, { recursive: true });
  return {
    index: plan.index,
    groups: after.groups.size,
    sent: after.next,
    acknowledged: after.acknowledged.length,
    restored: before.sessionId !== undefined,
    ...{ orphans, hangs, lost, failures },
  };
}

async function endOrphans(ledger: string, after: string): Promise<readonly string[]> {
  const { groups } = readLedger(ledger);
  const left = await whenGone(() => membersOf(groups), groupsMs);
  for (const pid of left) process.kill(pid, "SIGKILL");
  return left.map((pid) => `process ${pid} after ${after}`);
}

/** Plays a life in a process of its own, whose end is part of it; answers what hung. */
async function liveAndDie(scene: Scene, program: string): Promise<readonly string[]> {
  const client = spawn(process.execPath, [program, JSON.stringify(scene)], { stdio: "ignore", detached: true });
  const timer = setTimeout(() => client.kill("SIGKILL"), 3 * boundMs);
  const started = performance.now();
  const [, signal] = await once(client, "exit");
  clearTimeout(timer);
  if (performance.now() - started > 3 * boundMs) return ["the client that was to be killed"];
  return signal === "SIGKILL" ? [] : [`the client that was to be killed ended by ${signal}`];
}

/** Returns the acknowledged turns that the state does not have exactly once and in order. */
function missing(state: SessionState, { acknowledged }: Ledger, lives: readonly Life[]): readonly string[] {
  const textOf = (role: string) =>
    state.timeline
      .toArray()
      .map((entry) => (entry.type === "message" && entry.role === role ? messageText(entry) : ""))
      .join("");
  const [asked, said] = [textOf("user"), textOf("agent")];
  if (lives.some(({ lossy }) => lossy)) {
    // What the agent was asked may be something else, and twice; but so many turns have to be whole.
    const whole = said.match(/<.*?>/gsu) ?? [];
    return whole.length >= acknowledged.length ? [] : [`${whole.length} of ${acknowledged.length} turns: ${said}`];
  }
  let from = 0;
  return acknowledged.flatMap((turn) => {
    const answer = piecesOf(promptOf(turn)).join("");
    const at = said.indexOf(answer, from);
    const isOnce = at >= 0 && said.indexOf(answer, at + 1) < 0;
    from = Math.max(from, at);
    return isOnce && asked.split(promptOf(turn)).length === 2 ? [] : [`turn ${turn}: asked ${asked}, said ${said}`];
  });
}

const describe = ({ victim, atFrame, stubbornChild }: Life): string =>
  `the death of ${victim} at frame ${atFrame}${stubbornChild ? ", with a stubborn child" : ""}`;
