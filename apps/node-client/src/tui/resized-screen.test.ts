import { EventEmitter } from "node:events";
import { createSessionState, reduce, type SessionEvent } from "@turnkit/session";
import xterm from "@xterm/headless";
import { describe, expect, it, vi } from "vitest";
import { paintLine } from "../render/line.js";
import { createUi } from "./model/ui.js";
import { screenOf } from "./panel/screen.js";
import { TerminalScreen } from "./terminal-screen.js";
import { Transcript } from "./transcript/transcript.js";

const WORDS = 60;
const RUNS = 200;

/** Returns a generator of numbers below a limit, the same numbers for each seed. */
function numbers(seed: number) {
  let state = seed * 2_654_435_761;
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) % limit;
  };
}

/** Terminal that wraps its lines again at a new width, and answers questions for the row of its cursor. */
class ReflowingTerminal extends EventEmitter {
  readonly writableNeedDrain = false;
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  readonly #answers: string[] = [];

  constructor(
    public columns: number,
    public rows: number,
  ) {
    super();
    this.#terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 5000, allowProposedApi: true });
    this.#terminal.onData((data) => this.#answers.push(data));
  }

  #unread = 0;

  write(text: string): boolean {
    this.#unread += 1;
    this.#terminal.write(text, () => {
      this.#unread -= 1;
    });
    return true;
  }

  /** Lets the terminal read all output, and returns its answers. */
  answers(): readonly string[] {
    while (this.#unread > 0) vi.advanceTimersByTime(1);
    return this.#answers.splice(0);
  }

  resize(columns: number, rows: number): void {
    this.answers();
    this.#terminal.resize(columns, rows);
    Object.assign(this, { columns, rows });
    this.emit("resize");
  }

  letters(): string {
    this.answers();
    const { active } = this.#terminal.buffer;
    const lines = Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true) ?? "");
    return lines
      .filter((line) => !line.startsWith("…"))
      .join("")
      .replace(/\s/g, "");
  }
}

const sent: readonly SessionEvent[] = [
  { type: "prompt_sent", promptId: "p1", content: [{ type: "text", text: "Hi" }] },
  { type: "turn_started", promptId: "p1" },
];

/** Streams an answer while the terminal gets random sizes. Returns the words that are not in the history exactly once. */
function wrongWords(seed: number): readonly string[] {
  const below = numbers(seed);
  const size = () => [20 + below(below(2) ? 20 : 110), 8 + below(below(2) ? 6 : 36)] as const;
  const terminal = new ReflowingTerminal(...size());
  let isSettled = true;
  const screen = new TerminalScreen(terminal, {
    resized: () => {
      isSettled = true;
    },
    paint: (line) => paintLine(line, (_, text) => text),
    reflows: true,
  });
  const transcript = new Transcript({ width: () => screen.columns, directory: "/work" });
  let isWorking = true;
  let state = sent.reduce(reduce, createSessionState());
  const draw = () => {
    transcript.addPrinted(screen.takeScrolled());
    transcript.update(state);
    const facts = {
      ui: createUi(),
      state,
      questions: [],
      size: screen,
      agent: "agent",
      directory: "/work",
      seconds: 3,
    };
    const frame = screenOf({ ...facts, isWorking, live: (...limits) => transcript.live(...limits) });
    screen.draw(transcript.take(), frame);
  };
  const words = Array.from({ length: WORDS }, (_, n) => `w${n}z`);
  draw();
  for (const word of words) {
    state = reduce(state, { type: "agent_message_chunk", content: { type: "text", text: `${word} ` } });
    if (below(5) > 0) draw();
    if (below(6) > 0) continue;
    isSettled = false;
    for (let changes = below(3); changes >= 0; changes -= 1) terminal.resize(...size());
    vi.advanceTimersByTime(50);
    for (const answer of terminal.answers()) screen.cursorIsAt(Number(/\d+/.exec(answer)?.[0]));
    while (!isSettled) vi.advanceTimersByTime(50);
    draw();
  }
  state = reduce(state, { type: "turn_ended", promptId: "p1", stopReason: "end_turn" });
  isWorking = false;
  for (let frame = 0; frame < 3; frame += 1) draw();
  const shown = terminal.letters();
  return words.filter((word) => shown.split(word).length !== 2);
}

describe("defect P31: an answer that grows while the terminal gets random sizes", () => {
  it(`stands once in the history, in each of ${RUNS} runs`, () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const wrong: Record<number, readonly string[]> = {};
      for (let seed = 1; seed <= RUNS; seed += 1) {
        const words = wrongWords(seed);
        if (words.length > 0) wrong[seed] = words;
      }
      expect(wrong).toEqual({});
    } finally {
      vi.useRealTimers();
    }
  }, 60_000);
});
