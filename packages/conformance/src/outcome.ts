import { redactText } from "@turnkit/transport/trace";
import type { Conversation } from "./conversation.js";
import type { Dialect } from "./dialects/dialect.js";
import { type Entry, labelOf, membersOf, paramsOf, resultOf, type Side, textOf } from "./entry.js";
import { evidenceOf } from "./report/evidence.js";
import type { CheckResult, Report } from "./report/report.js";
import type { Talk } from "./talk.js";
import { problemsOf } from "./validate.js";
import { CheckFailed, CheckSkipped } from "./verdict.js";

/** Conversation of a run, with the end of the program's stderr. */
export type Watched = { readonly talk: Talk; readonly stderr: string | undefined };

/** End of a check, without its facts. */
export type Outcome = Pick<CheckResult, "status" | "reason" | "ms" | "evidence"> & Partial<Pick<CheckResult, "tier">>;

/** End of some work: a remark, or the thrown value. */
export type WorkEnd = { readonly remark: string | void } | { readonly thrown: unknown };

/** Runs work to its end. Never rejects. */
export async function endOf(work: () => string | void | Promise<string | void>): Promise<WorkEnd> {
  try {
    return { remark: await work() };
  } catch (thrown) {
    return { thrown };
  }
}

/** Like {@link endOf}, for work that does not wait. */
export function judged(work: () => string | void): WorkEnd {
  try {
    return { remark: work() };
  } catch (thrown) {
    return { thrown };
  }
}

/** Returns the outcome for the end of a check. A failure has its evidence. */
export function outcomeOf(end: WorkEnd, { talk, stderr }: Watched): Omit<Outcome, "ms"> {
  if ("remark" in end) return { status: "passed", ...(end.remark !== undefined && { reason: reasonOf(end.remark) }) };
  const { thrown } = end;
  if (thrown instanceof CheckSkipped) return { status: "skipped", reason: reasonOf(thrown.message) };
  const marked: readonly Entry[] = thrown instanceof CheckFailed ? thrown.entries : [];
  const evidence = evidenceOf(talk.entries, marked, stderr);
  if (thrown instanceof CheckFailed) {
    const { message, tier } = thrown;
    return { status: "failed", reason: reasonOf(sentence(message)), evidence, ...(tier && { tier }) };
  }
  return {
    status: "error",
    reason: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
    evidence,
  };
}

/**
 * Judges each conversation of a run after its end, if the checked side sent a message in it. The first failure is the
 * outcome. Conversations are not kept, because a program that sends too much would fill the memory.
 */
export class RunJudge {
  readonly #watch: (talk: Talk) => string | void;
  readonly #side: Side;
  #found: Omit<Outcome, "ms"> | undefined;
  #skipped = "No conversation showed it.";
  #ms = 0;

  constructor(watch: (talk: Talk) => string | void, side: Side) {
    this.#watch = watch;
    this.#side = side;
  }

  get outcome(): Outcome {
    const found = this.#found ?? ({ status: "skipped", reason: reasonOf(this.#skipped) } as const);
    return { ...found, ms: Math.round(this.#ms) };
  }

  add(watched: Watched): void {
    const status = this.#found?.status;
    if (status === "failed" || status === "error" || !watched.talk.entries.some(({ by }) => by === this.#side)) return;
    const started = performance.now();
    const end = judged(() => this.#watch(watched.talk));
    // A check is skipped for most conversations, so the text of the report is made only for the last reason.
    if ("thrown" in end && end.thrown instanceof CheckSkipped) this.#skipped = end.thrown.message;
    else this.#found = outcomeOf(end, watched);
    this.#ms += performance.now() - started;
  }
}

/** Longest reason, in characters. An agent may answer with an error of many megabytes. */
const LONGEST = 2_000;

/** Returns a text for the report: bounded, and without secrets. */
function reasonOf(text: string): string {
  const clean = redactText(text.slice(0, 2 * LONGEST));
  return clean.length > LONGEST ? `${clean.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, "")}…` : clean;
}

/** Returns a reason as a sentence. Names such as `session/update`, `update.kind` and `planId` keep their first letter. */
function sentence(text: string): string {
  const isName = /^([\w$]+[/.]\w|[a-z]+[A-Z])/.test(text);
  return `${isName ? text.charAt(0) : text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

/** Throws if the runner sent a wrong message without intention, because the check then proves nothing. */
// CONF-04
export function checkOwnFrames(talk: Conversation, dialect: Dialect, own: Side): void {
  for (const entry of talk.of(own)) {
    if (entry.deliberate) continue;
    const problem = problemsOf(entry, dialect.contract).find(({ kind }) => kind === "invalid");
    if (problem) throw new Error(`The runner sent an invalid ${labelOf(entry)}: ${problem.path} ${problem.message}`);
  }
}

/** Longest name and version of a program in a report, in characters. */
const LONGEST_NAME = 200;

function shortly(text: string): string {
  return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

/** Returns the name and version of the program that is checked, as it gave them in `initialize`. */
export function infoOf(talk: Talk, side: Side): Report["agent"] {
  const hello =
    side === "agent" ? resultOf(talk.results("initialize")[0]) : paramsOf(talk.calls("client", "initialize")[0]);
  const { info, agentInfo, clientInfo } = hello;
  const { name, version } = membersOf(info ?? agentInfo ?? clientInfo);
  return typeof name === "string" ? { name: shortly(name), version: shortly(textOf(version)) } : undefined;
}
