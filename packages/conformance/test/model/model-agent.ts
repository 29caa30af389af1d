import type { AgentPipe } from "../../src/agent/agent-pipe.js";
import { ByteLines } from "../../src/byte-lines.js";
import type { Dialect, DialectName } from "../../src/dialects/dialect.js";
import { dialects } from "../../src/dialects/dialects.js";
import { defaultPrompts, type PromptName } from "../../src/prompts.js";
import { failure, type Loose, type ModelSession } from "./model-session.js";

export type Handler = (params: Loose, call: Loose) => unknown;
/** Change of a frame: another frame, several, or none. */
type Change = (frame: Loose, agent: ModelAgent) => unknown;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Correct agent without any library of the workspace but the schemas. A mutant changes one of its handlers, or what it
 * writes.
 */
export class ModelAgent {
  readonly dialect: Dialect;
  readonly handlers = new Map<string, Handler>();
  readonly notifications = new Map<string, (params: Loose) => void>();
  readonly sessions = new Map<string, ModelSession>();
  readonly texts = new Map<string, PromptName>(
    Object.entries(defaultPrompts).map(([name, text]) => [text, name as PromptName]),
  );
  /** Params of `initialize`. */
  client: Loose | undefined;
  /** `true` while params are validated. */
  validates = true;
  stderr = "";
  readonly #changes: Change[] = [];
  readonly #lines = new ByteLines();
  readonly #open = new Map<unknown, (frame: Loose) => void>();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #nextId = 0;
  #isEnded = false;

  constructor(dialect: DialectName) {
    this.dialect = dialects[dialect];
  }

  get pipe(): AgentPipe {
    return {
      readable: new ReadableStream<Uint8Array>({
        start: (controller) => {
          this.#controller = controller;
        },
      }),
      writable: new WritableStream<Uint8Array>({
        write: (bytes) => this.readBytes(bytes),
        close: () => {
          for (const line of this.#lines.end()) this.readLine(decoder.decode(line));
          this.inputEnded();
        },
      }),
      stderr: () => this.stderr,
      kill: async () => this.end(),
    };
  }

  /** Changes frames that the agent writes. */
  outgoing(change: Change): void {
    this.#changes.push(change);
  }

  /** Changes the results of a method. */
  result(method: string, change: (result: Loose, params: Loose) => unknown): void {
    const handler = this.handlers.get(method) as Handler;
    this.handlers.set(method, async (params, call) => change((await handler(params, call)) as Loose, params));
  }

  /** Changes updates of a kind: another update, several, or none. */
  update(kind: string, change: (update: Loose) => unknown): void {
    this.outgoing((frame) => {
      if (frame.params?.update?.sessionUpdate !== kind) return frame;
      const changed = change(frame.params.update);
      const list = changed === undefined ? [] : Array.isArray(changed) ? changed : [changed];
      return list.map((update) => ({ ...frame, params: { ...frame.params, update } }));
    });
  }

  /** Changes the params of a request or notification that the agent sends. */
  call(method: string, change: (params: Loose) => unknown): void {
    this.outgoing((frame) => (frame.method === method ? { ...frame, params: change(frame.params) } : frame));
  }

  /** Adds a change before a notification is handled. */
  onNotification(method: string, before: (params: Loose) => boolean): void {
    const handler = this.notifications.get(method);
    this.notifications.set(method, (params) => {
      if (before(params)) handler?.(params);
    });
  }

  /** Writes one frame, after all changes. */
  write(frame: Loose): void {
    let frames: unknown[] = [frame];
    for (const change of this.#changes) {
      frames = frames.flatMap((one) => {
        if (typeof one !== "object" || one === null || Array.isArray(one)) return [one];
        const changed = change(one as Loose, this);
        return changed === undefined ? [] : (changed as unknown[]);
      });
    }
    for (const one of frames) this.text(typeof one === "string" ? one : `${JSON.stringify(one)}\n`);
  }

  text(text: string): void {
    this.bytes(encoder.encode(text));
  }

  bytes(bytes: Uint8Array): void {
    if (!this.#isEnded) this.#controller?.enqueue(bytes);
  }

  notify(method: string, params: object): void {
    this.write({ jsonrpc: "2.0", method, params });
  }

  say(sessionId: string, update: object): void {
    this.notify("session/update", { sessionId, update });
  }

  /** Sends a request to the client. Returns its answer and its id. */
  ask(method: string, params: object): { id: number; answer: Promise<Loose> } {
    const id = this.#nextId++;
    const answer = new Promise<Loose>((resolve) => this.#open.set(id, resolve));
    this.write({ jsonrpc: "2.0", id, method, params });
    return { id, answer };
  }

  inputEnded(): void {
    for (const session of this.sessions.values()) session.turn?.abort();
    this.end();
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#controller?.close();
  }

  /** Answers a line that is no message. */
  refuse(code: number, message: string): void {
    this.write({ jsonrpc: "2.0", id: null, error: { code, message } });
  }

  readBytes(bytes: Uint8Array): void {
    for (const line of this.#lines.add(bytes)) this.readLine(decoder.decode(line));
  }

  readLine(line: string): void {
    if (line.trim() === "") return;
    let frame: unknown;
    try {
      frame = JSON.parse(line);
    } catch {
      this.refuse(-32700, "Parse error");
      return;
    }
    this.receive(frame);
  }

  receive(value: unknown): void {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.refuse(-32600, "Invalid request");
      return;
    }
    const frame = value as Loose;
    if (typeof frame.method === "string") {
      if ("id" in frame) void this.request(frame);
      else this.notified(frame);
    } else if ("id" in frame || "result" in frame || "error" in frame) {
      this.#open.get(frame.id)?.(frame);
      this.#open.delete(frame.id);
    } else this.refuse(-32600, "Invalid request");
  }

  notified({ method, params }: Loose): void {
    if (this.client === undefined) return;
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
    if (this.client === undefined && method !== "initialize") throw failure(-32600, "Not initialized");
    const handler = this.handlers.get(method);
    if (handler === undefined) throw failure(-32601, `Method not found: ${method}`, { method });
    const row = this.dialect.contract[method];
    const isOther =
      method === "initialize" &&
      params?.protocolVersion !== this.dialect.version &&
      Number.isInteger(params?.protocolVersion);
    if (this.validates && row !== undefined && !isOther) {
      const read = row.params["~standard"].validate(params ?? {});
      if (read.issues) throw failure(-32602, `Invalid params: ${read.issues[0]?.message}`);
    }
    return handler(params ?? {}, frame);
  }
}
