import { createSessionState, reduce, type SessionEvent, type SessionState, type StateLimits } from "@turnkit/session";
import { describe, expect, test, vi } from "vitest";
import { compactEvents, createMemoryLog } from "../src/index.js";
import { all } from "./log-reader.js";
import { connectAs, v2Hello } from "./raw-client.js";

// Megabytes are written and read here, on whatever machine.
vi.setConfig({ testTimeout: 60_000 });

const KIB = 1024;
const info = { sessionId: "s", cwd: "/work" };
const text = (said: string) => ({ type: "text", text: said }) as const;
const message = (n: number, said: string): SessionEvent => {
  return { type: "agent_message", messageId: `m${n}`, content: [text(said)] };
};
const chunk = (data: string): SessionEvent => ({ type: "terminal_output_chunk", terminalId: "x", data: btoa(data) });
const many = (count: number, make: (n: number) => SessionEvent): SessionEvent[] =>
  Array.from({ length: count }, (_, n) => make(n));

const fold = (events: readonly SessionEvent[], limits: Partial<StateLimits>): SessionState =>
  events.reduce<SessionState>(reduce, createSessionState(limits));

/** A conversation of more than the usual 64 MiB, in memory a piece of it. */
const large = many(70, (n) => message(n, "x".repeat(512 * KIB)));
const output = many(3_000, (n) => chunk(`${n}`.padEnd(KIB, ".")));
const mixed = many(60, (n) => {
  if (n % 3 === 0) return { type: "tool_call_update", toolCallId: `t${n}`, title: "Look", status: "completed" };
  return n % 3 === 1 ? message(n, "y".repeat(4 * KIB)) : { type: "notice", severity: "info", title: `${n}` };
});

async function stored(events: readonly SessionEvent[], compactAbove: number) {
  const log = createMemoryLog({ compactAbove });
  const problems: unknown[] = [];
  const writer = await log.open("s", info);
  writer.onProblem?.((what, error) => problems.push([what, error]));
  for (const event of events) writer.append(event);
  await writer.commit();
  await writer[Symbol.asyncDispose]();
  return { log, problems };
}

describe("a reader of a compacted log", () => {
  test.each([
    ["a conversation of more than the usual bound of a state", large, {}],
    ["the same, in small states", large, { stateBytes: 8 * KIB * KIB }],
    ["the same, in large states", large, { stateBytes: 512 * KIB * KIB }],
    ["a terminal with more output than is usually kept", output, {}],
    ["the same, of which little is kept", output, { terminalBytes: 10 * KIB }],
    ["the same, of which an odd number is kept", output, { terminalBytes: 9_999 }],
    ["the same, of which all is kept", output, { terminalBytes: 16 * KIB * KIB }],
    ["messages, tool calls and notices, in a small state", mixed, { stateBytes: 64 * KIB }],
  ] as const)("defect B1: sees what one of the log as it was sees: %s", async (_, events, limits) => {
    const fewer = await compactEvents(events);
    expect(picture(fold(fewer, limits))).toEqual(picture(fold(events, limits)));
  });

  test.each([
    ["small", 64 * KIB],
    ["large", 512 * KIB * KIB],
  ])(
    "defect B1: a session of an agent with %s limits comes back the same from a compacted log",
    async (_, stateBytes) => {
      const events = [
        ...mixed,
        ...many(
          300,
          (n) =>
            ({ ...message(0, ""), type: "agent_message_chunk", content: text(`${n}`.padEnd(KIB)) }) as SessionEvent,
        ),
        ...output.slice(0, 40),
        ...many(30, (n) => message(1_000 + n, "z".repeat(KIB))),
      ];
      const states: unknown[] = [];
      for (const compactAbove of [1, 100_000]) {
        const { log } = await stored(events, compactAbove);
        const limits = { stateBytes, entryBytes: stateBytes / 4, terminalBytes: 10 * KIB };
        const { client } = await connectAs(
          v2Hello,
          {
            log,
            restoreSession: (_request, session) => void states.push(picture(session.state)),
          },
          { limits },
        );
        await client.result("session/resume", { ...info, mcpServers: [], replayFrom: { type: "start" } });
        states.push(client.updates());
      }
      expect(states[2]).toEqual(states[0]);
      expect(states[3]).toEqual(states[1]);
    },
  );

  test("defect B1: a log of more than memory should hold stays as it was, with a report", async () => {
    const said = "x".repeat(1024 * KIB);
    const events = many(280, (n) => message(n, said));
    await expect(compactEvents(events)).rejects.toMatchObject({ problem: "too_large" });
    const few = await compactEvents(events, { stateBytes: 16 * 1024 * KIB });
    expect(few.length).toBeLessThan(20);
  });

  test("defect B1: compacting in memory keeps all that was said", async () => {
    const { log, problems } = await stored([...large, ...output], 1);
    const events = await all(log.read("s"));
    expect(events.length).toBeLessThan(100);
    expect(events.filter(({ type }) => type === "agent_message")).toHaveLength(70);
    expect(fold(events, { terminalBytes: 16 * KIB * KIB }).terminals.at(0)?.textBytes).toBe(3_000 * KIB);
    expect(problems).toEqual([]);
  });
});

function picture(state: SessionState): unknown {
  const { bytes: _, internal: __, ...rest } = state;
  return JSON.parse(JSON.stringify(rest));
}
