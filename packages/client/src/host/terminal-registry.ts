import type { CreateTerminalRequest, TerminalOutputRequest } from "@turnkit/schema/v1";
import { type InboundCall, RpcError } from "@turnkit/transport";
import type { Desk } from "../driver/driver.js";
import type { LiveSession } from "../session.js";
import { inPlace } from "./file-routes.js";
import type { CreateTerminal, HostTerminal, TerminalHost } from "./terminals.js";

type Names = Pick<TerminalOutputRequest, "sessionId" | "terminalId">;

/** Terminals that one session may hold at a time; one more is refused. */
export const MAX_TERMINALS = 100;

/** The terminals of every session of one connection, and the `terminal/*` handlers for them. */
export class TerminalRegistry {
  readonly #host: TerminalHost;
  readonly #desk: Desk;
  readonly #sessions = new Map<LiveSession, Map<string, HostTerminal>>();

  constructor(host: TerminalHost, desk: Desk) {
    this.#host = host;
    this.#desk = desk;
  }

  routes() {
    return {
      "terminal/create": ({ sessionId, ...command }: CreateTerminalRequest, call: InboundCall) => {
        const session = this.#desk.session(sessionId);
        return inPlace(session, call, async (place) => ({
          terminalId: await this.#create(session, command, this.#host.create(command, place)),
        }));
      },
      "terminal/output": (names: Names) => this.#find(names).output(),
      "terminal/wait_for_exit": (names: Names) => this.#find(names).exited,
      "terminal/kill": async (names: Names) => {
        await this.#find(names).kill();
        return {};
      },
      "terminal/release": async (names: Names) => {
        const terminal = this.#find(names);
        this.#ofSession(this.#desk.session(names.sessionId)).delete(names.terminalId);
        await terminal.release();
        return {};
      },
    };
  }

  async #create(
    session: LiveSession,
    { command, args = [], cwd }: CreateTerminal,
    creating: HostTerminal | Promise<HostTerminal>,
  ): Promise<string> {
    const terminal = await creating;
    const terminals = this.#ofSession(session);
    if (session.signal.aborted || terminals.size >= MAX_TERMINALS) {
      await terminal.release();
      throw RpcError.internalError(`session ${session.id} can hold no more terminals`);
    }
    const terminalId = crypto.randomUUID();
    terminals.set(terminalId, terminal);
    session.tell({
      type: "terminal_update",
      terminalId,
      command: [command, ...args].join(" "),
      cwd: cwd ?? session.cwd,
    });
    terminal.onData((bytes) => session.fold({ type: "terminal_output_chunk", terminalId, data: toBase64(bytes) }));
    void terminal.exited.then((exitStatus) => session.tell({ type: "terminal_update", terminalId, exitStatus }));
    return terminalId;
  }

  /** @throws RpcError `-32002` for a terminal that is unknown, released, or another session's (V1-TERM-16) */
  #find({ sessionId, terminalId }: Names): HostTerminal {
    const terminal = this.#sessions.get(this.#desk.session(sessionId))?.get(terminalId);
    if (terminal === undefined) throw RpcError.resourceNotFound({ terminalId });
    return terminal;
  }

  /** Made with the first terminal; they all go with the session (V1-TERM-17). */
  #ofSession(session: LiveSession): Map<string, HostTerminal> {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    const terminals = new Map<string, HostTerminal>();
    this.#sessions.set(session, terminals);
    session.signal.addEventListener("abort", () => {
      this.#sessions.delete(session);
      for (const terminal of terminals.values()) void terminal.release();
    });
    return terminals;
  }
}

/** In pieces: `String.fromCharCode` takes its characters as arguments, of which there is a limit. */
function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += 8192) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 8192));
  }
  return btoa(binary);
}
