import { type Channel, type CloseReason, checkArgument, checkChannel, type Room } from "@turnkit/transport";
import { framesByDialect } from "./dialect/frames-by-dialect.js";
import { ExpectationError, isExpectationError } from "./expectation-error.js";
import { type Frame, isCall, isRequest, nameOf, show } from "./frame.js";
import { differenceFrom, type Pattern } from "./pattern.js";
import { createRawPeer, type RawPeer, type RawPeerOptions } from "./raw-peer.js";
import type { Answered, Known, Params, StandingAnswers } from "./step.js";

/** Running script at one end of a channel. */
export interface Scripted extends AsyncDisposable {
  /** Peer at this end of the channel, for frames that the script does not contain. */
  readonly peer: RawPeer;
  /**
   * Settles when every step is done. If a step fails, it rejects with the `ExpectationError` of that step, and the channel
   * closes. A failure never causes an unhandled rejection, so always await `done` or use `during`.
   */
  readonly done: Promise<void>;
  /**
   * Runs `work` at the same time as the script. Returns the result of `work` when both are done, or rejects with the first
   * error.
   */
  during<T>(work: () => T | Promise<T>): Promise<T>;
  close(reason?: CloseReason): Promise<void>;
}

/** Function that runs one kind of step. The next step begins when the result has settled. */
export type Verb<S> = (step: S, run: ScriptRun) => Room | Promise<unknown>;

/** Step of any kind. */
export type AnyStep = Readonly<Record<string, unknown>>;

/** Functions for the steps of one side, by the member that identifies the kind of step. */
// biome-ignore lint/suspicious/noExplicitAny: each verb takes the step that it names; the unions of steps are exact.
export type Verbs = Readonly<Record<string, Verb<any>>>;

/** @throws TypeError for a channel or script of another type */
export function checkScript(
  call: string,
  channel: Channel,
  script: { readonly steps: unknown; readonly dialect?: unknown } | undefined,
): void {
  checkChannel(call, channel, "pass one end of createMemoryPair()");
  const { steps, dialect = "v1" } = script ?? {};
  checkArgument(Array.isArray(steps), `${call} script`, { got: script, remedy: "pass a script such as { steps: [] }" });
  const isKnown = Object.hasOwn(framesByDialect, dialect as string);
  checkArgument(isKnown, `${call} dialect`, { got: dialect, remedy: "pass v1, v2 or seed" });
}

/** Script and rules of a {@link ScriptRun}. */
export type Scene = {
  /** Name for errors, such as `scripted agent`. */
  readonly who: string;
  readonly steps: readonly AnyStep[];
  readonly verbs: Verbs;
  readonly answers: StandingAnswers;
  /** Returns the methods that a step expects the other side to call. */
  methodsOf(step: AnyStep): readonly string[];
};

/**
 * Script that runs its steps one after the other at one end of a channel. Frames of several steps are sent in one write if
 * no step waits in between.
 */
export class ScriptRun implements Scripted {
  readonly peer: RawPeer;
  readonly done: Promise<void>;
  known: Known = { sessionId: "s-1" };
  readonly #scene: Scene;
  /** Number of later steps that expect a method. The calls of that method wait for these steps. */
  readonly #expected = new Map<string, number>();
  /** Expected calls that no step has used yet. */
  readonly #calls = new Set<Frame>();
  readonly #taken = new Map<string, Frame>();
  readonly #started = new Map<string, number>();
  #last: Frame | undefined;
  #silent = false;
  #failed: ExpectationError | undefined;
  #fail!: (error: ExpectationError) => void;

  constructor(channel: Channel, scene: Scene, options: RawPeerOptions) {
    this.#scene = scene;
    for (const method of scene.steps.flatMap((step) => scene.methodsOf(step))) {
      this.#expected.set(method, (this.#expected.get(method) ?? 0) + 1);
    }
    const failing = new Promise<never>((_, reject) => {
      this.#fail = (error) => {
        this.#failed ??= error;
        reject(this.#failed);
      };
    });
    this.peer = createRawPeer(channel, options);
    this.peer.onFrame((frame) => this.#receive(frame));
    this.done = Promise.race([failing, this.play(scene.steps)]);
    this.done.catch((error: unknown) => {
      const { message } = error as Error;
      void this.peer.close({ kind: "failed", message, cause: error });
    });
  }

  async during<T>(work: () => T | Promise<T>): Promise<T> {
    const working = (async () => work())();
    const [value] = await Promise.all([working, this.done]);
    // An unexpected request may have failed the script after its last step.
    if (this.#failed !== undefined) throw this.#failed;
    return value;
  }

  close(reason?: CloseReason): Promise<void> {
    return this.peer.close(reason);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Runs steps in order, including the steps inside of another step. */
  async play(steps: readonly AnyStep[]): Promise<void> {
    for (const [index, step] of steps.entries()) {
      const name = Object.keys(step).find((key) => Object.hasOwn(this.#scene.verbs, key));
      const where = `${this.#scene.who}, step ${index + 1} (${name ?? "?"})`;
      try {
        const verb = name === undefined ? undefined : this.#scene.verbs[name];
        if (verb === undefined) throw new ExpectationError("script", `no verb is known in ${show(step)}`);
        const room = verb(step, this);
        if (room !== undefined) await room;
      } catch (error) {
        throw placed(where, error);
      }
      if (this.#failed !== undefined) throw this.#failed;
    }
  }

  /** Returns the next expected call. Fails if its method is not `method`. */
  async take(method: string, params?: Pattern): Promise<Frame> {
    const call = await this.peer.next((frame) => this.#calls.has(frame), `${method}${this.#after()}`);
    this.#calls.delete(call);
    this.#expected.set(call.method, (this.#expected.get(call.method) ?? 0) - 1);
    const difference =
      call.method === method ? differenceFrom(params ?? skipped, call.params, "params") : `got ${nameOf(call)}`;
    if (difference !== undefined) {
      const text = `expected ${method}${this.#after()}: ${difference} in ${show(call.params)}`;
      throw new ExpectationError("mismatch", text, {
        expected: { method, ...(params !== undefined && { params }) },
        actual: { method: call.method, params: call.params },
      });
    }
    this.#last = call;
    if (typeof call.params?.sessionId === "string") this.known = { sessionId: call.params.sessionId };
    return call;
  }

  /** Stores a call under a name, for a later answer. */
  keep(name: string, call: Frame): void {
    this.#taken.set(name, call);
  }

  /** Returns the call with a name. Without a name, returns the latest call. */
  callNamed(name?: string): Frame {
    const call = name === undefined ? this.#last : this.#taken.get(name);
    if (call !== undefined) return call;
    throw new ExpectationError("script", `no call ${name ?? ""} was expected before, so there is nothing to answer`);
  }

  answer(call: Frame, result: unknown): Room {
    const { sessionId } = (result ?? {}) as { sessionId?: unknown };
    if (call.method === "session/new" && typeof sessionId === "string") this.known = { sessionId };
    return this.peer.answer(call, result);
  }

  /** Sends a request and returns its id. */
  ask(method: string, params?: Params): number {
    return this.peer.ask(method, this.paramsOf(params));
  }

  /** Waits for an answer and compares it with a pattern. */
  async answered(id: number, { result, error }: Answered, what: string): Promise<Frame> {
    const frame = await this.peer.answerTo(id);
    const pattern = { ...(result !== undefined && { result }), ...(error !== undefined && { error }) };
    const wrong =
      error === undefined && "error" in frame
        ? `expected a result, got the error ${show(frame.error)}`
        : differenceFrom(pattern, frame);
    if (wrong === undefined) return frame;
    throw new ExpectationError("mismatch", `the answer to ${what}: ${wrong}`, { expected: pattern, actual: frame });
  }

  start(name: string, id: number): void {
    this.#started.set(name, id);
  }

  idOf(name: string): number {
    const id = this.#started.get(name);
    if (id === undefined) throw new ExpectationError("script", `no request was started as ${name}`);
    return id;
  }

  paramsOf(params?: Params): object | undefined {
    return typeof params === "function" ? params(this.known) : params;
  }

  fallSilent(): void {
    this.#silent = true;
  }

  #receive(frame: Frame): void {
    if (!isCall(frame) || this.#silent) return;
    const waiting = [...this.#calls].filter(({ method }) => method === frame.method).length;
    if ((this.#expected.get(frame.method) ?? 0) > waiting) this.#calls.add(frame);
    else if (isRequest(frame)) this.#answerUnexpected(frame);
  }

  #answerUnexpected(request: Frame): void {
    const { answers, who } = this.#scene;
    const { method } = request;
    if (!Object.hasOwn(answers, method)) {
      void this.peer.refuse(request, { code: -32601, message: `Method not found: ${method}`, data: { method } });
      const text = `${who}: nobody expected ${method}${this.#after()}: ${show(request.params)}`;
      this.#fail(new ExpectationError("unexpected", text, { expected: [...this.#expected.keys()], actual: method }));
      return;
    }
    const answer = answers[method];
    const result: unknown = typeof answer === "function" ? answer(request) : answer;
    if (result !== undefined) void this.answer(request, result);
  }

  #after(): string {
    return this.#last === undefined ? "" : ` after ${nameOf(this.#last)}`;
  }
}

const skipped = () => true;

function placed(where: string, error: unknown): ExpectationError {
  const { message } = error as Error;
  if (!isExpectationError(error)) return new ExpectationError("script", `${where}: ${message}`, { cause: error });
  const details = { expected: error.expected, actual: error.actual, cause: error };
  return new ExpectationError(error.code, `${where}: ${message}`, details);
}
