import type { Channel } from "@turnkit/transport";
import type { Dialect, DialectFrames } from "./dialect/dialect-frames.js";
import { framesByDialect } from "./dialect/frames-by-dialect.js";
import { ExpectationError } from "./expectation-error.js";
import { type Frame, show } from "./frame.js";
import { differenceFrom, fits, type Pattern } from "./pattern.js";
import type { RawPeerOptions } from "./raw-peer.js";
import { type AnyStep, checkScript, type Scripted, ScriptRun, type Verb } from "./script-run.js";
import type { StandingAnswers, Step } from "./step.js";
import { expectedMethod, type StepOf, verbs } from "./verbs.js";

/** Step of a scripted client. */
export type ClientStep =
  | Step
  /** Sends `initialize` of the dialect. These members replace the default members. */
  | { readonly hello: object; readonly result?: Pattern; readonly error?: Pattern }
  /** Opens a session. `cwd` and `mcpServers` have defaults. */
  | { readonly open: object; readonly result?: Pattern; readonly error?: Pattern }
  /** Sends a prompt, runs the steps, and waits for the end of the turn in the dialect. */
  | {
      /** Text, or the blocks of a prompt. */
      readonly prompt: string | readonly object[];
      readonly during?: readonly ClientStep[];
      /** Expected text of the agent in this turn. All messages and chunks are joined. */
      readonly says?: string | RegExp;
      /**
       * Expected stop reason, or a pattern of `{ stopReason, error }`.
       *
       * @defaultValue `end_turn`
       */
      readonly ends?: string | Pattern;
    }
  /** Waits for a matching update that no earlier step has used. The update may have arrived earlier. */
  | { readonly update: Pattern }
  /** Waits for a permission request. Then selects the option with this kind or id, or answers `cancelled`. */
  | { readonly permit: string; readonly params?: Pattern }
  /** Sends `session/cancel`. Open permission requests still need an answer by other steps. */
  | { readonly cancel: true };

/** Script of a client. */
export type ClientScript = {
  /** Dialect of the client. @defaultValue `v1` */
  readonly dialect?: Dialect;
  readonly steps: readonly ClientStep[];
  /**
   * Answers to requests of the agent that no later step expects, by method. An answer is a result, or a function that gets
   * the request and returns a result. Any other request fails the script. A notification that no step expects only appears
   * in `peer.received`.
   */
  readonly answers?: StandingAnswers;
} & RawPeerOptions;

/**
 * Plays a client by a script of bare frames. An agent cannot distinguish it from a real client. The script uses no code of
 * the client package, which could hide faults of the agent. Expected calls must arrive in the order of the script.
 *
 * @example
 * const client = createScriptedClient(channel, {
 *   steps: [{ hello: {} }, { open: {} }, { prompt: "Hi", says: /hello/i, ends: "end_turn" }],
 * });
 * await client.done;
 */
export function createScriptedClient(channel: Channel, script: ClientScript): Scripted {
  checkScript("createScriptedClient", channel, script);
  const { dialect = "v1", steps, answers = {}, ...options } = script;
  const scene = {
    who: `scripted client (${dialect})`,
    steps,
    answers,
    verbs: { ...verbs, ...clientVerbs(framesByDialect[dialect]) },
    methodsOf,
  };
  return new ScriptRun(channel, scene, options);
}

type ClientVerb = "hello" | "open" | "prompt" | "update" | "permit" | "cancel";

const usualPlace = { cwd: "/work", mcpServers: [] };

function clientVerbs(frames: DialectFrames): { readonly [Name in ClientVerb]: Verb<StepOf<ClientStep, Name>> } {
  return {
    hello: (step, run) =>
      run.answered(run.ask("initialize", { ...frames.clientHello, ...step.hello }), step, "initialize"),
    async open(step, run) {
      const asked = run.ask("session/new", { ...usualPlace, ...step.open });
      const { result } = await run.answered(asked, step, "session/new");
      if (typeof result?.sessionId === "string") run.known = { sessionId: result.sessionId };
    },
    prompt: (step, run) => prompt(frames, step, run),
    update: (step, run) =>
      run.peer.next(
        ({ method, params }) => method === "session/update" && fits(step.update, params?.update),
        `an update like ${show(step.update)}`,
      ),
    async permit({ permit, params }, run) {
      const question = await run.take("session/request_permission", params);
      await run.peer.answer(question, { outcome: outcomeOf(permit, question) });
    },
    cancel: (_step, run) => run.peer.notify("session/cancel", { sessionId: run.known.sessionId }),
  };
}

async function prompt(frames: DialectFrames, step: StepOf<ClientStep, "prompt">, run: ScriptRun): Promise<void> {
  const { sessionId } = run.known;
  const { peer } = run;
  const content = typeof step.prompt === "string" ? [{ type: "text", text: step.prompt }] : step.prompt;
  const since = peer.received.length;
  const id = run.ask("session/prompt", { sessionId, prompt: content });
  await run.play(step.during ?? []);
  const end = await frames.hearEnd(peer, { id, sessionId, since });
  const wanted = step.ends ?? "end_turn";
  // Errors are compared first, because an error explains a missing stop reason.
  const pattern = typeof wanted === "string" ? { error: undefined, stopReason: wanted } : wanted;
  hold(pattern, end, "the end of the turn");
  if (step.says !== undefined) hold(step.says, textSince(peer.received, since, sessionId), "what the agent said");
}

function hold(pattern: Pattern, value: unknown, what: string): void {
  const difference = differenceFrom(pattern, value);
  if (difference === undefined) return;
  throw new ExpectationError("mismatch", `${what}: ${difference}`, { expected: pattern, actual: value });
}

/** Joins the messages of a turn. A chunk is appended. A complete message of version 2 replaces its earlier text. */
function textSince(received: readonly Frame[], since: number, sessionId: string): string {
  const said = new Map<unknown, string>();
  for (const { params } of received.slice(since)) {
    if (params?.sessionId !== sessionId) continue;
    const { sessionUpdate, messageId, content } = params.update ?? {};
    if (sessionUpdate === "agent_message_chunk") {
      said.set(messageId, (said.get(messageId) ?? "") + (content?.text ?? ""));
    } else if (sessionUpdate === "agent_message" && content !== undefined) {
      said.set(messageId, Array.isArray(content) ? content.map((block) => block?.text ?? "").join("") : "");
    }
  }
  return [...said.values()].join("");
}

function outcomeOf(permit: string, { params }: Frame): object {
  if (permit === "cancelled") return { outcome: "cancelled" };
  const options: readonly { readonly optionId: string; readonly kind: string }[] = params?.options ?? [];
  const option = options.find(({ kind, optionId }) => kind === permit || optionId === permit);
  if (option !== undefined) return { outcome: "selected", optionId: option.optionId };
  throw new ExpectationError("mismatch", `the question offers no ${permit}: ${show(options)}`, {
    expected: permit,
    actual: options,
  });
}

function methodsOf(step: AnyStep): readonly string[] {
  const { permit, during } = step as { permit?: unknown; during?: readonly AnyStep[] };
  const inner = Array.isArray(during) ? during.flatMap(methodsOf) : [];
  return permit === undefined ? [...expectedMethod(step), ...inner] : ["session/request_permission"];
}
