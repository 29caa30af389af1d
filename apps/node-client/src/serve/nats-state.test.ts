import { createFigures } from "@turnkit/gateway";
import { expect, it } from "vitest";
import { NatsState } from "./nats-state.js";

const SILENT = expect.stringMatching(/connected, but does not answer\. Most servers of its cluster must run\./);

function stateOf(answers: boolean[]) {
  const notes: string[] = [];
  const figures = createFigures();
  const reach = async () => {
    if (!(answers.shift() ?? true)) throw new Error("timeout");
  };
  const state = new NatsState({ figures, note: (text) => notes.push(text), reach, pause: async () => undefined });
  const figure = (name: string) => Number(new RegExp(`^turnkit_${name} (\\S+)$`, "m").exec(figures.text())?.[1]);
  return { state, notes, figure };
}

it("NATS-12 defect G51: another connection is not told as the end of the trouble while the storage does not answer", async () => {
  const { state, notes, figure } = stateOf([false, false, true]);
  state.disconnected("a:1");
  const known = state.reconnected("b:2");
  // The engine may notice it too, and it is told once.
  state.answers(false);
  await known;
  expect(notes).toEqual([expect.stringContaining("a:1 is lost"), SILENT]);
  expect(notes[1]).toContain("NATS at b:2");
  expect([figure("broker_connected"), figure("broker_answers")]).toEqual([1, 0]);
  await expect.poll(() => notes.at(-1)).toBe("The storage of NATS answers again. Sessions go on.");
  expect(figure("broker_answers")).toBe(1);
  expect(notes).toHaveLength(3);
});

it("defect G51: a storage that stops to answer is told once, and a connection with a storage that answers as before", async () => {
  const { state, notes, figure } = stateOf([false, true, true]);
  state.answers(false);
  state.answers(false);
  expect(figure("broker_answers")).toBe(0);
  await expect.poll(() => notes).toHaveLength(2);
  expect(notes).toEqual([SILENT, "The storage of NATS answers again. Sessions go on."]);
  state.disconnected("a:1");
  state.answers(false);
  await state.reconnected("a:1");
  expect(notes.slice(2)).toEqual([expect.stringContaining("is lost"), "NATS at a:1 is connected. Sessions go on."]);
});
