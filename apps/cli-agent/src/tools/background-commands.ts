import { EventEmitter, once } from "node:events";
import { StringDecoder } from "node:string_decoder";
import type { AgentSession, AgentTerminal, AgentTerminalStart, ClientTerminal, TerminalExit } from "@turnkit/agent";
import { createLocalTerminals } from "@turnkit/agent/node";
import { ByteRing } from "@turnkit/transport/node";
import { ToolError } from "../errors.js";
import { describeExit, settledOutput } from "./command-output.js";

/** Maximum number of commands that run, and of ended commands that are listed. */
const MAX_RUNNING = 8;
const MAX_ENDED = 20;

/** Size of the output that waits for the model, in bytes. The oldest output is dropped first. */
const MAX_UNREAD_BYTES = 32 * 1024;

type Session = Pick<AgentSession<unknown>, "cwd" | "roots" | "signal" | "terminal" | "setBackground">;

type Options = {
  readonly env: () => Readonly<Record<string, string | undefined>>;
  /** Time between SIGTERM and SIGKILL, in milliseconds. */
  readonly graceMs: number;
};

type Command = {
  readonly line: string;
  readonly terminal: ClientTerminal;
  readonly output: UnreadOutput;
  exit?: TerminalExit;
};

export type BackgroundCommands = ReturnType<typeof createBackgroundCommands>;

/**
 * Creates the list of the background commands of a session. Each command runs in a terminal of the agent, which the
 * client shows and can cancel. A client that supports background work gets the list as background work. All commands
 * end with the session, and with this process.
 */
export function createBackgroundCommands(session: Session, { env, graceMs }: Options) {
  const commands = new Map<string, Command>();
  let serial = 0;
  const running = () => [...commands.values()].filter(({ exit }) => exit === undefined);
  const report = () => {
    if (session.signal.aborted) return;
    session.setBackground(running().map(({ terminal: { terminalId } }) => ({ type: "terminal" as const, terminalId })));
  };
  const find = (id: string): Command => {
    const command = commands.get(id);
    if (command) return command;
    const known = [...commands.keys()].join(", ");
    throw new ToolError(
      "not_found",
      `There is no background command ${id}. ${known === "" ? "None was started, or the agent was restarted." : `There are ${known}.`}`,
    );
  };
  return {
    /**
     * Starts a command.
     *
     * @throws ToolError `denied` if {@link MAX_RUNNING} commands run, and the error of a command that does not start
     */
    async start({ line, argv, cwd }: Start): Promise<{ readonly id: string; readonly terminalId: string }> {
      if (running().length >= MAX_RUNNING) {
        throw new ToolError(
          "denied",
          `${MAX_RUNNING} commands run in the background already: end one with stop_command.`,
        );
      }
      const output = createUnreadOutput();
      const terminals = createLocalTerminals(observed(session, line, output), { env: env(), graceMs });
      const [program, ...args] = argv;
      const terminal = await terminals.create({ command: program, args, cwd, outputByteLimit: 1 });
      const id = String(++serial);
      const command: Command = { line, terminal, output };
      commands.set(id, command);
      const ended = [...commands].filter(([, { exit }]) => exit !== undefined);
      for (const [oldest] of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) commands.delete(oldest);
      report();
      void terminal.waitForExit().then(async (exit) => {
        // The processes that the command has started end with it.
        await terminal.release();
        command.exit = exit;
        output.wake();
        report();
      });
      return { id, terminalId: terminal.terminalId };
    },
    /**
     * Returns the output that was not returned before, and the state of the command. Waits for the end of the command, or
     * also for new output.
     *
     * @throws ToolError `not_found`, or the reason of the signal
     */
    async read(id: string, { waitMs, until, signal }: Reading): Promise<string> {
      const command = find(id);
      const isDone = () => command.exit !== undefined || (until === "output" && !command.output.isEmpty);
      await command.output.wait({ ms: waitMs, signal, isDone });
      return `${command.output.take()}\n${stateOf(command)}`;
    },
    /** Ends a command and all processes that it has started. Returns the rest of its output. */
    async stop(id: string): Promise<string> {
      const command = find(id);
      const wasRunning = command.exit === undefined;
      await command.terminal.kill();
      return `${command.output.take()}\n${wasRunning ? "It was stopped." : stateOf(command)}`;
    },
    isRunning: (id: string): boolean => commands.get(id) !== undefined && commands.get(id)?.exit === undefined,
    lineOf: (id: string): string => find(id).line,
    /** Returns one line for each command, the oldest first. */
    list: (): string => {
      const lines = [...commands].map(([id, command]) => `${id}  ${command.line}  (${stateOf(command)})`);
      return lines.join("\n") || "No command runs in the background.";
    },
  };
}

type Reading = { readonly waitMs: number; readonly until: "output" | "end"; readonly signal: AbortSignal };
type Start = { readonly line: string; readonly argv: readonly [string, ...string[]]; readonly cwd: string };

const stateOf = ({ exit }: Command): string => (exit === undefined ? "It is running." : describeExit(exit));

/** Returns a session whose terminals show `line` as their command, and whose output is also collected. */
function observed(session: Session, line: string, output: UnreadOutput) {
  const { cwd, roots, signal } = session;
  return {
    ...{ cwd, roots, signal },
    terminal(start?: AgentTerminalStart): AgentTerminal {
      const shown = session.terminal({ ...start, command: line });
      return {
        terminalId: shown.terminalId,
        write(chunk) {
          output.add(chunk);
          return shown.write(chunk);
        },
        exit: (status) => shown.exit(status),
      };
    },
  };
}

type UnreadOutput = ReturnType<typeof createUnreadOutput>;

function createUnreadOutput() {
  const decoder = new StringDecoder("utf8");
  let ring = new ByteRing(MAX_UNREAD_BYTES);
  let isEmpty = true;
  const changes = new EventEmitter();
  changes.setMaxListeners(0);
  const wake = () => void changes.emit("change");
  return {
    add(chunk: Uint8Array | string): void {
      const text = typeof chunk === "string" ? chunk : decoder.write(Buffer.from(chunk));
      if (text === "") return;
      isEmpty = false;
      ring.append(Buffer.from(text));
      wake();
    },
    take(): string {
      const text = settledOutput(ring.text()).trimEnd();
      const head = ring.truncated ? "[the beginning of the new output was dropped]\n" : "";
      ring = new ByteRing(MAX_UNREAD_BYTES);
      isEmpty = true;
      return text === "" ? "[no new output]" : head + text;
    },
    wake,
    get isEmpty(): boolean {
      return isEmpty;
    },
    /**
     * Waits until a condition holds, or until a time limit. The condition is checked after each output and each `wake`.
     * Throws the reason of the signal.
     */
    async wait({ ms, signal, isDone }: Waiting): Promise<void> {
      const deadline = AbortSignal.timeout(ms);
      while (!isDone() && !deadline.aborted) {
        signal.throwIfAborted();
        await once(changes, "change", { signal: AbortSignal.any([signal, deadline]) }).catch(() => undefined);
      }
      signal.throwIfAborted();
    },
  };
}

type Waiting = { readonly ms: number; readonly signal: AbortSignal; readonly isDone: () => boolean };
