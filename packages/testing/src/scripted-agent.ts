import type { Channel, Room } from "@turnkit/transport";
import type { AgentTurn, Dialect, DialectFrames, PermissionQuestion } from "./dialect/dialect-frames.js";
import { framesByDialect } from "./dialect/frames-by-dialect.js";
import { updateFrame } from "./dialect/phrases.js";
import type { Pattern } from "./pattern.js";
import type { RawPeerOptions } from "./raw-peer.js";
import { type AnyStep, checkScript, type Scripted, ScriptRun, type Verb } from "./script-run.js";
import type { StandingAnswers, Step } from "./step.js";
import { expectedMethod, type StepOf, verbs } from "./verbs.js";

/** Step of a scripted agent. */
export type AgentStep =
  | Step
  /**
   * Runs one turn: waits for a prompt, accepts the prompt, runs the steps, and ends the turn with the frames of the
   * dialect. The default `stopReason` is `end_turn`. With `null`, the turn does not end.
   */
  | { readonly turn: readonly AgentStep[]; readonly prompt?: Pattern; readonly stopReason?: string | null }
  /** Sends chunks of the agent's message. Each chunk is one update. */
  | { readonly say: string | readonly string[] }
  | { readonly think: string | readonly string[] }
  /** Sends an update unchanged. */
  | { readonly update: object }
  /** Asks for permission, waits for the answer, and compares the outcome with a pattern. */
  | { readonly ask: string | PermissionQuestion; readonly outcome?: Pattern };

/** Script of an agent. */
export type AgentScript = {
  /** Dialect of the agent. @defaultValue `v1` */
  readonly dialect?: Dialect;
  readonly steps: readonly AgentStep[];
  /**
   * Answers to requests that no later step expects, by method. An answer is a result, or a function that gets the request
   * and returns a result.
   *
   * - `initialize` and `session/new` have default answers. The default session ids are `s-1`, `s-2` and so on.
   * - Any other request without an answer fails the script.
   * - A notification that no step expects only appears in `peer.received`.
   */
  readonly answers?: StandingAnswers;
} & RawPeerOptions;

/**
 * Plays an agent by a script of bare frames. A client cannot distinguish it from a real agent. The script uses no code of
 * the agent package, which could hide faults of the client. Expected calls must arrive in the order of the script.
 *
 * @example
 * const agent = createScriptedAgent(channel, { steps: [{ turn: [{ say: "Hello" }] }] });
 * await agent.during(async () => {
 *   await myClient.prompt("Hi");
 * });
 */
export function createScriptedAgent(channel: Channel, script: AgentScript): Scripted {
  checkScript("createScriptedAgent", channel, script);
  const { dialect = "v1", steps, answers, ...options } = script;
  const frames = framesByDialect[dialect];
  let sessions = 0;
  const standing: StandingAnswers = {
    initialize: frames.agentHello,
    "session/new": () => ({ sessionId: `s-${++sessions}` }),
    ...answers,
  };
  const scene = {
    who: `scripted agent (${dialect})`,
    steps,
    answers: standing,
    verbs: { ...verbs, ...agentVerbs(frames) },
    methodsOf,
  };
  return new ScriptRun(channel, scene, options);
}

type AgentVerb = "turn" | "say" | "think" | "update" | "ask";

function agentVerbs(frames: DialectFrames): { readonly [Name in AgentVerb]: Verb<StepOf<AgentStep, Name>> } {
  let turns = 0;
  const pieces = (kind: "agent_message_chunk" | "agent_thought_chunk", said: string | readonly string[]) =>
    [said].flat().map((text) => frames.piece(kind, text, turns));
  return {
    async turn({ turn, prompt, stopReason = "end_turn" }, run) {
      const taken = await run.take("session/prompt", prompt === undefined ? undefined : { prompt });
      turns += 1;
      const now: AgentTurn = { prompt: taken, number: turns };
      await run.peer.send(...frames.takePrompt(now));
      await run.play(turn);
      if (stopReason !== null) await run.peer.send(...frames.endTurn(now, stopReason));
    },
    say: ({ say }, run) => update(run, pieces("agent_message_chunk", say)),
    think: ({ think }, run) => update(run, pieces("agent_thought_chunk", think)),
    update: (step, run) => update(run, [step.update]),
    ask(step, run) {
      const question = typeof step.ask === "string" ? { title: step.ask } : step.ask;
      const params = frames.question(run.known.sessionId, question);
      const result = step.outcome === undefined ? undefined : { outcome: step.outcome };
      return run.answered(run.ask("session/request_permission", params), { result }, "session/request_permission");
    },
  };
}

function update(run: ScriptRun, updates: readonly object[]): Room {
  return run.peer.send(...updates.map((one) => updateFrame(run.known.sessionId, one)));
}

function methodsOf(step: AnyStep): readonly string[] {
  const { turn } = step as { turn?: readonly AnyStep[] };
  return Array.isArray(turn) ? ["session/prompt", ...turn.flatMap(methodsOf)] : expectedMethod(step);
}
