import { describe, expect, it, vi } from "vitest";
import type { SessionEvent } from "../event.js";
import { messageText } from "../select.js";
import { watchSessions } from "./connection-watch.js";
import type { SessionWatch, SessionWatchOptions, WatchedSide } from "./watch-options.js";

type Frame = readonly [from: WatchedSide, message: object];

const feed = (watch: SessionWatch, ...frames: readonly Frame[]) => {
  for (const [from, message] of frames) watch.message({ jsonrpc: "2.0", ...message }, from);
};
const place = { cwd: "/srv", mcpServers: [] };
const call = (id: number, method: string, params: object = {}): Frame => ["client", { id, method, params }];
const load = (id: number, sessionId = "s") => call(id, "session/load", { sessionId, ...place });
const close = (id: number, sessionId = "s") => call(id, "session/close", { sessionId });
const prompt = (id: number, text: string, sessionId = "s") =>
  call(id, "session/prompt", { sessionId, prompt: [{ type: "text", text }] });
const answer = (id: number, result: object = {}): Frame => ["agent", { id, result }];
const refusal = (id: number): Frame => ["agent", { id, error: { code: -32603, message: "no" } }];
const update = (update: object, sessionId = "s"): Frame => [
  "agent",
  { method: "session/update", params: { sessionId, update } },
];
const says = (text: string, sessionId = "s") =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }, sessionId);

const said = (watch: SessionWatch, id = "s") => {
  const state = watch.sessions.get(id)?.getState();
  if (state === undefined) return undefined;
  return [...state.timeline].flatMap((entry) => (entry.type === "message" ? [messageText(entry)] : []));
};

/** A watch with the open session `s`, in which the agent said `old`. */
function watching(options: SessionWatchOptions = {}) {
  const watch = watchSessions({ dialect: "v1", ...options });
  feed(watch, call(1, "session/new", place), answer(1, { sessionId: "s" }), says("old"));
  return watch;
}

describe("defect F6: overlapping requests of one session", () => {
  it.each<[string, readonly Frame[], readonly string[] | undefined]>([
    [
      "a close answered before the load that follows it",
      [close(2), load(3), answer(2), says("new"), answer(3)],
      ["new"],
    ],
    [
      "a close answered after the load that follows it",
      [close(2), load(3), says("new"), answer(3), answer(2)],
      ["new"],
    ],
    [
      "a load answered before the close that follows it",
      [load(2), close(3), says("new"), answer(2), answer(3)],
      undefined,
    ],
    [
      "a load answered after the close that follows it",
      [load(2), close(3), says("new"), answer(3), answer(2)],
      undefined,
    ],
    [
      "a load that a close follows, which the agent refuses",
      [load(2), close(3), says("new"), answer(2), refusal(3)],
      ["new"],
    ],
    ["a refused load beside one that works", [load(2), load(3), refusal(2), says("new"), answer(3)], ["new"]],
    ["two loads", [load(2), load(3), says("new"), answer(2), says("new"), answer(3)], ["new"]],
    ["two refused loads", [load(2), load(3), says(" more"), refusal(2), refusal(3)], ["old more"]],
    ["a load that is refused after a close", [load(2), close(3), answer(3), refusal(2)], undefined],
  ])("%s", (_, frames, expected) => {
    const watch = watching();
    feed(watch, ...frames);
    expect(said(watch)).toEqual(expected);
  });

  it("an unknown session enters the map with its answer, with its whole replay", () => {
    const opened: string[] = [];
    const watch = watching({ onSession: (id) => opened.push(id) });
    feed(watch, load(2, "t"), load(3, "t"), says("one", "t"), refusal(2));
    expect(watch.sessions.has("t")).toBe(false);
    feed(watch, says(" two", "t"), answer(3));
    expect(said(watch, "t")).toEqual(["one two"]);
    expect(opened).toEqual(["s", "t"]);
  });

  it("a resume without a replay keeps the conversation beside its updates", () => {
    const watch = watching();
    const title = update({ sessionUpdate: "session_info_update", title: "T" });
    feed(watch, call(2, "session/resume", { sessionId: "s", ...place }), title, answer(2));
    expect(said(watch)).toEqual(["old"]);
    expect(watch.sessions.get("s")?.getState().title).toBe("T");
  });
});

describe("defect F6: updates before the answer that opens their session", () => {
  const title = (sessionId: string) => update({ sessionUpdate: "session_info_update", title: sessionId }, sessionId);

  it("belong to it", () => {
    const watch = watching();
    feed(watch, call(2, "session/new", place), title("n"), says("Hi", "n"), answer(2, { sessionId: "n" }));
    expect(said(watch, "n")).toEqual(["Hi"]);
    expect(watch.sessions.get("n")?.getState().title).toBe("n");
  });

  it("are kept while any such answer is open, and no longer", () => {
    const watch = watching();
    feed(watch, call(2, "session/new", place), call(3, "session/new", place), title("a"), title("b"), refusal(2));
    feed(watch, answer(3, { sessionId: "b" }), call(4, "session/new", place), answer(4, { sessionId: "a" }));
    expect(watch.sessions.get("b")?.getState().title).toBe("b");
    expect(watch.sessions.get("a")?.getState().title).toBeUndefined();
  });

  it("are bounded", () => {
    const watch = watching();
    feed(watch, call(2, "session/new", place));
    for (let n = 0; n < 3_000; n += 1) feed(watch, says("x", "n"));
    feed(watch, answer(2, { sessionId: "n" }));
    expect(said(watch, "n")).toEqual(["x".repeat(1_000)]);
  });
});

describe("defect W4: large updates that wait are bounded by their size", () => {
  const large = (sessionId: string): readonly Frame[] =>
    Array.from({ length: 9 }, (_, at) =>
      update(
        {
          ...{ sessionUpdate: "agent_message_chunk", messageId: `m${at}` },
          content: { type: "text", text: "x".repeat(1_000_000) },
        },
        sessionId,
      ),
    );

  it("before the answer that opens their session, and there is room again after it", () => {
    const watch = watching();
    for (const id of [2, 3])
      feed(watch, call(id, "session/new", place), ...large(`n${id}`), answer(id, { sessionId: `n${id}` }));
    expect(["n2", "n3"].map((id) => said(watch, id)?.length)).toEqual([3, 3]);
  });

  it("during a restore that is refused; one that succeeds loses none", () => {
    for (const [end, length] of [
      [refusal(2), 4],
      [answer(2), 9],
    ] as const) {
      const watch = watching();
      feed(watch, load(2), ...large("s"), end);
      expect(said(watch)).toHaveLength(length);
    }
  });

  it("of a new child session during a restore that is refused", () => {
    const watch = watching();
    feed(watch, load(2), update({ sessionUpdate: "subagent_update", sessionId: "kid" }), ...large("kid"), refusal(2));
    expect(said(watch, "kid")).toHaveLength(3);
  });
});

describe("defect F6: a fork", () => {
  const fork = call(2, "session/fork", { sessionId: "s", ...place, cwd: "/fork" });

  it("is watched, and begins with the conversation of its parent", () => {
    const watch = watching();
    feed(watch, prompt(9, "Go"), fork, answer(2, { sessionId: "f" }), prompt(3, "On", "f"), says("new", "f"));
    feed(watch, answer(3, { stopReason: "end_turn" }));
    expect(said(watch, "f")).toEqual(["old", "Go", "On", "new"]);
    expect(said(watch)).toEqual(["old", "Go"]);
    const state = watch.sessions.get("f")?.getState();
    expect(state).toMatchObject({ cwd: "/fork", sessionId: "f", activity: { state: "idle" } });
  });

  it("that is refused is no session, and an agent cannot ask for one", () => {
    const watch = watching();
    feed(watch, fork, refusal(2), ["agent", { ...fork[1], id: 5 }], ["client", { id: 5, result: { sessionId: "g" } }]);
    expect([...watch.sessions.keys()]).toEqual(["s"]);
  });
});

describe("defect F6: a client that never closes its sessions", () => {
  it("keeps the sessions that were active last, and closes the others", () => {
    const ended: string[] = [];
    const onEvent = (id: string, { type }: SessionEvent) => void (type === "session_closed" && ended.push(id));
    const watch = watching({ maxSessions: 2, onEvent });
    const store = watch.sessions.get("s");
    feed(watch, call(2, "session/new", place), answer(2, { sessionId: "t" }), says("again"));
    feed(watch, call(3, "session/new", place), answer(3, { sessionId: "u" }));
    expect([...watch.sessions.keys()].sort()).toEqual(["s", "u"]);
    feed(watch, call(4, "session/new", place), answer(4, { sessionId: "v" }));
    expect(store?.getState()).toMatchObject({ closed: true });
    expect(ended).toEqual(["t", "s"]);
  });

  it("a prompt whose answer never comes counts as failed after 1 000 later requests", () => {
    const watch = watching();
    feed(watch, prompt(2, "Hi"));
    for (let id = 10; id < 1_100; id += 1) feed(watch, call(id, "session/load", { sessionId: `x${id}`, ...place }));
    expect(watch.sessions.get("s")?.getState().activity.state).toBe("idle");
  });
});

describe("defect F4: a listener of a watch that throws", () => {
  const fail = () => {
    throw new Error("mine");
  };

  it("is reported, and stops nothing", () => {
    const onError = vi.fn();
    const watch = watching({ onEvent: fail, onSession: fail, onError });
    watch.sessions.get("s")?.subscribe(fail);
    feed(watch, says(" new"));
    expect(said(watch)).toEqual(["old new"]);
    expect(onError.mock.calls.length).toBeGreaterThan(3);
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ message: "mine" }));
  });

  it("is printed without `onError`", () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
    watching({ onSession: fail });
    expect(print).toHaveBeenCalledOnce();
    print.mockRestore();
  });
});

it("a prompt whose answer cannot be read has ended", () => {
  const watch = watching();
  feed(watch, prompt(2, "Hi"), [
    "agent",
    {
      id: 2,
      result: {
        get stopReason() {
          throw new Error("no");
        },
      },
    },
  ]);
  expect(watch.sessions.get("s")?.getState().activity.state).toBe("idle");
});
