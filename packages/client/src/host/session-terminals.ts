import { type Diagnostic, RpcError } from "@turnkit/transport";
import type { HostSession } from "./files.js";
import type { HostedSession } from "./hosted-session.js";
import type { CreateTerminal, HostTerminal, TerminalHost } from "./terminals.js";

/** Terminals that one session may hold at a time, those that are starting included; one more is refused. */
const MAX_TERMINALS = 100;

type Held = { readonly terminals: Map<string, HostTerminal>; starting: number };

/** The terminals of the sessions of one connection. They all go with their session (V1-TERM-17). */
export class SessionTerminals {
  readonly #host: TerminalHost;
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #sessions = new Map<HostedSession, Held>();

  constructor(host: TerminalHost, report: (diagnostic: Diagnostic) => void) {
    this.#host = host;
    this.#report = report;
  }

  /** Answers with the terminal's id as soon as the host has started the command (V1-TERM-03). */
  async create(session: HostedSession, request: CreateTerminal, place: HostSession): Promise<string> {
    const held = this.#of(session);
    if (held.terminals.size + held.starting >= MAX_TERMINALS) {
      throw RpcError.internalError(`the session has ${MAX_TERMINALS} terminals already: release some`);
    }
    held.starting += 1;
    let terminal: HostTerminal;
    try {
      terminal = await this.#host.create(request, place);
    } finally {
      held.starting -= 1;
    }
    if (place.signal.aborted) {
      await this.#free(session, terminal);
      throw RpcError.requestCancelled();
    }
    const terminalId = crypto.randomUUID();
    held.terminals.set(terminalId, terminal);
    show(session, terminalId, request, terminal);
    return terminalId;
  }

  /** @throws RpcError `-32002` for a terminal that is unknown, released, or another session's (V1-TERM-16) */
  find(session: HostedSession, terminalId: string): HostTerminal {
    const terminal = this.#sessions.get(session)?.terminals.get(terminalId);
    if (terminal === undefined) throw RpcError.resourceNotFound({ terminalId });
    return terminal;
  }

  async release(session: HostedSession, terminalId: string): Promise<void> {
    const terminal = this.find(session, terminalId);
    this.#sessions.get(session)?.terminals.delete(terminalId);
    await terminal.release();
  }

  #of(session: HostedSession): Held {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    const held: Held = { terminals: new Map(), starting: 0 };
    this.#sessions.set(session, held);
    session.onEnd(() => {
      this.#sessions.delete(session);
      for (const terminal of held.terminals.values()) void this.#free(session, terminal);
    });
    return held;
  }

  async #free({ id: sessionId }: HostedSession, terminal: HostTerminal): Promise<void> {
    try {
      await terminal.release();
    } catch (error) {
      this.#report({ code: "listener_failed", message: "A terminal could not be released.", sessionId, error });
    }
  }
}

/** Shows a terminal in the session's state: its command to listeners, its output as it comes to the state alone. */
function show(session: HostedSession, terminalId: string, request: CreateTerminal, terminal: HostTerminal): void {
  const command = [request.command, ...(request.args ?? [])].join(" ");
  session.feed.publish({ type: "terminal_update", terminalId, command, cwd: request.cwd ?? session.cwd });
  terminal.onData((bytes) => session.feed.apply({ type: "terminal_output_chunk", terminalId, data: toBase64(bytes) }));
  terminal.exited.then(
    (exitStatus) => session.feed.publish({ type: "terminal_update", terminalId, exitStatus }),
    () => session.feed.publish({ type: "terminal_update", terminalId, exitStatus: {} }),
  );
}

/** In pieces: `String.fromCharCode` takes its characters as arguments, of which there is a limit. */
function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += 8192) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 8192));
  }
  return btoa(binary);
}
