import { expect, it } from "vitest";
import { createAttention, type Waiting } from "./attention.js";

const BELL = "\u0007";

function watch(env: NodeJS.ProcessEnv = {}) {
  let time = 0;
  const written: string[] = [];
  const attention = createAttention({ env, write: (text) => void written.push(text), now: () => time });
  return {
    attention,
    written,
    at(seconds: number, waiting: Partial<Waiting>) {
      time = seconds * 1000;
      attention.update({ name: "parser", isWorking: false, questions: 0, ...waiting });
      return written.splice(0);
    },
  };
}

it("P16: the title says what the agent does, and is restored at the end", () => {
  const { at, attention, written } = watch({ TURNKIT_BELL: "0" });
  expect(at(0, {})).toEqual(["\u001b[22;2t\u001b]2;parser – turnkit\u001b\\"]);
  expect(at(1, {})).toEqual([]);
  expect(at(1, { isWorking: true })).toEqual(["\u001b]2;◐ parser – turnkit\u001b\\"]);
  expect(at(2, { isWorking: true, questions: 1 })).toEqual(["\u001b]2;? parser – turnkit\u001b\\"]);
  attention.release();
  expect(written).toEqual(["\u001b]2;\u001b\\\u001b[23;2t"]);
});

it("P16: the bell rings for a question, and at the end of long work, and not for the time of the person", () => {
  const { at } = watch({ TURNKIT_TITLE: "0" });
  expect(at(0, { isWorking: true })).toEqual([]);
  expect(at(1, { isWorking: true, questions: 1 })).toEqual([BELL]);
  expect(at(2, { isWorking: true, questions: 1 })).toEqual([]);
  expect(at(60, { isWorking: true })).toEqual([]);
  expect(at(61, {})).toEqual([]);
  expect(at(70, { isWorking: true })).toEqual([]);
  expect(at(75, {})).toEqual([BELL]);
  expect(at(99, {})).toEqual([]);
});

it("terminals with notifications get one, except inside of tmux", () => {
  const question = { name: "4;1;50", isWorking: true, questions: 1 };
  const off = { TURNKIT_TITLE: "0", TERM_PROGRAM: "iTerm.app" };
  expect(watch(off).at(0, question)).toEqual(["\u001b]9;turnkit: 4;1;50 has a question\u001b\\"]);
  expect(watch({ ...off, TMUX: "/tmp/t" }).at(0, question)).toEqual([BELL]);
});

it.each(["\u001b\\\u001b]52;c;aGk=\u0007", "\u009c\u009d52;c;\u0007", "a\nb\u001b[2J", "\u202egpj.exe"])(
  "a title of the agent cannot leave the sequence: %j",
  (name) => {
    const [title = ""] = watch({ TURNKIT_BELL: "0" }).at(0, { name });
    const text = title.slice("\u001b[22;2t\u001b]2;".length, -2);
    expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  },
);

it("a long title is cut, and terminals without titles get none", () => {
  expect(watch().at(0, { name: "x".repeat(1e6) })[0]?.length).toBeLessThan(200);
  expect(watch({ TERM: "linux" }).at(0, {})).toEqual([]);
});
