import type { Conversation } from "../conversation.js";
import type { ClientAbility, Dialect } from "../dialects/dialect.js";
import { type Entry, type Frame, frameOf, membersOf, paramsOf } from "../entry.js";
import { settlesWithin } from "../patience.js";
import { PeerLine } from "../peer-line.js";
import { fail, skip } from "../verdict.js";
import { agentMessages } from "./agent-messages.js";
import type { ClientExit, ClientFolder, ClientPipe } from "./client-pipe.js";

/** Facts of a run that every conversation of it shares. */
export type ClientTrialOptions = {
  readonly dialect: Dialect;
  /** Longest wait for one message, and for the end of the client, in milliseconds. */
  readonly timeoutMs: number;
  /** Returns an integer from 0 to `limit - 1`, the same in every run with the same seed. */
  readonly random: (limit: number) => number;
};

const GRACE_MS = 2_000;
/** Time in which the last messages of a client arrive after its end. */
const LAST_WORDS_MS = 500;

/** Conversation of one scene with a client. The runner is the agent. */
export class ClientTrial {
  readonly dialect: Dialect;
  readonly options: ClientTrialOptions;
  readonly line: PeerLine;
  readonly talk: Conversation;
  readonly pipe: ClientPipe;
  /** `true` for an agent that goes on after the end of its input. */
  isStubborn = false;
  #exit: ClientExit | undefined;
  #nextId = 1;
  #texts = 0;

  constructor(pipe: ClientPipe, options: ClientTrialOptions) {
    this.pipe = pipe;
    this.options = options;
    this.dialect = options.dialect;
    this.line = new PeerLine(pipe, "agent");
    this.talk = this.line.talk;
    this.line.onEntry = (entry) => this.#answer(entry);
    void this.line.ended.then(() => this.isStubborn || pipe.agent.exit(0));
    void pipe.exited.then((exit) => {
      this.#exit = exit;
      // Output from before the end of the client may arrive later.
      void settlesWithin(this.line.ended, LAST_WORDS_MS).then(() => this.talk.end());
    });
  }

  get messages() {
    return agentMessages[this.dialect.name];
  }

  get folder(): ClientFolder {
    return this.pipe.folder;
  }

  /** Returns the text that the client has printed. */
  get printed(): string {
    return this.pipe.stdout();
  }

  /** Returns the next request of the client with one of the methods. Skips the checks of the scene if none comes. */
  async comes(...methods: readonly string[]): Promise<Entry> {
    const found = await this.mayCome(...methods);
    if (found !== undefined) return found;
    return skip(`The client sent no ${methods.join(" or ")}.`);
  }

  /** Like {@link comes}, but returns `undefined` if none comes. */
  mayCome(...methods: readonly string[]): Promise<Entry | undefined> {
    return this.talk.when(
      ({ by, kind, method }) => by === "client" && kind === "request" && methods.includes(method ?? ""),
      {
        ms: this.options.timeoutMs,
      },
    );
  }

  /** Answers a request of the client. */
  reply(request: Entry, result: unknown, deliberate?: "deliberate"): Entry {
    return this.line.frame({ jsonrpc: "2.0", id: frameOf(request).id, result }, deliberate && true);
  }

  refuse(request: Entry, code: number, message: string): Entry {
    return this.line.frame({ jsonrpc: "2.0", id: frameOf(request).id, error: { code, message } });
  }

  notify(method: string, params: unknown, deliberate?: "deliberate"): Entry {
    return this.line.frame({ jsonrpc: "2.0", method, params }, deliberate && true);
  }

  /** Sends an update of a session. */
  say(sessionId: string, update: Frame, deliberate?: "deliberate"): Entry {
    return this.notify("session/update", { sessionId, update }, deliberate);
  }

  /** Sends a text as a message of its own, and a line break after it. */
  text(sessionId: string, text: string): Entry {
    return this.say(sessionId, this.messages.message(`conf-${++this.#texts}`, `${text}\n`));
  }

  /** Sends a request, without waiting. */
  begin(method: string, params: unknown, deliberate?: "deliberate", id: string | number = this.#nextId++): Entry {
    return this.line.frame({ jsonrpc: "2.0", id, method, params }, deliberate && true);
  }

  /** Sends a request. Returns its answer, or `undefined` if none comes. */
  ask(method: string, params: unknown, deliberate?: "deliberate"): Promise<Entry | undefined> {
    return this.answerTo(this.begin(method, params, deliberate));
  }

  answerTo(request: Entry): Promise<Entry | undefined> {
    return this.talk.when((entry) => entry.request === request, { ms: this.options.timeoutMs, from: request.index });
  }

  /** Returns the answer of the client to a request of the runner. Fails the check if there is none. */
  static answered(answer: Entry | undefined, what: string, request?: Entry): Entry {
    return answer ?? fail(`the client did not answer ${what}`, request);
  }

  /**
   * Sends an extension request, and waits for its answer. The client has then read all earlier messages. Returns
   * `undefined` without an answer.
   */
  settle(): Promise<Entry | undefined> {
    return this.ask("_turnkit/settled", {});
  }

  /** Waits without sending anything. */
  async silence(ms: number): Promise<void> {
    await settlesWithin(this.pipe.exited, Math.min(ms, this.options.timeoutMs / 4));
  }

  /** `true` while the client runs. */
  get isRunning(): boolean {
    return this.#exit === undefined;
  }

  /** Waits for the end of the client. `undefined` if it does not end. */
  async exit(): Promise<ClientExit | undefined> {
    await settlesWithin(this.pipe.exited, this.options.timeoutMs);
    return this.#exit;
  }

  /** Returns `true` if the client announced an ability. */
  announces(ability: ClientAbility): boolean {
    const hello = this.talk.of("client").find(({ kind, method }) => kind === "request" && method === "initialize");
    return isAnnounced(membersOf(this.dialect.clientCapabilities(paramsOf(hello))), ability);
  }

  #answer(request: Entry): void {
    if (request.kind !== "request" || scripted.has(request.method as string)) return;
    if (request.method === "session/list") this.reply(request, { sessions: [] });
    else if (harmless.has(request.method as string)) this.reply(request, {});
    else this.refuse(request, -32601, `Method not found: ${request.method}`);
  }

  /** Ends the conversation, and with it the client. */
  async close(): Promise<void> {
    this.pipe.agent.exit(0);
    if (this.isRunning) await this.pipe.kill?.();
    await this.line.close(Math.min(GRACE_MS, this.options.timeoutMs));
  }
}

/** Requests that the scene answers. */
const scripted = new Set([
  "initialize",
  "session/new",
  "session/load",
  "session/resume",
  "session/prompt",
  "authenticate",
  "auth/login",
]);
/** Requests that have no effect on a scene. */
const harmless = new Set(["session/close", "session/set_mode", "logout", "auth/logout"]);

function isAnnounced(all: Frame, ability: ClientAbility): boolean {
  const { fs, terminal, elicitation, subagents } = all;
  switch (ability) {
    case "readTextFile":
    case "writeTextFile":
      return membersOf(fs)[ability] === true;
    case "terminal":
      return terminal === true;
    case "form":
      return typeof membersOf(elicitation).form === "object" && membersOf(elicitation).form !== null;
    case "subagents":
      return typeof subagents === "object" && subagents !== null;
    default:
      return false;
  }
}
