import { PassThrough, Writable } from "node:stream";
import { createAgent, type Diagnostic, RpcError } from "@turnkit/agent";
import { connect, type Session } from "@turnkit/client";
import type { CloseReason } from "@turnkit/transport";
import { createStdioChannel } from "@turnkit/transport/node";
import { hellos, target } from "./hostile-frames.js";
import type { Frame } from "./raw-pipe.js";

/** One side of ours with one session, and the far end of its pipe as bare bytes. */
export type Attacked = {
  readonly wire: AttackWire;
  readonly diagnostics: readonly Diagnostic[];
  readonly closed: Promise<CloseReason>;
  /** A good request is answered, and the session is as it was unless it was talked in. */
  stillWorks(session: "talked in" | "as it was"): Promise<void>;
  /** Our client, where that is the side under attack: what it asks, and its session. */
  readonly mine?: { ask(): Promise<unknown>; readonly session: Session };
};

export class AttackWire {
  /** Frames that the attacked side sent, in order. */
  readonly frames: Frame[] = [];
  readonly input = new PassThrough();
  /** Set to keep what it sends from being taken. */
  stuck = false;
  #rest = "";
  #held: (() => void)[] = [];
  readonly #waiting = new Set<() => void>();

  readonly output = new Writable({
    decodeStrings: false,
    write: (chunk: Buffer | string, _encoding, done) => {
      if (this.stuck) this.#held.push(done);
      else {
        this.#read(chunk.toString());
        done();
      }
    },
  });

  write(bytes: string | Uint8Array): void {
    this.input.write(bytes);
  }

  /** One frame as a line of its own. */
  send(...frames: object[]): void {
    this.write(frames.map((frame) => `${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`).join(""));
  }

  /** Settles with the first frame, past or future, that fits. */
  async next(fits: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  answerTo(id: unknown): Promise<Frame> {
    return this.next((frame) => frame.id === id && !("method" in frame));
  }

  /** Everything that was written so far has been read and handled. */
  async handled(): Promise<void> {
    const id = `handled ${this.frames.length} ${Math.random()}`;
    this.send({ id, method: "_example/none" });
    await this.answerTo(id);
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.frames.push(JSON.parse(line) as Frame);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const look of waiting) look();
  }
}

/** Our agent after `initialize` and `session/new`, with calls of both kinds open for attack. */
export async function attackedAgent(greeted: "greeted" | "not greeted" = "greeted"): Promise<Attacked> {
  const wire = new AttackWire();
  const diagnostics: Diagnostic[] = [];
  const prompts: string[] = [];
  const agent = createAgent({
    info: { name: "attacked", version: "1.0.0" },
    newSession: ({ cwd }) => {
      if (cwd !== "/good") throw RpcError.internalError("no");
    },
    prompt: (turn) => void prompts.push(turn.session.id),
    extensions: {
      "_example/echo": (params) => ({ params }),
      "_example/wait": (_, signal) => new Promise((_r, reject) => signal.addEventListener("abort", reject)),
      "_example/large": () => ({ text: "x".repeat(1024 * 1024) }),
    },
  });
  const channel = createStdioChannel({ input: wire.input, output: wire.output, flushMs: 100 });
  const served = agent.serve(channel, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
  let count = 0;
  const open = async () => {
    wire.send({ id: `new ${++count}`, method: "session/new", params: { cwd: "/good", mcpServers: [] } });
    return (await wire.answerTo(`new ${count}`)).result.sessionId as string;
  };
  if (greeted === "greeted") {
    wire.send({ id: "hello", method: "initialize", params: hellos.v1 });
    await wire.answerTo("hello");
  }
  const session = greeted === "greeted" ? await open() : undefined;
  return {
    wire,
    diagnostics,
    closed: served.closed,
    async stillWorks() {
      if (prompts.length > 0) throw new Error("A prompt ran that nobody sent.");
      const sessionId = session ?? (await greet(wire).then(open));
      const prompt = [{ type: "text", text: "hi" }];
      wire.send({ id: "good", method: "session/prompt", params: { sessionId, prompt } });
      const { result } = await wire.answerTo("good");
      if (result?.stopReason !== "end_turn" || prompts.join() !== sessionId) throw new Error("It does not work.");
    },
  };
}

async function greet(wire: AttackWire): Promise<void> {
  wire.send({ id: "late hello", method: "initialize", params: hellos.v1 });
  await wire.answerTo("late hello");
}

/** Our client with one session. */
export async function attackedClient(): Promise<Attacked> {
  const wire = new AttackWire();
  const diagnostics: Diagnostic[] = [];
  const channel = createStdioChannel({ input: wire.input, output: wire.output, flushMs: 100 });
  const connecting = connect(channel, {
    info: { name: "attacked", version: "1.0.0" },
    extensions: {
      "_example/echo": (params) => ({ params }),
      "_example/wait": (_, signal) => new Promise((_r, reject) => signal.addEventListener("abort", reject)),
      "_example/large": () => ({ text: "x".repeat(1024 * 1024) }),
    },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  const { id } = await wire.next(({ method }) => method === "initialize");
  wire.send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  const client = await connecting;
  const opening = client.newSession({ cwd: "/srv/otter" });
  const { id: newId } = await wire.next(({ method }) => method === "session/new");
  wire.send({ id: newId, result: { sessionId: target } });
  const session = await opening;
  return {
    wire,
    diagnostics,
    closed: client.closed,
    mine: { ask: () => client.request("_example/ask", {}), session },
    async stillWorks(before) {
      const isQuiet = session.state.timeline.length === 0;
      if (isQuiet !== (before === "as it was")) throw new Error("The session is not as it should be.");
      const { length } = wire.frames;
      const turn = session.prompt("hi");
      const isNew = (frame: Frame) => wire.frames.indexOf(frame) >= length;
      const { id } = await wire.next((frame) => isNew(frame) && frame.method === "session/prompt");
      wire.send({ id, result: { stopReason: "end_turn" } });
      if ((await turn.ended).stopReason !== "end_turn") throw new Error("It does not work.");
    },
  };
}
