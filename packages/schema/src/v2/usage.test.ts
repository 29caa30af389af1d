import { describe, it } from "vitest";
import { expectOutcome, fine } from "../../test/outcome.js";
import { resourceLink, usageUpdate } from "./index.js";
import { usage } from "./unstable/index.js";

describe("counters have 64 bits (V2-ENV-15)", () => {
  const tokens = { totalTokens: 0, inputTokens: 0, outputTokens: 0 };
  // What JSON.parse makes of the largest one.
  const most = JSON.parse("18446744073709551615");

  it.each(["used", "size"])("%s of the context", (key) => {
    for (const count of [0, 1, 2 ** 53, 2 ** 53 + 2, most]) {
      expectOutcome(usageUpdate, { used: 0, size: 0, [key]: count }, fine);
    }
    for (const count of [-1, 0.5, "1", null]) {
      expectOutcome(usageUpdate, { used: 0, size: 0, [key]: count }, { refused: [key] });
    }
  });

  it.each(Object.keys(tokens))("%s of a piece of work", (key) => {
    for (const count of [0, 2 ** 53 + 2, most]) expectOutcome(usage, { ...tokens, [key]: count }, fine);
    for (const count of [-1, 0.5]) expectOutcome(usage, { ...tokens, [key]: count }, { refused: [key] });
  });

  it.each(["thoughtTokens", "cachedReadTokens", "cachedWriteTokens"])("%s, which may be left out", (key) => {
    for (const count of [0, most, null]) expectOutcome(usage, { ...tokens, [key]: count }, fine);
    for (const count of [-1, 0.5]) expectOutcome(usage, { ...tokens, [key]: count }, { salvaged: [key], as: tokens });
  });

  it("the size of a resource", () => {
    const link = { uri: "file:///a", name: "a" };
    expectOutcome(resourceLink, { ...link, size: most }, fine);
    for (const size of [-1, 0.5]) expectOutcome(resourceLink, { ...link, size }, { salvaged: ["size"], as: link });
  });
});
