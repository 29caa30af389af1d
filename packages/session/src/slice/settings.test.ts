import { describe, expect, it } from "vitest";
import { createSessionState } from "../create-session-state.js";
import type { SessionEvent } from "../event.js";
import { reduceAll } from "../reduce.js";
import type { SelectOption } from "../settings.js";
import type { SessionState } from "../state.js";

const mode = (currentValue: string, own = false): SelectOption => ({
  configId: "mode",
  name: "Mode",
  category: "mode",
  type: "select",
  currentValue,
  options: [],
  ...(own && { setBy: "session/set_mode" as const }),
});
const model = { ...mode("m1"), configId: "model", category: "model" };
const opened = (...configOptions: readonly SelectOption[]): SessionEvent => ({
  type: "session_opened",
  sessionId: "s",
  configOptions,
});
const updated = (...configOptions: readonly SelectOption[]): SessionEvent => ({
  type: "config_option_update",
  configOptions,
});
const received = (currentModeId: string): SessionEvent => ({ type: "current_mode_update", currentModeId });
const fold = (...events: readonly SessionEvent[]): SessionState => reduceAll(createSessionState(), events);
const values = (state: SessionState): unknown =>
  state.configOptions?.map((option) => [option.configId, (option as SelectOption).currentValue]);

describe("settings", () => {
  it("V1-UPD-24: a mode update sets the option of category mode", () => {
    expect(values(fold(opened(mode("ask"), model), received("code")))).toEqual([
      ["mode", "code"],
      ["model", "m1"],
    ]);
    expect(fold(opened(model), received("code")).anomalies).toHaveLength(1);
  });

  it("V1-UPD-24: also if it came before the session's own answer", () => {
    expect(values(fold(received("code"), opened(mode("ask"))))).toEqual([["mode", "code"]]);
    expect(values(fold(received("old"), updated(mode("new")), opened(mode("ask"))))).toEqual([["mode", "new"]]);
  });

  it("V1-CFG-10: an update replaces all options, but not those that have a method of their own", () => {
    expect(values(fold(opened(mode("ask")), updated(model)))).toEqual([["model", "m1"]]);
    expect(values(fold(opened(mode("ask", true)), updated(model)))).toEqual([
      ["mode", "ask"],
      ["model", "m1"],
    ]);
    expect(values(fold(opened(mode("ask", true)), updated(mode("code"))))).toEqual([["mode", "code"]]);
  });

  it("lists that an update brought first are newer than those of the session's own answer", () => {
    expect(values(fold(updated(mode("new")), opened(mode("old"))))).toEqual([["mode", "new"]]);
    expect(values(fold(updated(model), opened(mode("ask", true))))).toEqual([
      ["mode", "ask"],
      ["model", "m1"],
    ]);
  });

  it("the same holds for commands", () => {
    const command = (name: string) => ({ type: "command", name, description: name }) as const;
    const received: SessionEvent = { type: "available_commands_update", availableCommands: [command("new")] };
    const answer: SessionEvent = { type: "session_opened", sessionId: "s", availableCommands: [command("old")] };
    const names = (state: SessionState): unknown => state.availableCommands?.map(({ name }) => name);
    expect([names(fold(received, answer)), names(fold(answer, received)), names(fold(answer))]).toEqual([
      ["new"],
      ["new"],
      ["old"],
    ]);
  });

  it("V1-MODE-03: a value that the agent accepted counts; one of another type does not", () => {
    const set = (configId: string, value: string | boolean): SessionEvent => ({
      type: "config_option_set",
      configId,
      value,
    });
    expect(values(fold(opened(mode("ask")), set("mode", "code")))).toEqual([["mode", "code"]]);
    const odd = fold(opened(mode("ask")), set("mode", true), set("nothing", "x"));
    expect(values(odd)).toEqual([["mode", "ask"]]);
    expect(odd.anomalies).toHaveLength(2);
  });

  it("V1-UPD-26: the title is kept, cleared or set", () => {
    const info = (title?: string | null): SessionEvent => ({ type: "session_info_update", title });
    expect(fold(info("T"), info()).title).toBe("T");
    expect(fold(info("T"), info(null)).title).toBeUndefined();
  });

  it("V1-UPD-31: the cost stays until another comes", () => {
    const usage = (used: number, cost?: { amount: number; currency: string } | null): SessionEvent => ({
      type: "usage_update",
      used,
      size: 10,
      cost,
    });
    const cost = { amount: 1, currency: "credits" };
    expect(fold(usage(1, cost), usage(2)).usage).toEqual({ used: 2, size: 10, cost });
    expect(fold(usage(1, cost), usage(2, null)).usage).toEqual({ used: 2, size: 10 });
  });

  it("refuses a setting that would fill the state", () => {
    const state = reduceAll(createSessionState({ stateBytes: 10_000 }), [
      { type: "session_info_update", title: "T" },
      { type: "session_info_update", title: "x".repeat(5000) },
    ]);
    expect([state.title, state.anomalies]).toEqual(["T", [{ what: "too large to keep", about: "title" }]]);
  });
});
