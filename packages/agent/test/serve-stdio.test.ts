import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, type TestContext, test } from "vitest";
import { createAgent } from "../src/index.js";
import { serveStdio } from "../src/node/index.js";
import type { Frame } from "./raw-client.js";

const info = { name: "agent", version: "1.0.0" };

const fixture: string = JSON.parse(process.env.TURNKIT_TEST_PROGRAMS ?? "{}")[
  fileURLToPath(new URL("./fixtures/main.ts", import.meta.url))
];

/** An agent in a process of its own, spoken to in lines. */
class StdioAgent {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: string[] = [];
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  stderr = "";
  #changed: (() => void)[] = [];
  #nextId = 1;

  constructor({ onTestFinished }: Pick<TestContext, "onTestFinished">, ...args: readonly string[]) {
    this.child = spawn(process.execPath, [fixture, ...args]);
    this.child.stdin.on("error", () => undefined);
    this.exited = once(this.child, "close").then(([code, signal]) => ({ code, signal }));
    createInterface({ input: this.child.stdout }).on("line", (line) => this.#note(() => this.lines.push(line)));
    this.child.stderr.on("data", (chunk) =>
      this.#note(() => {
        this.stderr += chunk;
      }),
    );
    onTestFinished(() => {
      this.child.kill("SIGKILL");
    });
  }

  get frames(): Frame[] {
    return this.lines.map((line) => JSON.parse(line) as Frame);
  }

  /** Settles when what came so far, or comes later, satisfies. */
  async until<T>(look: () => T | undefined | false): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined && found !== false) return found;
      await new Promise<void>((resolve) => this.#changed.push(resolve));
    }
  }

  send(method: string, params: object, more: object = {}): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method, params, ...more })}\n`);
  }

  ask(method: string, params: object): number {
    const id = this.#nextId++;
    this.send(method, params, { id });
    return id;
  }

  answer(id: number): Promise<Frame> {
    return this.until(() => this.frames.find((frame) => frame.id === id));
  }

  said(text: string): Promise<Frame> {
    return this.until(() => this.frames.find(({ params }) => params?.update?.content?.text === text));
  }

  async open(): Promise<string> {
    await this.answer(this.ask("initialize", { protocolVersion: 1 }));
    return (await this.answer(this.ask("session/new", { cwd: "/work", mcpServers: [] }))).result.sessionId;
  }

  prompt(sessionId: string, text: string): number {
    return this.ask("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }

  #note(change: () => void): void {
    change();
    const changed = this.#changed;
    this.#changed = [];
    for (const resolve of changed) resolve();
  }
}

describe.concurrent("serveStdio", { timeout: 20_000 }, () => {
  test("V1-STDIO-03, V2-TRA-02: stray output goes to stderr and never to stdout", async (context) => {
    const agent = new StdioAgent(context);
    const sessionId = await agent.open();
    expect((await agent.answer(agent.prompt(sessionId, "hi"))).result).toEqual({ stopReason: "end_turn" });
    await agent.until(() => agent.frames.find(({ params }) => params?.update?.title === "written"));
    agent.child.stdin.end();
    expect(await agent.exited).toEqual({ code: 0, signal: null });
    for (const frame of agent.frames) expect(frame).toMatchObject({ jsonrpc: "2.0" });
    for (const stray of ["at import", "write at import", "in newSession", "in prompt", "write in prompt"]) {
      expect(agent.stderr).toContain(`stray ${stray}`);
      expect(agent.lines.join()).not.toContain(`stray ${stray}`);
    }
    expect(agent.stderr).toContain("session closed");
    expect(agent.stderr).toContain("ended: remote");
  });

  test("defect N52: a person who starts an agent on a terminal is told what it waits for, and a client is not", async (context) => {
    const alone = new StdioAgent(context, "terminal");
    await alone.until(() => /This program.*\n/.test(alone.stderr));
    expect(alone.stderr).toMatch(
      /^turnkit: This program is an agent, and waits .* client, as in: turnkit -- node \S*main/m,
    );
    const launched = new StdioAgent(context);
    await launched.open();
    launched.child.stdin.end();
    await launched.exited;
    expect(launched.stderr).not.toContain("This program is an agent");
  });

  test("stray output does no harm where nobody reads stderr any more", async (context) => {
    const agent = new StdioAgent(context);
    agent.child.stderr.destroy();
    const sessionId = await agent.open();
    expect((await agent.answer(agent.prompt(sessionId, "hi"))).result).toEqual({ stopReason: "end_turn" });
  });

  test("V1-STDIO-08 V1-RPC-14 V1-RPC-15: bad lines are answered, and it reads on", async (context) => {
    const agent = new StdioAgent(context);
    agent.child.stdin.write('not json\n\n[{"jsonrpc":"2.0","id":1,"method":"initialize"}]\n');
    await agent.open();
    expect(agent.frames.slice(0, 2)).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32600 } },
    ]);
  });

  test("V1-STDIO-09: the end of stdin ends it within two seconds, also while a turn hangs", async (context) => {
    const agent = new StdioAgent(context);
    agent.prompt(await agent.open(), "hang");
    await agent.said("running");
    const began = performance.now();
    agent.child.stdin.end();
    expect(await agent.exited).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(agent.stderr).toContain("session closed");
    expect(agent.frames.some(({ result }) => result?.stopReason)).toBe(false);
  });

  test.for(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "%s ends it: turns are cancelled, and what waits is written",
    async (signal, context) => {
      const agent = new StdioAgent(context);
      const sessionId = await agent.open();
      const prompt = agent.prompt(sessionId, "wait");
      await agent.said("running");
      agent.child.kill(signal);
      expect(await agent.exited).toEqual({ code: 0, signal: null });
      await agent.said("last words");
      expect((await agent.answer(prompt)).result).toEqual({ stopReason: "cancelled" });
      expect(agent.stderr).toContain("session closed");
      expect(agent.stderr).toContain("ended: local");
    },
  );

  test("SIGTERM ends a turn that hangs, and its prompt is answered", async (context) => {
    const agent = new StdioAgent(context);
    const prompt = agent.prompt(await agent.open(), "hang");
    await agent.said("running");
    agent.child.kill("SIGTERM");
    expect(await agent.exited).toEqual({ code: 0, signal: null });
    expect((await agent.answer(prompt)).result).toEqual({ stopReason: "cancelled" });
  });

  test("SIGTERM waits until a client that reads slowly has taken what was sent", async (context) => {
    const agent = new StdioAgent(context);
    const sessionId = await agent.open();
    agent.child.stdout.pause();
    agent.prompt(sessionId, "large");
    await agent.until(() => agent.stderr.includes("write in prompt"));
    agent.child.kill("SIGTERM");
    agent.child.stdout.resume();
    expect(await agent.exited).toEqual({ code: 0, signal: null });
    await agent.said("x".repeat(1024 * 1024));
  });

  test("an agent that cannot be loaded ends the process and says why on stderr", async (context) => {
    const agent = new StdioAgent(context, "broken");
    expect((await agent.exited).code).toBe(1);
    expect(agent.stderr).toContain("cannot load");
    expect(agent.lines).toEqual([]);
  });

  test("an agent in the place of what imports it, or a module without one, is told how to do it", async (context) => {
    await expect(serveStdio(createAgent({ info, newSession() {}, prompt() {} }) as never)).rejects.toThrow(
      /^serveStdio got no function\. Call serveStdio\(\(\) => import\("\.\/agent\.js"\)\)/,
    );
    const agent = new StdioAgent(context, "nothing");
    expect((await agent.exited).code).toBe(1);
    expect(agent.stderr).toContain("TypeError: serveStdio got a module without an agent. Call serveStdio(");
  });
});
