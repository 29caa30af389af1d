import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createFolder } from "./folder.js";

/** A Node process that answered. */
export type Member = {
  readonly pid: number;
  readonly cwd: string;
  /** All words of its command. */
  readonly command: string;
  /** Settles when the process is gone, however it went. */
  readonly gone: Promise<void>;
};

/** Knows which Node processes a test has started, directly or not, and which of them still live. */
export interface RollCall {
  /** The environment that makes a process, and those that it starts, answer. */
  readonly env: Readonly<Record<string, string>>;
  /** The `nth` process (from 0), started or yet to start, whose command holds this text. */
  member(text: string, nth?: number): Promise<Member>;
  /** From now on such processes stop before their first line of code and never go on. */
  hold(text: string): void;
  /** Settles when none lives any more; rejects with the names of those who stay. */
  allGone(): Promise<void>;
}

/** Longer than everything that our programs do before they kill. */
const PATIENCE_MS = 10_000;

/** Begins a roll call for one test: a socket to which every process connects, so that the system is not asked. */
export async function createRollCall(): Promise<RollCall> {
  const path = join(await createFolder(), "roll-call");
  const members: Member[] = [];
  const living = new Set<Member>();
  const waiting = new Set<() => void>();
  const held: string[] = [];

  const server = createServer((socket) => {
    const gone = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    // One that is killed may reset the connection; it closes then.
    socket.on("error", () => undefined);
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      if (!text.endsWith("\n")) return;
      const member: Member = { ...JSON.parse(text), gone };
      members.push(member);
      living.add(member);
      void gone.then(() => living.delete(member));
      if (!held.some((part) => member.command.includes(part))) socket.write("heard");
      for (const look of waiting) look();
    });
  });
  await once(server.listen(path), "listening");
  onTestFinished(() => {
    for (const member of living) endProcess(member);
    server.close();
  });

  const preload = new URL("answer-roll-call.mjs", import.meta.url);
  return {
    env: { ROLL_CALL: path, NODE_OPTIONS: `--import=${preload.href}` },
    member(text, nth = 0) {
      return new Promise((resolve) => {
        const look = () => {
          const found = members.filter(({ command }) => command.includes(text))[nth];
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      });
    },
    hold: (text) => void held.push(text),
    async allGone() {
      const patience = AbortSignal.timeout(PATIENCE_MS);
      const late = once(patience, "abort").then(() => {
        throw new Error(`Still alive: ${[...living].map(({ command }) => command).join("; ")}`);
      });
      late.catch(() => undefined);
      while (living.size > 0) await Promise.race([Promise.all([...living].map(({ gone }) => gone)), late]);
    },
  };
}

function endProcess({ pid }: Member): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone, and its connection is about to close.
  }
}
