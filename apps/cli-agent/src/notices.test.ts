import type { AgentSession, WireEvent } from "@turnkit/agent";
import { describe, expect, it } from "vitest";
import { RecordingTurn } from "../test/recording-turn.js";
import { showCompaction } from "./conversation/keep-room.js";
import { createNotices, showEmpty, showRetry, showUnseen } from "./notices.js";

/** Creates a session whose client supports notices, or not. */
function open(takesNotices: "takes notices" | "does not") {
  const received: unknown[] = [];
  const controller = new AbortController();
  const session = {
    client: { capabilities: { notices: takesNotices === "takes notices" } },
    emit: (event: WireEvent) => void received.push(event),
    signal: controller.signal,
  } as unknown as AgentSession<unknown>;
  return { received, controller, notices: createNotices(session) };
}

const warning = { severity: "warning", title: "The server is gone", text: "it ended\nby itself" } as const;

it("a notice is told at once to a client that takes notices", async () => {
  const { received, notices } = open("takes notices");
  notices.show(warning);
  expect(received).toEqual([
    { type: "notice", severity: "warning", title: "The server is gone", description: "it ended\nby itself" },
  ]);
  const turn = new RecordingTurn();
  await notices.writeTo(turn);
  expect(turn.text).toBe("");
});

it("any other client is told with the next turn, once, and not of more than twenty", async () => {
  const { received, notices } = open("does not");
  notices.show(warning);
  for (let count = 0; count < 21; count += 1) notices.show({ severity: "info", title: `n${count}` });
  expect(received).toEqual([]);
  const turn = new RecordingTurn();
  await notices.writeTo(turn);
  expect(turn.text).toMatch(/^> The server is gone: it ended\n> by itself\n\n> n0\n\n/);
  expect(turn.text).toContain("> n18\n\n> There were 2 more notices.\n\n");
  await notices.writeTo(turn);
  expect(turn.text.match(/The server is gone/g)).toHaveLength(1);
});

it("a notice that a session had before is not shown again, and one with another text is", () => {
  const { received, notices } = open("takes notices");
  for (const text of ["it ended", "it ended", "it is too old"]) notices.showOnce({ ...warning, text });
  expect(received).toMatchObject([{ description: "it ended" }, { description: "it is too old" }]);
});

it("nobody is told after the session's end", () => {
  const { received, controller, notices } = open("takes notices");
  controller.abort();
  notices.show(warning);
  expect(received).toEqual([]);
});

/** Creates a turn whose client supports notices and compactions, or neither. */
function clientTurn(isNew: boolean) {
  const received: (WireEvent | string)[] = [];
  const capabilities = { notices: isNew, compaction: isNew };
  const turn = {
    session: { client: { capabilities } },
    emit: (event: WireEvent) => void received.push(event),
    think: (text: string) => void received.push(text),
  } as unknown as Parameters<typeof showRetry>[0];
  return { turn, received };
}

const retry = { type: "retry", reason: "P answered 503: Overloaded.", delayMs: 1_500 } as const;
const begins = { type: "compaction_update", compactionId: "c", status: "in_progress" } as const;
const ends = { ...begins, status: "completed" } as const;

it("defect P53: an empty answer is a notice, or a thought", () => {
  const [one, other] = [clientTurn(true), clientTurn(false)];
  for (const { turn } of [one, other]) showEmpty(turn, { name: "Qwen" });
  expect(one.received).toEqual([{ type: "notice", severity: "warning", title: "Qwen answered nothing" }]);
  expect(other.received).toEqual(["Qwen answered nothing.\n\n"]);
});

it("defect P73: a picture that the model cannot see is a notice, or a thought", () => {
  const [one, other, seeing] = [clientTurn(true), clientTurn(false), clientTurn(true)];
  const prompt = [{ type: "image", data: "", mimeType: "image/png" }] as const;
  for (const { turn } of [one, other]) showUnseen({ ...turn, prompt }, { name: "Qwen", images: false });
  expect(one.received).toMatchObject([{ type: "notice", severity: "warning", title: "Qwen cannot see pictures" }]);
  expect(other.received).toEqual([expect.stringContaining("Qwen cannot see pictures.")]);
  showUnseen({ ...seeing.turn, prompt }, { name: "Eye", images: true });
  showUnseen({ ...seeing.turn, prompt: [{ type: "text", text: "hi" }] }, { name: "Qwen", images: false });
  expect(seeing.received).toEqual([]);
});

describe("what goes on besides the answer", () => {
  it("is a notice and a compaction for clients that know them", () => {
    const { turn, received } = clientTurn(true);
    showRetry(turn, retry);
    showCompaction(turn, begins);
    showCompaction(turn, ends);
    const notice = { type: "notice", severity: "warning", title: "Trying again in 2 s", description: retry.reason };
    expect(received).toEqual([notice, begins, ends]);
  });

  it("is a thought for others; a compaction is emitted all the same, since a restore needs it", () => {
    const { turn, received } = clientTurn(false);
    showRetry(turn, retry);
    showCompaction(turn, begins);
    showCompaction(turn, ends);
    expect(received).toEqual([
      "P answered 503: Overloaded. Trying again in 2 s.\n\n",
      "The conversation has become long: its older part is being summarised.\n\n",
      begins,
      ends,
    ]);
  });
});
