import type { Contract } from "@turnkit/schema";
import type { Frame } from "../entry.js";

/** Name of a dialect: version 1, the Preview of version 2, or its draft of June 2026. */
export type DialectName = "v1" | "v2" | "seed";

/** Agent capabilities in one form for every dialect. */
export type Ability =
  | "load"
  | "resume"
  | "list"
  | "close"
  | "delete"
  | "additionalDirectories"
  | "image"
  | "audio"
  | "embeddedContext"
  | "http"
  | "logout";

/** Client capabilities that a check may announce. Without them, the runner announces none. */
export type ClientAbility =
  | "readTextFile"
  | "writeTextFile"
  | "terminal"
  | "terminalLogin"
  | "form"
  | "booleanOptions"
  | "notices"
  | "compaction"
  | "plan"
  | "subagents";

/** One dialect of the protocol: its name, its schemas, and the messages that differ by dialect. */
export interface Dialect {
  readonly name: DialectName;
  /** Number in `initialize`. */
  readonly version: 1 | 2;
  /** Messages, with the schemas of both directions. */
  readonly contract: Contract;
  /** The contract with the unstable parts of the protocol. Members of these parts are not custom members. */
  readonly published: Contract;
  /** Returns the params of `initialize`. */
  hello(abilities: readonly ClientAbility[]): Frame;
  /** Returns `true` if the result of `initialize` agrees on this version. */
  agrees(hello: Frame): boolean;
  /** Returns `true` if the agent has sessions at all. */
  hasSessions(hello: Frame): boolean;
  /** Returns the capabilities in the params of `initialize`. */
  clientCapabilities(params: Frame): unknown;
  /** Returns `true` if the result of `initialize` offers an ability. */
  offers(hello: Frame, ability: Ability): boolean;
  /** Returns the capabilities object of the agent. */
  capabilitiesOf(hello: Frame): unknown;
  /** Returns the params of `session/new`. */
  newSession(cwd: string): Frame;
  /** Returns the tool call that a permission question is about. */
  toolCallOfQuestion(params: Frame): Frame | undefined;
  /** `answer`: the answer to the prompt ends the turn. `idle`: an idle state ends it. */
  readonly turnEnd: "answer" | "idle";
  /** Method that restores a session with its history: its name, its ability, and its params without session and cwd. */
  readonly restore: {
    readonly method: "session/load" | "session/resume";
    readonly ability: Ability;
    readonly params: Frame;
  };
}

/** Name and version of the runner in `initialize`. */
export const runnerInfo = { name: "turnkit-conformance", version: "1.0.0" };

/** Returns `true` for a capability marker: an object, even an empty one. */
export function isMarked(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
