import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wireEvent } from "../../test/arbitrary-event.js";
import { decodeV1 } from "../codec/v1/decode.js";
import { decodeV2 } from "../codec/v2/decode.js";
import { createSessionState } from "../create-session-state.js";
import type { SessionEvent } from "../event.js";
import { reduceAll } from "../reduce.js";
import { createRecorder, createRecordingReader } from "./recording.js";

const sent: SessionEvent = { type: "prompt_sent", promptId: "p", content: [{ type: "text", text: "q\n?" }], at: 1 };
const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "ü\n" } };

function recorded(dialect: "v1" | "v2" | "seed", ...received: readonly object[]): string {
  let text = "";
  const recorder = createRecorder(dialect, (line) => {
    text += line;
  });
  for (const [at, one] of received.entries()) {
    if ("type" in one) recorder.event(one as SessionEvent);
    else recorder.update(one, at);
  }
  return text;
}

function readIn(pieces: readonly string[]): readonly SessionEvent[] {
  const reader = createRecordingReader({ v1: decodeV1, v2: decodeV2 });
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

describe("a recording", () => {
  it("is one line of JSON for each thing that a session was told, and is told again as it was", () => {
    const text = recorded("v1", sent, chunk);
    expect(text.split("\n").map((line) => line && JSON.parse(line))).toEqual([
      { format: "turnkit-recording/1", dialect: "v1" },
      { event: sent },
      { at: 1, update: chunk },
      "",
    ]);
    expect(readIn([text])).toEqual([sent, { type: "agent_message_chunk", content: chunk.content, at: 1 }]);
  });

  it("comes to the same events in whatever pieces it is read", () => {
    const updates = fc.array(wireEvent, { maxLength: 6 });
    fc.assert(
      fc.property(updates, fc.array(fc.nat()), (events, cuts) => {
        const text = recorded("v2", ...events.map(({ type, ...members }) => ({ ...members, sessionUpdate: type })));
        const ends = [...new Set(cuts.map((cut) => cut % (text.length + 1))), text.length].toSorted((a, b) => a - b);
        const pieces = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
        expect(readIn(pieces)).toEqual(readIn([text]));
        expect(readIn([text.trimEnd()])).toEqual(readIn([text]));
      }),
      { numRuns: 300 },
    );
  });

  it("may go on in another dialect", () => {
    const state = { sessionUpdate: "state_update", state: "running" };
    const events = readIn([recorded("v1", state) + recorded("v2", state)]);
    expect(events.map(({ type }) => type)).toEqual(["unknown", "state_update"]);
  });

  const broken: readonly (readonly [string, string])[] = [
    ["no JSON", "{"],
    ["no object", "[1]"],
    ["nothing known", '{"x":1}'],
    ["an event without a type", '{"event":{}}'],
    ["a dialect that is not known here", '{"format":"turnkit-recording/1","dialect":"v9"}'],
    ["a format that is not known here", '{"format":"turnkit-recording/2","dialect":"v1"}'],
  ];
  it.each(broken)("keeps a line that is %s in sight", (_, line) => {
    const events = readIn([`${recorded("v1", chunk)}${line}\n\n`]);
    expect(events).toMatchObject([{ type: "agent_message_chunk" }, { type: "unknown", raw: line }]);
    expect(reduceAll(createSessionState(), events).timeline.length).toBe(2);
  });

  it("is not read before it names its dialect", () => {
    expect(readIn([`{"update":{}}\n`])).toMatchObject([
      { type: "unknown", reason: expect.stringContaining("dialect") },
    ]);
  });

  it("takes what a hostile agent nested without end", () => {
    const rawInput = JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`);
    const deep = { sessionUpdate: "tool_call_update", toolCallId: "t", rawInput };
    expect(readIn([recorded("v1", deep, chunk)])).toEqual([
      { type: "unknown", raw: null, reason: "it was nested too deep to be recorded" },
      { type: "agent_message_chunk", content: chunk.content, at: 1 },
    ]);
  });

  it("gives up a line without end", () => {
    const reader = createRecordingReader({ v1: decodeV1 });
    const piece = "x".repeat(1024 * 1024);
    for (let count = 0; count < 70; count++) expect(reader.push(piece)).toEqual([]);
    const [event, ...others] = reader.push(`\n${recorded("v1", chunk)}`);
    expect(event).toMatchObject({
      type: "unknown",
      raw: "x".repeat(1000),
      reason: expect.stringContaining("too long"),
    });
    expect(others).toMatchObject([{ type: "agent_message_chunk" }]);
  });

  it("is not read further after 1000 lines that are no JSON", () => {
    const reader = createRecordingReader({});
    const events = reader.push(`${"{\n".repeat(1000)}{"event":{"type":"a"}}\n`);
    expect(events).toHaveLength(1001);
    expect(events[1000]).toMatchObject({ type: "unknown", reason: expect.stringMatching(/1000 lines before it/) });
  });
});
