import {
  type CreateTerminalRequest,
  createTerminalRequest,
  killTerminalRequest,
  releaseTerminalRequest,
  type TerminalOutputRequest,
  terminalOutputRequest,
  waitForTerminalExitRequest,
} from "@turnkit/schema/v1";
import type { SessionEvent } from "@turnkit/session";
import { toBase64 } from "@turnkit/session/codec";
import { checkArgument, type Diagnostic, type InboundCall, type Route, RpcError } from "@turnkit/transport";
import { ExitWaits } from "./exit-waits.js";
import { type HandlerHost, type HostedSession, type HostSession, inLane } from "./hosted-session.js";
import { LargeAnswers } from "./large-answers.js";

type Awaitable<T> = T | Promise<T>;

/** Command that an agent wants to run in the environment of the client. */
export type CreateTerminal = {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  /**
   * Absolute path of the folder in which the command runs.
   * @defaultValue the folder of the session
   */
  readonly cwd?: string | null;
  /** Maximum size of the output that the agent wants, in bytes. The host may use a smaller maximum. */
  readonly outputByteLimit?: number | null;
};

/** Exit code of a command, or the signal that killed it. */
export type TerminalExit = { readonly exitCode: number | null; readonly signal: string | null };

/** Running or ended command of a host. */
export interface HostTerminal {
  /** Returns the newest output of stdout and stderr, in the order of arrival. Old output is cut at a character border. */
  output(): { readonly output: string; readonly truncated: boolean; readonly exitStatus?: TerminalExit };
  /** Settles when the command has ended and its output is complete. Never rejects. */
  readonly exited: Promise<TerminalExit>;
  /** Ends the command and every process that the command started. The output can still be read. */
  kill(): Awaitable<void>;
  /** Kills the command and frees its resources. The client calls this method once. */
  release(): Awaitable<void>;
  /** Adds a listener for new output, for live display. Returns a function that removes the listener. */
  onData(listener: (bytes: Uint8Array) => void): () => void;
}

/** Host that runs commands for an agent of version 1. The client advertises terminals if a host exists. */
export interface TerminalHost {
  /** Starts a command. Throws an `RpcError` if the command cannot start. */
  create(request: CreateTerminal, session: HostSession): Awaitable<HostTerminal>;
}

type Names = Pick<TerminalOutputRequest, "sessionId" | "terminalId">;

/**
 * Terminal handlers for the option `terminals`, made by {@link createTerminalHandlers}. The client calls `create` of this
 * object. In a copy, you may replace it.
 */
export interface TerminalHandlers extends TerminalHost {
  /**
   * Returns the routes of version 1.
   *
   * @internal
   */
  terminalRoutes(this: TerminalHost, client: HandlerHost): { readonly [method: string]: Route };
}

/**
 * Makes terminal handlers from a host. Only a bundle that calls this function, or uses the host of `./node`, contains the
 * code for terminals.
 */
export function createTerminalHandlers(host: TerminalHost): TerminalHandlers {
  const remedy = "pass a host with create, such as createLocalTerminalHost() of @turnkit/client/node";
  checkArgument(typeof host?.create === "function", "createTerminalHandlers", { got: host, remedy });
  return {
    create: (...given) => host.create(...given),
    // Calls `create` of `this`, which may be a changed copy.
    terminalRoutes(client) {
      return routesOf(this, client);
    },
  };
}

function routesOf(host: TerminalHost, { sessions, report }: HandlerHost): { readonly [method: string]: Route } {
  const all = new SessionTerminals(host, report);
  const outputs = new LargeAnswers(1);
  const find = ({ sessionId, terminalId }: Names): Terminal => all.find(sessions.get(sessionId), terminalId);
  return {
    "terminal/create": {
      params: createTerminalRequest,
      receive: ({ sessionId, ...command }: CreateTerminalRequest, call: InboundCall) =>
        inLane(sessions.get(sessionId), call, async (place, session) => ({
          terminalId: await all.create(session, command, place),
        })),
    },
    "terminal/output": {
      params: terminalOutputRequest,
      receive: (names: Names, call: InboundCall) =>
        outputs.run(call, call, () => {
          const got = find(names).host.output();
          const isSound = typeof got?.output === "string" && typeof got.truncated === "boolean";
          checkArgument(isSound, "output() of a terminal", { got, remedy: "return { output, truncated }" });
          return got;
        }),
    },
    "terminal/wait_for_exit": {
      params: waitForTerminalExitRequest,
      receive: (names: Names, call: InboundCall) => find(names).waits.wait(call.signal),
    },
    "terminal/kill": {
      params: killTerminalRequest,
      async receive(names: Names) {
        await find(names).host.kill();
        return {};
      },
    },
    "terminal/release": {
      params: releaseTerminalRequest,
      async receive(names: Names, call: InboundCall) {
        await outputs.begun(call);
        await all.release(sessions.get(names.sessionId), names.terminalId);
        return {};
      },
    },
  };
}

/** @throws TypeError for a terminal of a host that lacks a member */
function checkTerminal(got: Partial<HostTerminal> | undefined): void {
  const isSound =
    ([got?.output, got?.kill, got?.release, got?.onData] as unknown[]).every((one) => typeof one === "function") &&
    typeof got?.exited?.then === "function";
  const remedy = "return a terminal with output, exited, kill, release and onData";
  checkArgument(isSound, "The result of terminals.create", { got, remedy });
}

/** Maximum number of terminals of one session, including terminals that are starting. */
const MAX_TERMINALS = 100;

type Terminal = {
  readonly host: HostTerminal;
  readonly waits: ExitWaits<TerminalExit>;
  readonly start: SessionEvent & { readonly type: "terminal_update" };
};

/** Terminals of one session, or of the restored session that replaced it. */
type Held = { session: HostedSession; readonly terminals: Map<string, Terminal>; starting: number };

/** Terminals of the sessions of one connection. The end of a session releases its terminals. */
// V1-TERM-17
class SessionTerminals {
  readonly #host: TerminalHost;
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #sessions = new Map<string, Held>();

  constructor(host: TerminalHost, report: (diagnostic: Diagnostic) => void) {
    this.#host = host;
    this.#report = report;
  }

  /** Starts a command. Returns the id of its terminal as soon as the command runs. */
  // V1-TERM-03
  async create(session: HostedSession, request: CreateTerminal, place: HostSession): Promise<string> {
    const held = this.#of(session);
    if (held.terminals.size + held.starting >= MAX_TERMINALS) {
      throw RpcError.internalError(`the session already has ${MAX_TERMINALS} terminals; release some of them`);
    }
    held.starting += 1;
    let terminal: HostTerminal;
    try {
      terminal = await this.#host.create(request, place);
    } finally {
      held.starting -= 1;
    }
    checkTerminal(terminal);
    if (place.signal.aborted) {
      await this.#free(session.id, terminal);
      throw RpcError.requestCancelled();
    }
    const terminalId = crypto.randomUUID();
    const command = [request.command, ...(request.args ?? [])].join(" ");
    const start = { type: "terminal_update", terminalId, command, cwd: request.cwd ?? session.cwd } as const;
    const shown = { host: terminal, waits: new ExitWaits(terminal.exited), start };
    held.terminals.set(terminalId, shown);
    show(held, shown);
    return terminalId;
  }

  /** @throws RpcError `-32002` for a terminal that is unknown, is released, or belongs to another session */
  // V1-TERM-16
  find({ id }: HostedSession, terminalId: string): Terminal {
    const terminal = this.#sessions.get(id)?.terminals.get(terminalId);
    if (terminal === undefined) throw RpcError.resourceNotFound({ terminalId });
    return terminal;
  }

  async release(session: HostedSession, terminalId: string): Promise<void> {
    const { host } = this.find(session, terminalId);
    this.#sessions.get(session.id)?.terminals.delete(terminalId);
    await host.release();
  }

  #of(session: HostedSession): Held {
    const { id } = session;
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const held: Held = { session, terminals: new Map(), starting: 0 };
    this.#sessions.set(id, held);
    const ended = (successor?: HostedSession): void => {
      if (successor === undefined) {
        this.#sessions.delete(id);
        for (const { host } of held.terminals.values()) void this.#free(id, host);
        return;
      }
      held.session = successor;
      successor.onEnd(ended);
      for (const terminal of held.terminals.values()) showAgain(successor, terminal);
    };
    session.onEnd(ended);
    return held;
  }

  async #free(sessionId: string, terminal: HostTerminal): Promise<void> {
    try {
      await terminal.release();
    } catch (error) {
      this.#report({ code: "listener_failed", message: "A terminal could not be released.", sessionId, error });
    }
  }
}

/** Adds a terminal to the state of the session. Listeners get the command and its exit. Output only changes the state. */
function show(held: Held, { host, start }: Terminal): void {
  const { terminalId } = start;
  held.session.feed.publish(start);
  host.onData((bytes) => held.session.feed.apply({ type: "terminal_output_chunk", terminalId, data: toBase64(bytes) }));
  host.exited.then(
    (exitStatus) => held.session.feed.publish({ type: "terminal_update", terminalId, exitStatus }),
    () => held.session.feed.publish({ type: "terminal_update", terminalId, exitStatus: {} }),
  );
}

/** Adds a terminal with its output so far to the state of the restored session. */
function showAgain({ feed }: HostedSession, { host, start }: Terminal): void {
  const { output, exitStatus } = host.output();
  const data = toBase64(new TextEncoder().encode(output));
  feed.publish({ ...start, output: { data }, ...(exitStatus && { exitStatus }) });
}
