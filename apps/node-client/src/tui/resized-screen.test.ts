import { createSessionState, reduce, type SessionEvent } from "@turnkit/session";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Kind, kinds, markdownOf, numbers } from "../../test/random-markdown.js";
import { ReflowingTerminal } from "../../test/reflowing-terminal.js";
import { questionsOf } from "../child-sessions.js";
import { paintLine } from "../render/line.js";
import { inputOf } from "./model/text-input.js";
import { createUi } from "./model/ui.js";
import { screenOf } from "./panel/screen.js";
import { TerminalScreen } from "./terminal-screen.js";
import { Transcript } from "./transcript/transcript.js";

const RUNS = 12;
const TOTAL = 60;

const sent: readonly SessionEvent[] = [
  { type: "prompt_sent", promptId: "p1", content: [{ type: "text", text: "Hi" }] },
  { type: "turn_started", promptId: "p1" },
];
const asked: SessionEvent = {
  type: "permission_asked",
  requestId: "r1",
  title: "Write a.ts",
  subject: {
    type: "command",
    command: "rm -rf x && echo some longer command that has to wrap on small screens",
    cwd: "/work",
  },
  options: [
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    { optionId: "always", name: "Yes, and do not ask again for commands like this one", kind: "allow_always" },
    { optionId: "no", name: "No", kind: "reject_once" },
  ],
};

const answered: SessionEvent = {
  type: "permission_answered",
  requestId: "r1",
  outcome: { outcome: "selected", optionId: "yes" },
};
const started: SessionEvent = {
  type: "tool_call_update",
  toolCallId: "t1",
  title: "Run the tests of the whole project",
  kind: "execute",
  status: "in_progress",
};
const completed: SessionEvent = { type: "tool_call_update", toolCallId: "t1", status: "completed" };

type Faults = { readonly lost: readonly string[]; readonly doubled: readonly string[] };

/** Streams an answer while the terminal gets random sizes. */
function wordFaults(kind: Kind, seed: number): Faults {
  const below = numbers(seed);
  const size = () => [20 + below(below(2) ? 20 : 181), 8 + below(below(2) ? 6 : 53)] as const;
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
  const ui =
    kind === "typed" ? { ...createUi(), input: inputOf("typed text that the person has not sent yet") } : createUi();
  const answer = () => {
    for (const one of terminal.answers()) screen.cursorIsAt(Number(/\d+/.exec(one)?.[0]));
  };
  const draw = () => {
    transcript.addPrinted(screen.takeScrolled());
    transcript.update(state);
    const questions = questionsOf({ state, children: [] } as never);
    const facts = { ui, state, questions, size: screen, agent: "agent", directory: "/work", seconds: 3 };
    const frame = screenOf({ ...facts, isWorking, live: (...limits) => transcript.live(...limits) });
    screen.draw(transcript.take(), frame);
  };
  const words = Array.from({ length: TOTAL }, (_, n) => (kind === "wide" ? `語${n}文` : `w${n}z`));
  const text = markdownOf(kind, below, words);
  const pieces = text.match(/\S*\s/g) ?? [];
  const askAt = kind === "question" ? below(pieces.length) : -1;
  const doneAt = askAt + 3 + below(20);
  const say = (piece: string) => {
    state = reduce(state, { type: "agent_message_chunk", content: { type: "text", text: piece } });
  };
  draw();
  let at = 0;
  const resize = () => {
    isSettled = false;
    for (let changes = below(3); changes >= 0; changes -= 1) terminal.resize(...size());
    vi.advanceTimersByTime(50);
    answer();
    while (!isSettled) vi.advanceTimersByTime(50);
    draw();
    answer();
  };
  if (kind === "call") state = reduce(state, started);
  const endAt = 5 + below(50);
  while (at < pieces.length) {
    if (kind === "call" && at === endAt) state = reduce(state, completed);
    if (askAt >= 0 && at === askAt) state = reduce(state, asked);
    if (askAt >= 0 && at === doneAt) state = reduce(state, answered);
    say(pieces[at++] as string);
    if (below(5) > 0) {
      draw();
      answer();
    }
    if (below(6) === 0) resize();
  }
  state = reduce(state, { type: "turn_ended", promptId: "p1", stopReason: "end_turn" });
  isWorking = false;
  for (let frame = 0; frame < 3; frame += 1) {
    draw();
    answer();
  }
  const shown = terminal
    .lines()
    .filter((line) => !line.startsWith("…"))
    .join("")
    .replace(/[\s│]/g, "");
  const count = (word: string) => shown.split(word).length - 1;
  return { lost: words.filter((word) => count(word) === 0), doubled: words.filter((word) => count(word) > 1) };
}

describe("defect P31, defect P50, defect P51: an answer that grows while the terminal gets random sizes", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it.each(kinds)(
    "%s: each word stands once in the history",
    (kind) => {
      const wrong = Object.fromEntries(
        Array.from({ length: RUNS }, (_, run) => [run + 1, wordFaults(kind, run + 1)] as const).filter(
          ([, { lost, doubled }]) => lost.length + doubled.length > 0,
        ),
      );
      expect(wrong).toEqual({});
    },
    60_000,
  );
});
