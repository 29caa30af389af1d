import { describe, expect, it } from "vitest";
import { type AgentHandlers, type ChildSession, createMemoryLog, SessionLogError, type Turn } from "../src/index.js";
import { type Frame, gate, openAs, type RawClient, v2Hello } from "./raw-client.js";

const prompt = [{ type: "text", text: "go" }];
const terminal = (size = 0) => ({ type: "terminal", terminalId: "t", _meta: { x: "x".repeat(size) } }) as never;
const subagent = ({ id }: ChildSession) => ({ type: "subagent", sessionId: id }) as const;

/** A prompted agent whose turn opens a child session and ends with `done`. */
async function opened(more: Partial<AgentHandlers> = {}, options = {}) {
  const done = gate();
  const turn = gate<Turn>();
  const connected = await openAs(
    v2Hello,
    {
      ...more,
      prompt(given) {
        turn.open(given);
        return done.promise;
      },
    },
    options,
  );
  await connected.client.result("session/prompt", { sessionId: connected.sessionId, prompt });
  const { session } = await turn.promise;
  const kid = session.child("Kid", { cancel: true });
  return { ...connected, session, kid, done };
}

const statesOf = ({ received }: RawClient, sessionId: string): Frame[] =>
  received.flatMap(({ params }) =>
    params?.sessionId === sessionId && params.update?.sessionUpdate === "state_update" ? [params.update] : [],
  );

/** Ids of the items of a list of background work. */
const idsIn = ({ background }: Frame = {}) =>
  background?.map(({ terminalId, sessionId }: Frame) => terminalId ?? sessionId);

/** Log that takes no event once `isBroken` is true. */
function breakableLog() {
  const log = createMemoryLog();
  const storage = { log, isBroken: false };
  const open = log.open.bind(log);
  log.open = async (...given) => {
    const writer = await open(...given);
    const append = writer.append.bind(writer);
    writer.append = (event) => {
      if (storage.isBroken) throw new SessionLogError("failed", "The storage failed.");
      return append(event);
    };
    return writer;
  };
  return storage;
}

describe("the list of background work of a child session", () => {
  it.each([
    ["that is too large", terminal(33 << 20), { code: "too_large" }],
    ["that leaves no room for the end of the work", terminal((32 << 20) - 100_000), { code: "too_large" }],
    ["that is no background work", { type: "terminal" } as never, { name: "TypeError" }],
    ["of a child session that was not announced", { type: "subagent", sessionId: "none" } as never, { code: "state" }],
  ])("V2-BG-02, P-SUB-12: a list %s is refused, and the work ends all the same", async (_, item, error) => {
    const { client, kid } = await opened({}, { cancelGraceMs: 1 });
    kid.setBackground([terminal()]);
    expect(() => kid.setBackground([item])).toThrow(expect.objectContaining(error));
    client.cancel(kid.id);
    const end = await client.next(({ params }) => params?.sessionId === kid.id && params.update?.state === "idle");
    expect(end.params.update.stopReason).toBe("cancelled");
    expect(idsIn(end.params.update)).toEqual(["t"]);
  });

  it("P-BG-02: a list that is refused does not replace the earlier one, which loses a forgotten child session", async () => {
    const { client, sessionId, session, kid } = await opened();
    const other = session.child("Other");
    session.setBackground([subagent(kid), subagent(other)]);
    expect(() => session.setBackground([terminal(33 << 20)])).toThrow(expect.objectContaining({ code: "too_large" }));
    kid.forget();
    await client.request("session/list");
    expect(statesOf(client, sessionId).flatMap((state) => ("background" in state ? [idsIn(state)] : []))).toEqual([
      [kid.id, other.id],
      [other.id],
    ]);
  });

  it("P-BG-02, P-SUB-22: forget() sends the empty list of an idle child session, and later lists send nothing", async () => {
    const { client, session, kid } = await opened();
    session.setBackground([subagent(kid)]);
    kid.setBackground([terminal()]);
    kid.idle();
    kid.forget();
    await client.request("session/list");
    expect(statesOf(client, kid.id).at(-1)).toMatchObject({ state: "idle", stopReason: "end_turn", background: [] });
    const count = client.received.length;
    kid.setBackground([terminal()]);
    await client.request("session/list");
    expect(client.received).toHaveLength(count + 1);
  });

  it("P-SUB-22: a list that is refused after forget() is no error", async () => {
    const { kid } = await opened();
    kid.forget();
    expect(() => kid.setBackground([terminal(33 << 20)])).not.toThrow();
  });
});

const circle: { self?: unknown } = {};
circle.self = circle;

describe("P-SUB-12: an end of the work of a child session that cannot be sent as it is", () => {
  it.each([
    ["a large message", { code: 1, message: "x".repeat(33 << 20) }, { code: 1 }],
    ["large data", { code: 1, message: "no tests", data: "x".repeat(33 << 20) }, { code: 1, message: "no tests" }],
    ["data that is no JSON", { code: 1, message: "no tests", data: circle }, { code: 1 }],
  ])("%s", async (_, error, sent) => {
    const { client, kid } = await opened();
    kid.idle({ stopReason: "error", error: error as never });
    await client.request("session/list");
    expect(statesOf(client, kid.id).at(-1)).toMatchObject({ state: "idle", stopReason: "error", error: sent });
  });
});

describe("P-SUB-13: the end of a child session whose log fails", () => {
  it("of cancelled work is reported, and not thrown in a timer", async () => {
    const storage = breakableLog();
    const { client, kid, diagnostics } = await opened({ log: storage.log }, { cancelGraceMs: 1 });
    storage.isBroken = true;
    client.cancel(kid.id);
    const end = await client.next(({ params }) => params?.sessionId === kid.id && params.update?.state === "idle");
    expect(end.params.update).toMatchObject({ stopReason: "cancelled" });
    expect(diagnostics.map(({ message }) => message)).toEqual(["The activity of a child session could not be sent."]);
  });

  it("that is forgotten leaves the lists and the tree", async () => {
    const storage = breakableLog();
    const { client, sessionId, session, kid } = await opened({ log: storage.log });
    const grandkid = kid.child("Grandkid");
    session.setBackground([subagent(kid), subagent(grandkid)]);
    storage.isBroken = true;
    expect(() => kid.forget()).not.toThrow();
    storage.isBroken = false;
    await client.request("session/list");
    expect(idsIn(statesOf(client, sessionId).at(-1))).toEqual([]);
    // A child session would be refused with another code.
    for (const { id } of [kid, grandkid])
      expect(await client.error("session/prompt", { sessionId: id, prompt })).toMatchObject({ code: -32002 });
  });
});
