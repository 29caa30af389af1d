import { describe, expect, it, vi } from "vitest";
import { stateBytes } from "../../test/state-bytes.js";
import { createSessionState } from "../create-session-state.js";
import type { SessionEvent } from "../event.js";
import { reduceAll } from "../reduce.js";
import type { SessionState } from "../state.js";
import { entryNaming } from "../timeline.js";

const part = (member: string, value: unknown): SessionEvent => ({ type: "state_restored", member, value });
const fold = (...events: readonly SessionEvent[]): SessionState => reduceAll(createSessionState(), events);
const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const notes = ({ anomalies }: SessionState): readonly string[] => anomalies.map(({ what }) => what);

describe("a restored list that no reducer wrote", () => {
  const question = (index: number): object => ({ requestId: `r${index}`, title: "T", message: "M", options: [] });

  it.each(["pendingPermissions", "pendingElicitations"] as const)("%s keeps the bound of the reducer", (member) => {
    for (const values of [[many(300, question)], many(300, (index) => [question(index)])]) {
      const state = fold(...values.map((value) => part(member, value)));
      expect(state[member]).toHaveLength(256);
      expect(notes(state)).toContain(`more than 256 ${member}`);
    }
  });

  it("anomalies keep the newest 100, with short texts", () => {
    const odd = (index: number): object => ({ what: `${index}${"x".repeat(1_000)}`, about: "y".repeat(1_000) });
    const state = fold(part("anomalies", many(150, odd)), part("anomalies", [odd(150), "odd", { what: 1 }]));
    expect(state.anomalies).toHaveLength(100);
    expect(state.anomalies.at(-1)?.what.startsWith("150x")).toBe(true);
    expect(JSON.stringify(state.anomalies).length).toBeLessThan(30_000);
  });

  it("the reducer's memory of prompts keeps the newest 100", () => {
    const names = many(500, (index) => `prompt:${index}`);
    const { internal } = fold(part("internal", { unechoed: names, openTurns: names }));
    expect(internal.unechoed).toEqual(names.slice(-100));
    expect(internal.openTurns).toEqual(names.slice(-100));
  });

  it.each([
    ["terminals", "terminalId", 1_000],
    ["plans", "planId", 100],
    ["subagents", "sessionId", 1_024],
  ] as const)("%s keep the bound of the reducer", (member, id, most) => {
    const state = fold(...many(most + 1, (index) => part(member, { [id]: `${index}` })));
    expect(state[member].length).toBeLessThanOrEqual(most);
    expect((state[member].at(-1) as unknown as Record<string, unknown>)[id]).toBe(`${most}`);
    expect(notes(state)).toContain(`more than ${most} ${member}`);
  });
});

describe("a restored entry", () => {
  const prompt = (index: number, messageId?: string): object => ({
    key: `prompt:${index}`,
    type: "message",
    role: "user",
    prompt: { promptId: `${index}`, status: "accepted" },
    messageId,
  });

  it("with the name of another is refused, and the timeline is not named anew", () => {
    const first = [...many(200, (index) => part("timeline", prompt(index)))];
    const names = vi.spyOn(entryNaming, "names");
    const state = fold(...first, ...many(200, (index) => part("timeline", prompt(200 + index, "m"))));
    expect(names.mock.calls.length).toBeLessThan(5_000);
    names.mockRestore();
    expect(state.timeline.length).toBe(201);
    expect(state.timeline.get("user:m")?.key).toBe("prompt:200");
  });

  it("keeps its names", () => {
    const state = fold(
      part("timeline", prompt(0, "m")),
      part("timeline", { key: "prompt:0", messageId: "n" }),
      part("timeline", { key: "prompt:0", messageId: null }),
      part("timeline", { key: "prompt:0", at: 5 }),
    );
    expect(state.timeline.toArray()).toMatchObject([{ messageId: "m", at: 5 }]);
    expect(notes(state)).toEqual(["no such part of a state", "no such part of a state"]);
  });

  it("takes its name later", () => {
    const state = fold(part("timeline", prompt(0)), part("timeline", { key: "prompt:0", messageId: "m" }));
    expect(state.timeline.get("user:m")?.key).toBe("prompt:0");
  });

  it.each([
    ["timeline", { key: "tool_call:a", type: "tool_call", toolCallId: "a" }],
    ["subagents", { sessionId: "a" }],
  ])("of %s is counted by what a part changes", (member, item) => {
    let reads = 0;
    const rawInput = {
      get text() {
        reads += 1;
        return "x";
      },
    };
    const content = [{ type: "content", content: { type: "text", text: "x" } }];
    const parts = many(50, () => part(member, { ...item, ...(member === "timeline" ? { content } : { at: reads }) }));
    const state = fold(part(member, { ...item, rawInput }), ...parts);
    expect(reads).toBeLessThan(5);
    expect(state.bytes).toBe(stateBytes(state));
  });
});

describe("long lists of one event", () => {
  /** Items that count how often one of their members is read. */
  const counting = (count: number, member: string, rest: object): { items: readonly object[]; reads(): number } => {
    let reads = 0;
    const items = many(count, (index) =>
      Object.defineProperty({ ...rest }, member, {
        enumerable: true,
        get() {
          reads += 1;
          return `${member}${index}`;
        },
      }),
    );
    return { items, reads: () => reads };
  };

  it("options are compared by category once for each", () => {
    const { items, reads } = counting(200, "category", { configId: "c", type: "select" });
    const own = many(200, (index) => ({
      configId: `o${index}`,
      category: `own${index}`,
      setBy: "mode",
      type: "select",
    }));
    fold(part("configOptions", own), { type: "config_option_update", configOptions: items } as SessionEvent);
    expect(reads()).toBeLessThan(2_000);
  });

  it("an option that is set is counted alone", () => {
    const { items, reads } = counting(200, "name", { type: "select" });
    const options = items.map((item, index) =>
      Object.defineProperty(item, "configId", { value: `c${index}`, enumerable: true }),
    );
    const sets = many(
      50,
      (index) => ({ type: "config_option_set", configId: "c0", value: `${index}` }) as SessionEvent,
    );
    const state = fold(part("configOptions", options), ...sets);
    expect(reads()).toBeLessThan(2_000);
    expect(state.configOptions?.[0]).toMatchObject({ currentValue: "49" });
    expect(state.bytes).toBe(stateBytes(state));
  });

  it("background work is looked up once for each tool call", () => {
    const { items, reads } = counting(200, "toolCallId", { type: "tool_call" });
    const calls = many(200, (index) => ({ type: "tool_call_update", toolCallId: `a${index}` }) as SessionEvent);
    const activity = { state: "running", origin: "request", background: items };
    const state = fold(part("activity", activity), ...calls, { type: "cancel_asked" });
    expect(reads()).toBeLessThan(2_000);
    expect(state.timeline.at(-1)).toMatchObject({ status: "cancelled" });
  });
});
