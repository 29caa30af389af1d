import type { WireEvent } from "@turnkit/agent";
import { describe, expect, it } from "vitest";
import { tellCompaction, tellRetry } from "./tell-user.js";

/** A turn of a client that knows notices and compactions, or neither. */
function turnOf(isNew: boolean) {
  const told: (WireEvent | string)[] = [];
  const capabilities = { notices: isNew, compaction: isNew };
  const turn = {
    session: { client: { capabilities } },
    emit: (event: WireEvent) => void told.push(event),
    think: (text: string) => void told.push(text),
  } as unknown as Parameters<typeof tellRetry>[0];
  return { turn, told };
}

const retry = { type: "retry", reason: "P answered 503: Overloaded.", delayMs: 1_500 } as const;
const begins = { type: "compaction_update", compactionId: "c", status: "in_progress" } as const;
const ends = { ...begins, status: "completed" } as const;

describe("what goes on besides the answer", () => {
  it("is a notice and a compaction for clients that know them", () => {
    const { turn, told } = turnOf(true);
    tellRetry(turn, retry);
    tellCompaction(turn, begins);
    tellCompaction(turn, ends);
    const notice = { type: "notice", severity: "warning", title: "Trying again in 2 s", description: retry.reason };
    expect(told).toEqual([notice, begins, ends]);
  });

  it("is a thought for others; a compaction is emitted all the same, since a restore needs it", () => {
    const { turn, told } = turnOf(false);
    tellRetry(turn, retry);
    tellCompaction(turn, begins);
    tellCompaction(turn, ends);
    expect(told).toEqual([
      "P answered 503: Overloaded. Trying again in 2 s.\n\n",
      "The conversation has become long: its older part is being summarised.\n\n",
      begins,
      ends,
    ]);
  });
});
