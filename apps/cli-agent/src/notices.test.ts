import type { AgentSession, WireEvent } from "@turnkit/agent";
import { expect, it } from "vitest";
import { RecordingTurn } from "../test/recording-turn.js";
import { createNotices } from "./notices.js";

/** A session whose client takes notices, or not. */
function open(takesNotices: "takes notices" | "does not") {
  const told: unknown[] = [];
  const controller = new AbortController();
  const session = {
    client: { capabilities: { notices: takesNotices === "takes notices" } },
    emit: (event: WireEvent) => void told.push(event),
    signal: controller.signal,
  } as unknown as AgentSession<unknown>;
  return { told, controller, notices: createNotices(session) };
}

const warning = { severity: "warning", title: "The server is gone", text: "it ended\nby itself" } as const;

it("a notice is told at once to a client that takes notices", async () => {
  const { told, notices } = open("takes notices");
  notices.tell(warning);
  expect(told).toEqual([
    { type: "notice", severity: "warning", title: "The server is gone", description: "it ended\nby itself" },
  ]);
  const turn = new RecordingTurn();
  await notices.sayTo(turn);
  expect(turn.text).toBe("");
});

it("any other client is told with the next turn, once, and not of more than twenty", async () => {
  const { told, notices } = open("does not");
  notices.tell(warning);
  for (let count = 0; count < 21; count += 1) notices.tell({ severity: "info", title: `n${count}` });
  expect(told).toEqual([]);
  const turn = new RecordingTurn();
  await notices.sayTo(turn);
  expect(turn.text).toMatch(/^> The server is gone: it ended\n> by itself\n\n> n0\n\n/);
  expect(turn.text).toContain("> n18\n\n> There were 2 more notices.\n\n");
  await notices.sayTo(turn);
  expect(turn.text.match(/The server is gone/g)).toHaveLength(1);
});

it("nobody is told after the session's end", () => {
  const { told, controller, notices } = open("takes notices");
  controller.abort();
  notices.tell(warning);
  expect(told).toEqual([]);
});
