import { expect, it } from "vitest";
import { createGate } from "./gate.js";

it("lets through what waits only when it is opened, and then for good", async () => {
  const gate = createGate();
  const passed: number[] = [];
  const waiting = gate.opened.then(() => passed.push(1));
  await Promise.resolve();
  expect(passed).toEqual([]);
  gate.open();
  gate.open();
  await waiting;
  await gate.opened;
  expect(passed).toEqual([1]);
});
