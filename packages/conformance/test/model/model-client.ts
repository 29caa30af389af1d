import { ByteLines } from "../../src/byte-lines.js";
import type { ClientExit, ClientPipe, ClientTask } from "../../src/client/client-pipe.js";
import type { Dialect, DialectName } from "../../src/dialects/dialect.js";
import { dialects } from "../../src/dialects/dialects.js";
import { ModelFolder } from "./model-folder.js";
import { failure, type Loose, type ModelTerminal } from "./model-session.js";

type Change = (frame: Loose, client: ModelClient) => unknown;

/** Request or notification of the agent. */
export type ClientHandler = (params: Loose, frame: Loose) => unknown;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Correct client for one prompt, without any library of the workspace but the schemas. A mutant changes one of its
 * handlers, its steps, or what it reads and writes.
 */
export class ModelClient {
  readonly dialect: Dialect;
  readonly folder = new ModelFolder();
  readonly handlers = new Map<string, ClientHandler>();
  readonly notifications = new Map<string, (params: Loose) => void>();
  /** Called at Ctrl-C. */
  onInterrupt = () => {};
  /** Called when the agent's output has ended. */
  onAgentEnd = () => void setTimeout(() => this.quit(1), 0);
  /** Called before the client ends. */
  onQuit = () => {
    this.endTerminals();
    this.endAgent();
  };
  /** `true` while params are validated. */
  validates = true;
  printed = "";
  stderr = "";
  readonly terminals = new Map<unknown, ModelTerminal>();
  /** Ends the commands of all terminals. */
  endTerminals = () => {};
  /** Child sessions that the agent has announced. */
  readonly children = new Set<unknown>();
  /** Reads bytes of the agent. */
  readBytes = (bytes: Uint8Array): Uint8Array => bytes;
  /** Number of lines that are read of one write. */
  linesOfWrite = Number.POSITIVE_INFINITY;
  /** `true` if a last line without an end is read. */
  readsUnended = true;
  /** Called for bytes on the agent's stderr. */
  onComplaint = (bytes: number): void => {
    this.stderr = `${bytes} bytes`;
  };
  /** `true` while nobody answers questions. */
  holdsQuestions = false;
  /** Task of the client. */
  task: ClientTask = {};
  readonly #outgoing: Change[] = [];
  readonly #incoming: Change[] = [];
  readonly #cancels: (() => void)[] = [];
  readonly #lines = new ByteLines();
  readonly #open = new Map<unknown, (frame: Loose) => void>();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #exit: (exit: ClientExit) => void = () => {};
  #agentGone = () => {};
  #nextId = 0;
  isEnded = false;
  #isAgentGone = false;
  readonly exited = new Promise<ClientExit>((resolve) => {
    this.#exit = resolve;
  });
  readonly agentGone = new Promise<void>((resolve) => {
    this.#agentGone = resolve;
  });

  constructor(dialect: DialectName) {
    this.dialect = dialects[dialect];
  }

  get pipe(): ClientPipe {
    return {
      readable: new ReadableStream<Uint8Array>({
        start: (controller) => {
          this.#controller = controller;
        },
      }),
      writable: new WritableStream<Uint8Array>({
        write: (bytes) => {
          const lines = this.#lines.add(this.readBytes(bytes));
          for (const line of lines.slice(0, this.linesOfWrite)) this.readLine(decoder.decode(line));
        },
        close: () => {
          if (this.readsUnended) for (const line of this.#lines.end()) this.readLine(decoder.decode(line));
          this.agentEnded();
        },
      }),
      agent: {
        exit: () => {
          this.agentEnded();
          this.agentLeft();
        },
        closeOutput: () => this.agentEnded(),
        complain: (bytes) => this.onComplaint(bytes),
        gone: this.agentGone,
      },
      folder: this.folder,
      exited: this.exited,
      stdout: () => this.printed,
      stderr: () => this.stderr,
      interrupt: () => this.onInterrupt(),
      kill: async () => this.quit(null),
    };
  }

  agentEnded(): void {
    if (!this.isEnded) this.onAgentEnd();
  }

  agentLeft(): void {
    this.#isAgentGone = true;
    this.#agentGone();
  }

  get isAgentGone(): boolean {
    return this.#isAgentGone;
  }

  /** Closes the agent's input, and ends the agent. */
  endAgent(): void {
    this.closeInput();
    this.agentLeft();
  }

  closeInput(): void {
    try {
      this.#controller?.close();
    } catch {
      // It was closed before.
    }
  }

  quit(code: number | null): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.onQuit();
    this.#exit({ code });
  }

  /** Adds a function that is called when the user cancels. */
  onCancel(then: () => void): void {
    this.#cancels.push(then);
  }

  emitCancel(): void {
    for (const then of this.#cancels) then();
  }

  /** Changes frames that the client writes: to another one, several, or none. */
  outgoing(change: Change): void {
    this.#outgoing.push(change);
  }

  /** Changes frames that the client reads. */
  incoming(change: Change): void {
    this.#incoming.push(change);
  }

  /** Changes the params of a call that the client sends. */
  call(method: string, change: (params: Loose) => unknown): void {
    this.outgoing((frame) => (frame.method === method ? { ...frame, params: change(frame.params) } : frame));
  }

  /** Changes the results of a method that the agent calls. */
  result(method: string, change: (result: Loose, params: Loose) => unknown): void {
    const handler = this.handlers.get(method) as ClientHandler;
    this.handlers.set(method, async (params, frame) => change((await handler(params, frame)) as Loose, params));
  }

  /** Adds a function that sees updates first. It returns `false` for updates that are dropped. */
  onUpdate(before: (params: Loose) => boolean | void): void {
    const handler = this.notifications.get("session/update");
    this.notifications.set("session/update", (params) => {
      if (before(params) !== false) handler?.(params);
    });
  }

  write(frame: Loose): void {
    for (const one of changed(this.#outgoing, frame, this))
      this.text(typeof one === "string" ? one : `${JSON.stringify(one)}\n`);
  }

  text(text: string): void {
    this.bytes(encoder.encode(text));
  }

  bytes(bytes: Uint8Array): void {
    if (!this.isEnded) this.#controller?.enqueue(bytes);
  }

  notify(method: string, params: object): void {
    this.write({ jsonrpc: "2.0", method, params });
  }

  ask(method: string, params: object): Promise<Loose> {
    const id = this.#nextId++;
    const answer = new Promise<Loose>((resolve) => this.#open.set(id, resolve));
    this.write({ jsonrpc: "2.0", id, method, params });
    return answer;
  }

  print(text: string): void {
    this.printed += text;
  }

  readLine(line: string): void {
    if (line.trim() === "" || this.isEnded) return;
    let frame: unknown;
    try {
      frame = JSON.parse(line);
    } catch {
      return;
    }
    if (typeof frame !== "object" || frame === null || Array.isArray(frame)) return this.refuse();
    for (const one of changed(this.#incoming, frame as Loose, this)) this.receive(one as Loose);
  }

  /** Answers a line that is JSON, but no message. */
  refuse(): void {
    this.write({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid request" } });
  }

  receive(frame: Loose): void {
    if (typeof frame.method === "string") {
      if ("id" in frame) void this.request(frame);
      else this.notified(frame);
    } else if ("result" in frame || "error" in frame) {
      this.#open.get(frame.id)?.(frame);
      this.#open.delete(frame.id);
    }
  }

  notified({ method, params }: Loose): void {
    const row = this.dialect.contract[method];
    if (row?.params["~standard"].validate(params ?? {}).issues) return;
    this.notifications.get(method)?.(params ?? {});
  }

  async request(frame: Loose): Promise<void> {
    const { id, method, params } = frame;
    try {
      const result = await this.handle(method, params, frame);
      this.write({ jsonrpc: "2.0", id, result });
    } catch (error) {
      const { rpc } = error as { rpc?: Loose };
      this.write({ jsonrpc: "2.0", id, error: rpc ?? { code: -32603, message: String(error) } });
    }
  }

  handle(method: string, params: Loose | undefined, frame: Loose): unknown {
    const handler = this.handlers.get(method);
    if (handler === undefined) throw failure(-32601, `Method not found: ${method}`, { method });
    const schema = this.dialect.contract[method]?.params;
    if (this.validates && schema?.["~standard"].validate(params ?? {}).issues) throw failure(-32602, "Invalid params");
    return handler(params ?? {}, frame);
  }
}

function changed(changes: readonly Change[], frame: Loose, client: ModelClient): readonly unknown[] {
  let frames: unknown[] = [frame];
  for (const change of changes) {
    frames = frames.flatMap((one) => {
      if (typeof one !== "object" || one === null || Array.isArray(one)) return [one];
      const other = change(one as Loose, client);
      return other === undefined ? [] : (other as unknown[]);
    });
  }
  return frames;
}
