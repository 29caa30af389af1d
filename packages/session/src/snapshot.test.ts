import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { brokenEvent, soundEvent } from "../test/arbitrary-event.js";
import { createSessionState } from "./create-session-state.js";
import type { SessionEvent } from "./event.js";
import { reduceAll } from "./reduce.js";
import { createSnapshot, readSnapshot } from "./snapshot.js";
import { transcriptText } from "./transcript.js";

/** Returns events as they arrive from a peer: no `undefined`, no `-0`. */
const fromWire = (events: readonly SessionEvent[]): readonly SessionEvent[] => JSON.parse(JSON.stringify(events));
const onDisk = (snapshot: unknown): unknown => JSON.parse(JSON.stringify(snapshot));

describe("a snapshot", () => {
  it("read back is the same state and folds on as that would have", () => {
    const limits = fc.constantFrom(undefined, { stateBytes: 4000, terminalBytes: 50 });
    const events = fc.array(fc.oneof(soundEvent, brokenEvent), { maxLength: 40 });
    fc.assert(
      fc.property(events, events, limits, (before, after, bounds) => {
        const state = reduceAll(createSessionState(bounds), fromWire(before));
        const read = readSnapshot(onDisk(createSnapshot(state))).state;
        expect(read).toEqual(state);
        if (read === undefined) return;
        expect(reduceAll(read, fromWire(after))).toEqual(reduceAll(state, fromWire(after)));
      }),
      { numRuns: 300 },
    );
  });

  it("keeps bounds that are none", () => {
    const none = { stateBytes: Number.POSITIVE_INFINITY, entryBytes: Number.POSITIVE_INFINITY };
    const state = createSessionState({ ...none, terminalBytes: Number.POSITIVE_INFINITY });
    expect(readSnapshot(onDisk(createSnapshot(state))).state).toEqual(state);
  });

  it("of format 1 is read by every later version", () => {
    // What format 1 looked like. Never change it: add one for the next format.
    const written = `{"format":"turnkit-session/1","state":{"sessionId":"s","cwd":"/a","additionalDirectories":[],
      "title":"T","timeline":[{"type":"message","key":"prompt:p","role":"user","messageId":"u","content":[{"type":"text",
      "text":"Hi"}],"prompt":{"promptId":"p","status":"accepted"}},{"type":"tool_call","key":"tool_call:t","toolCallId":"t",
      "title":"Run","kind":"execute","status":"completed","content":[],"locations":[]}],"terminals":[{"terminalId":"x",
      "text":"out","textBytes":3,"droppedBytes":0,"pendingBytes":[]}],"plans":[{"type":"items","planId":"main",
      "entries":[]}],"activity":{"state":"idle","origin":"request"},"replaying":false,"cancelling":false,"closed":false,
      "pendingPermissions":[],"pendingElicitations":[],"subagents":[],"anomalies":[],"bytes":725,"limits":{"stateBytes":1000,
      "terminalBytes":100},"internal":{"stateReported":false,"updatedLists":{"commands":false,"options":false},"serial":0,
      "unechoed":[],"openTurns":[]}}}`;
    const { state, problem } = readSnapshot(JSON.parse(written));
    expect(problem).toBeUndefined();
    expect(state && transcriptText(state)).toBe("User: Hi\n\n[Run (completed)]");
    expect(state).toMatchObject({ sessionId: "s", title: "T", limits: { stateBytes: 1000, terminalBytes: 100 } });
    // It knew no bound of an entry, which is never more than half of the state's.
    expect(state?.limits.entryBytes).toBe(500);
    expect(state?.timeline.indexOf("user:u")).toBe(0);
    expect([state?.terminals.get("x")?.text, state?.plans.get("main")?.type]).toEqual(["out", "items"]);
  });

  const { state: whole, ...envelope } = createSnapshot(createSessionState());
  const message = { type: "message", key: "a", role: "user", content: [] };
  const refused: readonly (readonly [string, unknown])[] = [
    ["nothing", undefined],
    ["a list", []],
    ["another format", { ...envelope, format: "x", state: whole }],
    ["no state", envelope],
    ["a later format", { format: "turnkit-session/2", state: whole }],
    ["no format", { state: whole }],
    ["no timeline", { ...envelope, state: {} }],
    ["a member of another kind", { ...envelope, state: { ...(whole as object), pendingPermissions: 5 } }],
    ["an entry without a key", { ...envelope, state: { ...(whole as object), timeline: [{ type: "notice" }] } }],
    [
      "a message without content",
      { ...envelope, state: { ...(whole as object), timeline: [{ ...message, content: 1 }] } },
    ],
    ["two entries of one key", { ...envelope, state: { ...(whole as object), timeline: [message, message] } }],
  ];
  it.each(refused)("is none that holds %s, and says so", (_, value) => {
    expect(readSnapshot(value)).toEqual({ state: undefined, problem: expect.any(String) });
  });

  it("is read from anything without throwing", () => {
    const broken = fc.dictionary(fc.constantFrom(...Object.keys(whole as object)), fc.jsonValue());
    fc.assert(
      fc.property(fc.oneof(fc.anything(), broken), (value) => {
        readSnapshot(value);
        readSnapshot({ ...envelope, state: { ...(whole as object), ...(value as object) } });
      }),
      { numRuns: 1000 },
    );
  });
});
