import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type KillPoint, killPoints } from "./points.js";
import { RawAgentProcess } from "./raw-agent-process.js";

/** Outcome of prompts whose agent was killed. The lists must be empty. */
export type KilledPrompts = {
  readonly kills: number;
  /** Texts that the transcript does not have exactly once. */
  readonly miscounted: readonly string[];
  /** Texts whose client got another id than the transcript has. */
  readonly renamed: readonly string[];
};

/** Longest time between a prompt and a kill at random, in ms. */
const MOST_MS = 8;

/** Kills an agent until `kills` is reached, each time during a keyed prompt, and sends the prompt again by its key. */
export async function killPrompts(kills: number, random: () => number = Math.random): Promise<KilledPrompts> {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-killed-"));
  const run = new Run(folder, random);
  try {
    return await run.all(kills);
  } finally {
    await run.end();
    await rm(folder, { recursive: true, force: true });
  }
}

class Run {
  readonly #folder: string;
  readonly #random: () => number;
  /** Ids that the client got for each prompt: of its message, and of each answer. */
  readonly #ids = new Map<string, Set<string>>();
  #agent: RawAgentProcess;
  #sessionId = "";
  #kills = 0;
  #most = 0;

  constructor(folder: string, random: () => number) {
    this.#folder = folder;
    this.#random = random;
    this.#agent = new RawAgentProcess(folder);
  }

  async all(kills: number): Promise<KilledPrompts> {
    await this.#agent.initialize();
    this.#sessionId = (await this.#agent.result("session/new", { cwd: "/work" })).sessionId;
    this.#most = kills;
    for (let prompt = 0; this.#kills < kills; prompt += 1) await this.#prompt(`Prompt ${prompt}`, `key-${prompt}`);
    await this.#restart(true);
    return this.#compare();
  }

  async end(): Promise<void> {
    if (this.#agent.isAlive) await this.#agent.kill();
  }

  /** Sends one prompt again and again, until an agent answers it and is not killed. */
  async #prompt(text: string, idempotencyKey: string): Promise<void> {
    const params = { sessionId: this.#sessionId, prompt: [{ type: "text", text }], idempotencyKey };
    const ids = new Set<string>();
    this.#ids.set(text, ids);
    for (let attempt = 0; ; attempt += 1) {
      // One or two attempts with a kill, then one without.
      const isKilled = this.#kills < this.#most && (attempt < 1 || (attempt < 2 && this.#random() < 0.2));
      const point = isKilled ? this.#anyPoint() : "never";
      await this.#agent.result("_kill_at", { point });
      const answering = this.#agent.ask("session/prompt", params);
      const agent = this.#agent;
      if (point === "at random") setTimeout(() => void agent.kill(), this.#random() * MOST_MS);
      const answer = await answering;
      if (answer?.error !== undefined) throw new Error(`${text}: ${JSON.stringify(answer.error)}`);
      if (answer !== undefined) ids.add(answer.result.messageId);
      if (point === "never") break;
      await this.#afterKill(point);
      for (const { sessionUpdate, messageId, content } of this.#agent.updates) {
        if (sessionUpdate === "user_message" && content[0].text === text) ids.add(messageId);
      }
      await this.#restart(this.#random() < 0.5);
    }
  }

  #anyPoint(): KillPoint {
    return killPoints[Math.floor(this.#random() * (killPoints.length - 1))] ?? "at random";
  }

  /** Waits for the death. An agent that already has the message passes the points of its log, and is killed from outside. */
  async #afterKill(point: KillPoint): Promise<void> {
    this.#kills += 1;
    if (point === "in the work" || this.#agent.isAlive) await this.#agent.kill();
  }

  async #restart(replays: boolean): Promise<void> {
    if (this.#agent.isAlive) await this.#agent.kill();
    this.#agent = new RawAgentProcess(this.#folder);
    await this.#agent.initialize();
    const replay = replays && { replayFrom: { type: "start" } };
    await this.#agent.result("session/resume", { sessionId: this.#sessionId, cwd: "/work", ...replay });
  }

  #compare(): KilledPrompts {
    const transcript = this.#agent.updates.filter(({ sessionUpdate }) => sessionUpdate === "user_message");
    const miscounted: string[] = [];
    const renamed: string[] = [];
    for (const [text, ids] of this.#ids) {
      const messages = transcript.filter(({ content }) => content[0].text === text);
      if (messages.length !== 1) miscounted.push(text);
      if (ids.size !== 1 || !ids.has(messages[0]?.messageId)) renamed.push(text);
    }
    if (transcript.length !== this.#ids.size) miscounted.push(`${transcript.length} messages`);
    return { kills: this.#kills, miscounted, renamed };
  }
}
