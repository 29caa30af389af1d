import { afterEach, describe, expect, test, vi } from "vitest";
import { createElicitationBroker, type DecisionStore } from "../src/broker/index.js";
import { ALWAYS, type Asking, cancelled, edit, selected, start } from "./brokered.js";
import { openSession } from "./raw-agent.js";

const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
afterEach(() => void printed.mockClear());
const lines = () => printed.mock.calls.map(([line]) => String(line).split("\n")[0]);

const always: Asking = { ...edit("/work/a"), options: ALWAYS };

describe("defect N150: a store of decisions that fails, without an audit, is reported", () => {
  const sound: DecisionStore = { get: () => undefined, set: () => undefined, delete: () => undefined };
  const fails = () => Promise.reject(new Error("the file is no list of decisions"));
  test.each<[string, Partial<DecisionStore>]>([
    ["when it is read", { get: fails }],
    ["when it is written", { set: fails }],
    [
      "when it throws at once",
      {
        get() {
          throw new Error("the file is no list of decisions");
        },
      },
    ],
  ])("%s", async (_, broken) => {
    const store = { ...sound, ...broken };
    const ask = vi.fn(() => ({ outcome: "selected", optionId: "ever" }) as const);
    const { put } = await start({ audit: undefined, ask, remember: { scope: "project", store } } as never);
    expect(await put("1", always)).toMatchObject(selected("ever"));
    expect(await put("2", always)).toMatchObject(selected("ever"));
    expect(ask).toHaveBeenCalledTimes(2);
    expect(lines()).toEqual([expect.stringContaining("the file is no list of decisions")]);
  });

  test("and so is a value of another form", async () => {
    const store = { ...sound, get: () => JSON.stringify({ verdict: "allow" }) as never };
    const ask = () => ({ outcome: "selected", optionId: "no" }) as const;
    const { put } = await start({ audit: undefined, ask, remember: { scope: "project", store } } as never);
    expect(await put("1", always)).toMatchObject(selected("no"));
    expect(lines()).toEqual([expect.stringContaining("DecisionStore.get got")]);
  });
});

describe("defect N151: an audit that rejects counts as one that throws", () => {
  test("and cancels a permission question", async () => {
    const { put } = await start({ policy: () => "allow", audit: () => Promise.reject(new Error("disk")) } as never);
    expect(await put("1", always)).toMatchObject(cancelled);
  });

  test("and cancels the question of a person", async () => {
    const ask = () => ({ outcome: "selected", optionId: "yes" }) as const;
    const { put } = await start({ ask, audit: () => Promise.reject(new Error("disk")) } as never);
    expect(await put("1", always)).toMatchObject(cancelled);
  });

  test("and cancels a form", async () => {
    const { agent } = await openSession({
      elicitations: createElicitationBroker({
        form: () => ({ action: "accept", content: {} }),
        audit: () => Promise.reject(new Error("disk")) as never,
      }),
    });
    const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
    agent.request("q", "elicitation/create", { mode: "form", message: "Name?", requestedSchema, sessionId: "s-1" });
    expect(await agent.answerTo("q")).toMatchObject({ result: { action: "cancel" } });
  });
});
