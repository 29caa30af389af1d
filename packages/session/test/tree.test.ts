import { describe, expect, it } from "vitest";
import type { Codec } from "../src/codec/codec.js";
import { v1Codec, v2Codec } from "../src/codec/dialects.js";
import type { SessionEvent } from "../src/event.js";
import {
  createNestingSelector,
  createSessionTree,
  createTreeSnapshot,
  readTreeSnapshot,
  reduceTree,
  type SessionTree,
  selectTree,
} from "../src/index.js";

type Frame = readonly [sessionId: string, update: object];

/** Folds updates as they are on the wire. */
function received(
  frames: Iterable<Frame>,
  { codec = v2Codec, tree = createSessionTree("root") }: { readonly codec?: Codec; readonly tree?: SessionTree } = {},
): SessionTree {
  return reduceTree(tree, eventsOf(frames, codec));
}

function* eventsOf(frames: Iterable<Frame>, codec: Codec): Generator<{ sessionId: string; event: SessionEvent }> {
  for (const [sessionId, update] of frames) for (const event of codec.decode(update)) yield { sessionId, event };
}

const child = (parentId: string, sessionId: string, members: object = {}): Frame => [
  parentId,
  { sessionUpdate: "subagent_update", sessionId, ...members },
];
const state = (sessionId: string, name: string, members: object = {}): Frame => [
  sessionId,
  { sessionUpdate: "state_update", state: name, ...members },
];
const say = (sessionId: string, text: string): Frame => [
  sessionId,
  { sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text } },
];
const node = (tree: SessionTree, id: string) => tree.nodes.get(id);
const textOf = (tree: SessionTree, id: string): string =>
  [...(node(tree, id)?.state.timeline ?? [])]
    .flatMap((entry) => (entry.type === "message" ? [...entry.content] : []))
    .map((block) => ("text" in block ? block.text : ""))
    .join("");

describe("a tree of sessions", () => {
  it("P-SUB-07, P-SUB-19: has a state for each child, its parent and its depth, also of a child of a child", () => {
    const tree = received([
      say("root", "a"),
      child("root", "kid"),
      say("kid", "b"),
      child("kid", "grandkid"),
      say("grandkid", "c"),
    ]);
    expect([...tree.nodes].map(({ sessionId, parentId, depth }) => [sessionId, parentId, depth])).toEqual([
      ["root", undefined, 0],
      ["kid", "root", 1],
      ["grandkid", "kid", 2],
    ]);
    expect(["root", "kid", "grandkid"].map((id) => textOf(tree, id))).toEqual(["a", "b", "c"]);
  });

  it("P-SUB-04, P-SUB-08: later updates patch; none moves a child, makes a second one or ends it", () => {
    const tree = received([
      child("root", "a"),
      child("root", "b", { title: "B" }),
      child("a", "b", { description: "tests" }),
      child("a", "root"),
      state("b", "idle", { stopReason: "end_turn" }),
      state("b", "running"),
      say("b", "again"),
    ]);
    expect(tree.nodes.length).toBe(3);
    expect(node(tree, "b")).toMatchObject({ parentId: "root", state: { activity: { state: "running" } } });
    expect(node(tree, "root")?.state.subagents.get("b")).toMatchObject({ title: "B", description: "tests" });
    expect(node(tree, "a")?.state).toMatchObject({
      anomalies: [
        { what: "a child session cannot get another parent", about: "b" },
        { what: "a child session cannot get another parent", about: "root" },
      ],
    });
    expect(textOf(tree, "b")).toBe("again");
  });

  it("P-SUB-05, P-SUB1-04: members are kept, cleared or replaced one by one; a bad directory refuses the whole update", () => {
    for (const codec of [v1Codec, v2Codec]) {
      const tree = received(
        [
          child("root", "kid", { title: "T", description: "D", cwd: "/w", capabilities: { cancel: {} } }),
          child("root", "kid", { title: null, description: 5, capabilities: {} }),
          child("root", "kid", { title: "lost", cwd: 7 }),
        ],
        { codec },
      );
      expect(node(tree, "root")?.state.subagents.get("kid")).toEqual({
        sessionId: "kid",
        title: undefined,
        description: "D",
        cwd: "/w",
        capabilities: {},
      });
    }
  });

  it("P-SUB-15: the child's own report wins over its parent's, which counts until then", () => {
    const mirror = (name: string) => child("root", "kid", { state: { state: name } });
    const early = received([child("root", "kid"), mirror("running"), mirror("requires_action")]);
    expect(node(early, "kid")?.state.activity).toMatchObject({ state: "requires_action", origin: "mirrored" });
    const own = received([mirror("running"), state("kid", "idle", { stopReason: "end_turn" }), mirror("running")]);
    expect(node(own, "kid")?.state.activity).toMatchObject({ state: "idle", origin: "reported" });
  });

  it("P-SUB-15, P-SUB1-03: a state that is null is not idle", () => {
    const tree = received(
      [child("root", "kid", { state: { state: "running" } }), child("root", "kid", { state: null })],
      {
        codec: v1Codec,
      },
    );
    expect(node(tree, "kid")?.state.activity).toMatchObject({ state: "unknown", lastKnown: "running" });
    expect(selectTree(tree).get("kid")?.isBusy).toBe(true);
  });

  it("P-SUB-16: a message between sessions has its own place and id in each, and is linked late", () => {
    const message = (messageId: string, members: object) => ({
      sessionUpdate: "session_message",
      messageId,
      ...members,
    });
    const text = { type: "text", text: "Run all tests" };
    const ends = { senderSessionId: "root", recipientSessionId: "kid" };
    const tree = received([
      child("root", "kid"),
      ["root", message("out", { ...ends, content: [text] })],
      ["kid", message("in", { ...ends, senderMessageId: "out", content: [] })],
      ["kid", { sessionUpdate: "session_message_chunk", messageId: "in", content: text }],
      ["root", message("out", { recipientMessageId: "in", senderSessionId: null })],
    ]);
    expect(node(tree, "root")?.state.timeline.get("session_message:out")).toMatchObject({
      recipientSessionId: "kid",
      recipientMessageId: "in",
      senderSessionId: undefined,
    });
    const incoming = node(tree, "kid")?.state.timeline.get("session_message:in");
    expect(incoming).toMatchObject({ senderSessionId: "root", senderMessageId: "out" });
    expect(incoming?.type === "session_message" && [...incoming.content]).toEqual([text]);
  });

  it("P-SUB-17: a link before the announcement stays, and gives nothing", () => {
    const link = {
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      content: [{ type: "session", sessionId: "kid" }],
    };
    const early = received([["root", link]]);
    expect(early.nodes.length).toBe(1);
    const tree = received([child("root", "kid", { title: "Runner" })], { tree: early });
    const call = node(tree, "root")?.state.timeline.get("tool_call:t");
    expect(call?.type === "tool_call" && [...call.content]).toEqual([{ type: "session", sessionId: "kid" }]);
    expect(selectTree(tree).get("kid")?.titles).toEqual(["Runner"]);
  });

  it("P-SUB-18: updates of an unannounced session wait, within a bound", () => {
    const early = received([say("kid", "early "), state("kid", "running")]);
    expect(early.nodes.length).toBe(1);
    const tree = received([child("root", "kid"), say("kid", "late")], { tree: early });
    expect(textOf(tree, "kid")).toBe("early late");
    expect(tree.waiting).toEqual([]);
    const flooded = received(Array.from({ length: 1_001 }, () => say("kid", "x")));
    expect(flooded.waiting).toHaveLength(1_000);
    const large = received(Array.from({ length: 20 }, (_, at) => say(`kid-${at}`, "x".repeat(1024 * 1024))));
    expect(large.waiting).toHaveLength(3);
    expect(received([say("kid", "x")], { tree: large }).waiting).toHaveLength(4);
    expect(
      received([child("root", "kid-0"), say("other", "x".repeat(1024 * 1024))], { tree: large }).waiting,
    ).toHaveLength(3);
    expect(node(flooded, "root")?.state.anomalies).toEqual([
      { what: "an update of a session that was not announced", about: "kid" },
    ]);
  });

  it("P-SUB-19: says of each session whether something below it works or waits for the user", () => {
    const frames = [
      child("root", "kid", { title: "Kid" }),
      child("kid", "grandkid", { title: "Grandkid" }),
      state("root", "idle"),
      state("kid", "idle"),
      state("grandkid", "requires_action"),
    ];
    const { items, childrenOf, get } = selectTree(received(frames));
    expect(items.map(({ id, isBusy, needsAction }) => [id, isBusy, needsAction])).toEqual([
      ["root", true, true],
      ["kid", true, true],
      ["grandkid", true, true],
    ]);
    expect(childrenOf("root").map(({ id }) => id)).toEqual(["kid"]);
    expect(get("grandkid")?.titles).toEqual(["Kid", "Grandkid"]);
    const done = selectTree(received([...frames, state("grandkid", "idle")]));
    expect(done.items.some(({ isBusy, needsAction }) => isBusy || needsAction)).toBe(false);
  });

  it("P-BG-06: a session with background work is busy in any state, also by work of an unknown type", () => {
    for (const work of [
      { type: "subagent", sessionId: "kid" },
      { type: "_dream", of: 1 },
    ]) {
      const tree = received([
        child("root", "kid"),
        state("kid", "idle"),
        state("root", "idle", { background: [work] }),
      ]);
      expect(selectTree(tree).get("root")?.isBusy).toBe(true);
      expect(selectTree(tree).get("kid")?.isBusy).toBe(false);
    }
  });

  it("P-SUB-19: beyond 1 024 children the oldest idle ones are folded; a new event brings one back", () => {
    const many = Array.from({ length: 1_024 }, (_, at) => child("root", `kid-${at}`, { title: `T${at}` }));
    const busy = many.map((_, at) => state(`kid-${at}`, at % 2 === 0 ? "running" : "idle"));
    const full = received([...many, ...busy]);
    expect(full.nodes.length).toBe(1_025);
    const tree = received([child("root", "more")], { tree: full });
    expect(tree.nodes.has("more")).toBe(true);
    expect(tree.nodes.has("kid-0")).toBe(true);
    expect(tree.nodes.has("kid-1")).toBe(false);
    const back = received([say("kid-1", "hello")], { tree });
    expect(textOf(back, "kid-1")).toBe("hello");
    const allBusy = received([...many, ...many.map((_, at) => state(`kid-${at}`, "running")), child("root", "more")]);
    expect(allBusy.nodes.has("more")).toBe(false);
    expect(node(allBusy, "root")?.state.anomalies.at(-1)).toEqual({
      what: "more than 1024 child sessions at work",
      about: "more",
    });
  });

  it("P-SUB-19: no child is deeper than 16", () => {
    const ids = ["root", ...Array.from({ length: 17 }, (_, at) => `d${at + 1}`)];
    const tree = received(ids.slice(1).map((id, at) => child(ids[at] as string, id)));
    expect(node(tree, "d16")?.depth).toBe(16);
    expect(tree.nodes.has("d17")).toBe(false);
    expect(node(tree, "d16")?.state.anomalies).toEqual([{ what: "a child session below depth 16", about: "d17" }]);
  });

  it("P-SUB-19: nested work in the metadata of version 1 agents joins the same tree", () => {
    const nested = (toolCallId: string, parent: string | undefined, status = "completed"): Frame => [
      "root",
      {
        sessionUpdate: "tool_call",
        toolCallId,
        title: toolCallId.toUpperCase(),
        status,
        _meta: parent === undefined ? {} : { claudeCode: { parentToolUseId: parent } },
      },
    ];
    const tree = received(
      [nested("task", undefined), nested("inner", "task"), nested("leaf", "inner", "in_progress")],
      {
        codec: v1Codec,
      },
    );
    const selectNesting = createNestingSelector(({ _meta }) => Object(_meta?.claudeCode).parentToolUseId);
    const view = selectTree(tree, selectNesting);
    expect(view.items.map(({ id, depth, titles }) => [id, depth, titles])).toEqual([
      ["root", 0, []],
      ["tool_call:task", 1, ["TASK"]],
      ["tool_call:inner", 2, ["TASK", "INNER"]],
    ]);
    expect([...(view.get("tool_call:inner")?.entries ?? [])].map(({ key }) => key)).toEqual(["tool_call:leaf"]);
  });

  it("survives a restart as plain JSON, with everything that waits", () => {
    const tree = received([child("root", "kid"), say("kid", "a"), say("later", "early")]);
    const back = readTreeSnapshot(JSON.parse(JSON.stringify(createTreeSnapshot(tree))));
    expect(back).toEqual(tree);
    for (const odd of [undefined, 5, {}, { format: "turnkit-tree/1" }, { ...createTreeSnapshot(tree), rootId: "kid" }])
      expect(readTreeSnapshot(odd)).toBeUndefined();
  });

  it("defect W6: a damaged snapshot with circles, loose parts or unknown depths is refused", () => {
    const tree = received([child("root", "kid"), child("kid", "grandchild"), say("later", "early")]);
    const whole = JSON.parse(JSON.stringify(createTreeSnapshot(tree)));
    const [root, kid, grandchild] = whole.nodes;
    const place = { sessionId: "gone", parentId: "kid", depth: 2 };
    expect(readTreeSnapshot({ ...whole, folded: [place] })?.folded.length).toBe(1);
    const damaged = [
      { nodes: [{ ...root, parentId: "kid" }, kid, grandchild] },
      { nodes: [{ ...root, parentId: "root" }, kid] },
      { nodes: [root, { ...kid, parentId: "grandchild" }, grandchild] },
      { nodes: [root, { ...kid, parentId: "kid" }] },
      { nodes: [root, { ...kid, parentId: "nobody" }] },
      { nodes: [root, { ...kid, parentId: undefined }] },
      { nodes: [root, { ...kid, depth: 1e9 }] },
      { nodes: [root, kid, kid] },
      { nodes: [root, kid, { ...grandchild, sessionId: "root" }] },
      { folded: [{ ...place, parentId: "gone" }] },
      { folded: [{ ...place, parentId: "nobody" }] },
      { folded: [{ ...place, depth: "2" }] },
      { folded: [place, { sessionId: "below", parentId: "gone", depth: 3 }] },
      { folded: [place, { ...place, sessionId: "kid", parentId: "gone" }] },
      { waiting: [{ sessionId: "later" }] },
      { waiting: [{ sessionId: "later", event: {} }] },
    ];
    for (const parts of damaged) expect([parts, readTreeSnapshot({ ...whole, ...parts })]).toEqual([parts, undefined]);
  });
});
