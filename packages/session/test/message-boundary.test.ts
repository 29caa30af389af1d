import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { v1Codec } from "../src/codec/dialects.js";
import { createSessionState } from "../src/create-session-state.js";
import { reduceAll } from "../src/reduce.js";
import { messageText } from "../src/select.js";
import { boundaries, type Told } from "./message-boundary.js";

/** The timeline in one line: who said what, and what stands between. */
function drawn(received: readonly Told[]): string {
  const events = received.flatMap((one) => ("sessionUpdate" in one ? v1Codec.decode(one) : [one]));
  const { timeline } = reduceAll(createSessionState(), events);
  return [...timeline]
    .map((entry) => (entry.type === "message" ? `${entry.role}:${messageText(entry)}` : entry.type))
    .join(" | ");
}

const rows = boundaries.flatMap(({ cites, when, means, received, drawn: expected }) =>
  received.map((one) => [`${cites}: ${when}: ${means}`, one, expected] as const),
);

describe("V1-UPD-05, V1-UPD-06, V1-UPD-07, V1-PROMPT-16: where a message begins and ends", () => {
  it.each(rows)("%s", (_, received, expected) => {
    expect(drawn(received)).toBe(expected);
  });

  it("the reference page has the same rules", () => {
    const page = readFileSync(new URL("../../../docs/reference/session.md", import.meta.url), "utf8");
    const inPage = page.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    const received = inPage.flatMap(([, when, then]) => (when && then ? [`${when} → ${then}`] : []));
    for (const { when, means } of boundaries) expect(received).toContain(`${when} → ${means}`);
  });
});
