import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { seedCodec } from "../src/codec/seed/index.js";
import { v1Codec } from "../src/codec/v1/index.js";
import { v2Codec } from "../src/codec/v2/index.js";
import { createSessionState } from "../src/create-session-state.js";
import type { SessionEvent } from "../src/event.js";
import { createNestingSelector } from "../src/nesting.js";
import { createRecordingReader } from "../src/recording.js";
import { reduceAll } from "../src/reduce.js";
import { selectModes, visiblePlan } from "../src/select.js";
import { createSnapshot, readSnapshot } from "../src/snapshot.js";
import type { SessionState } from "../src/state.js";
import { transcriptText } from "../src/transcript.js";

// Conversations as agents hold them, with the habits that `quirks.md` of the project's notes saw on the wire.
const folder = new URL("./recordings/", import.meta.url);
const names = readdirSync(folder).map((file) => file.replace(".jsonl", ""));

function eventsOf(name: string, size = Number.POSITIVE_INFINITY): readonly SessionEvent[] {
  const text = readFileSync(new URL(`${name}.jsonl`, folder), "utf8");
  const reader = createRecordingReader(v1Codec, v2Codec, seedCodec);
  const events: SessionEvent[] = [];
  for (let start = 0; start < text.length; start += size) events.push(...reader.push(text.slice(start, start + size)));
  return [...events, ...reader.end()];
}
const replay = (name: string): SessionState => reduceAll(createSessionState(), eventsOf(name));

describe("recorded conversations", () => {
  it.each(names)("%s comes to the same state read in pieces, and through a snapshot at any point", (name) => {
    const events = eventsOf(name);
    const state = reduceAll(createSessionState(), events);
    expect(eventsOf(name, 7)).toEqual(events);
    for (let middle = 0; middle < events.length; middle += 3) {
      const early = reduceAll(createSessionState(), events.slice(0, middle));
      const read = readSnapshot(JSON.parse(JSON.stringify(createSnapshot(early)))).state ?? createSessionState();
      expect(reduceAll(read, events.slice(middle))).toEqual(state);
    }
    expect(state.anomalies).toEqual([]);
    expect([state.activity.state, state.cancelling, state.pendingPermissions]).toEqual(["idle", false, []]);
  });

  it.each(names)("%s reads as it did", (name) => {
    const state = replay(name);
    const { lastTurn, usage, title } = state;
    const plan = visiblePlan(state);
    const rest = { title, lastTurn, usage, plan, mode: selectModes(state)?.current?.name };
    expect(`${transcriptText(state)}\n\n${JSON.stringify(rest)}`).toMatchSnapshot();
  });

  it("claude-v1-subagent: shows what the sub-agent did under the call that began it", () => {
    const parentOf = (meta: unknown) => Object(Object(meta).claudeCode).parentToolUseId as string | undefined;
    const select = createNestingSelector((entry) => parentOf(entry._meta ?? ("chunkMeta" in entry && entry.chunkMeta)));
    const { roots, childrenOf } = select(replay("claude-v1-subagent"));
    expect(roots.map(({ key }) => key)).toEqual(["prompt:1", "tool_call:task-1", "agent:main"]);
    expect(childrenOf("tool_call:task-1").map(({ key }) => key)).toEqual(["agent:sub", "tool_call:grep-1"]);
  });
});
