import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { decodeV1 } from "../src/codec/v1/decode.js";
import { decodeV2 } from "../src/codec/v2/decode.js";
import { createSessionState } from "../src/create-session-state.js";
import type { SessionEvent } from "../src/event.js";
import { createNestingSelector } from "../src/nesting.js";
import { createRecorder, createRecordingReader } from "../src/recording/index.js";
import { reduceAll } from "../src/reduce.js";
import { selectModes, visiblePlan } from "../src/select.js";
import { createSnapshot, readSnapshot } from "../src/snapshot.js";
import type { SessionState } from "../src/state.js";
import { transcriptText } from "../src/transcript.js";
import { createSessionTree, reduceTree } from "../src/tree.js";

// Conversations as agents hold them, with the habits that `quirks.md` of the project's notes saw on the wire.
const folder = new URL("./recordings/", import.meta.url);
const names = readdirSync(folder).map((file) => file.replace(".jsonl", ""));

function eventsOf(name: string, size = Number.POSITIVE_INFINITY): readonly SessionEvent[] {
  const text = readFileSync(new URL(`${name}.jsonl`, folder), "utf8");
  const reader = createRecordingReader({ v1: decodeV1, v2: decodeV2, seed: decodeV2 });
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

  it.each(names)("%s leaves the state that is stored beside it, without a clock or a die", async (name) => {
    const received = eventsOf(name);
    const forbidden = (): never => {
      throw new Error("A reducer has no business here.");
    };
    const spies = [vi.spyOn(Math, "random"), vi.spyOn(Date, "now"), vi.spyOn(performance, "now")];
    for (const spy of [...spies, vi.spyOn(crypto, "randomUUID")]) spy.mockImplementation(forbidden);
    const state = reduceAll(createSessionState(), received);
    vi.restoreAllMocks();
    expect(state.anomalies).toEqual([]); // a throw would be one
    await expect(`${stored(state).join("\n")}\n`).toMatchFileSnapshot(`./recorded-states/${name}.jsonl`);
  });

  it("claude-v1-subagent: shows what the subagent did under the call that began it", () => {
    const parentOf = (meta: unknown) => Object(Object(meta).claudeCode).parentToolUseId as string | undefined;
    const select = createNestingSelector((entry) => parentOf(entry._meta ?? ("chunkMeta" in entry && entry.chunkMeta)));
    const { roots, childrenOf } = select(replay("claude-v1-subagent"));
    expect(roots.map(({ key }) => key)).toEqual(["prompt:1", "tool_call:task-1", "agent:main"]);
    expect(childrenOf("tool_call:task-1").map(({ key }) => key)).toEqual(["agent:sub", "tool_call:grep-1"]);
  });
});

describe("P-SUB-07, P-REPLAY-04: recordings of a session and of its child sessions, one for each", () => {
  type Told = readonly [sessionId: string, received: { readonly update: object } | { readonly event: SessionEvent }];
  const say = (sessionId: string, messageId: string, text: string): Told => [
    sessionId,
    { update: { sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } } },
  ];
  const child = (parent: string, sessionId: string): Told => [
    parent,
    { update: { sessionUpdate: "subagent_update", sessionId, title: sessionId } },
  ];
  const marker = (sessionId: string): Told => [sessionId, { update: { sessionUpdate: "replay_complete" } }];
  const prompt = { type: "prompt_sent", promptId: "p", content: [{ type: "text", text: "Go" }] } as const;
  const replay = (sessionId: string): Told => [sessionId, { event: { type: "replay_started" } }];
  const received: readonly Told[] = [
    replay("root"),
    say("root", "old", "Before. "),
    child("root", "kid"),
    marker("root"),
    replay("kid"),
    say("kid", "old", "Found "),
    marker("kid"),
    ["root", { event: { ...prompt, idempotencyKey: "key-1" } }],
    child("kid", "grandkid"),
    say("grandkid", "m", "one"),
    ["root", { event: { ...prompt, idempotencyKey: "key-1" } }],
    say("kid", "m", "two"),
    say("root", "m", "Done."),
    say("grandkid", "m", " more"),
  ];
  const live = reduceTree(
    createSessionTree("root"),
    received.flatMap(([sessionId, one]) =>
      ("event" in one ? [one.event] : decodeV2(one.update)).map((event) => ({ sessionId, event })),
    ),
  );

  function recorded(sessionId: string): string {
    const lines: string[] = [];
    const recorder = createRecorder("v2", (line) => lines.push(line));
    for (const [id, one] of received) {
      if (id !== sessionId) continue;
      if ("event" in one) recorder.event(one.event);
      else recorder.update(one.update);
    }
    return lines.join("");
  }

  it.each([1, 7, Number.POSITIVE_INFINITY])("give the tree of the live sessions, in pieces of %d", (size) => {
    const events = ["root", "kid", "grandkid"].flatMap((sessionId) => {
      const reader = createRecordingReader({ v2: decodeV2 });
      const text = recorded(sessionId);
      const read: SessionEvent[] = [];
      for (let start = 0; start < text.length; start += size)
        read.push(...reader.push(text.slice(start, start + size)));
      return [...read, ...reader.end()].map((event) => ({ sessionId, event }));
    });
    const tree = reduceTree(createSessionTree("root"), events);
    expect([...tree.nodes]).toEqual([...live.nodes]);
    expect([...tree.nodes].map(({ sessionId, parentId }) => [sessionId, parentId])).toEqual([
      ["root", undefined],
      ["kid", "root"],
      ["grandkid", "kid"],
    ]);
    const [root, kid, grandkid] = [...tree.nodes].map(({ state }) => state);
    expect(root?.timeline.get("prompt:p")).toMatchObject({ prompt: { idempotencyKey: "key-1" } });
    expect([...(root?.timeline ?? [])].filter((entry) => "prompt" in entry && entry.prompt)).toHaveLength(1);
    expect(root?.history).toBeDefined();
    expect(kid?.history).toBeDefined();
    expect(grandkid?.history).toBeUndefined();
    expect(grandkid && transcriptText(grandkid)).toContain("one more");
  });
});

const LISTS: readonly string[] = ["timeline", "terminals", "plans", "subagents"];

/** A state as lines, one for each thing in it, whatever the order of their members. */
function stored(state: SessionState): readonly string[] {
  // An estimate and bookkeeping may change with the reducer; what a person sees may not.
  const { bytes: _, internal: __, ...seen } = JSON.parse(JSON.stringify(state)) as { readonly [name: string]: unknown };
  const line = (name: string, value: unknown): string => JSON.stringify({ [name]: sorted(value) });
  return Object.keys(seen)
    .toSorted()
    .flatMap((name) =>
      LISTS.includes(name)
        ? (seen[name] as readonly unknown[]).map((item) => line(name, item))
        : [line(name, seen[name])],
    );
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const members = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
