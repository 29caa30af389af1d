import { describe, expect, expectTypeOf, it } from "vitest";
import { type Contract, parse } from "../index.js";
import {
  type CancelNotification,
  contract,
  type ParamsOf,
  type PromptRequest,
  type PromptResponse,
  type ResultOf,
} from "./index.js";

const rows: Contract = contract;
const emptyResults = [
  "authenticate",
  "logout",
  "session/load",
  "session/resume",
  "session/close",
  "session/delete",
  "session/set_mode",
  "session/set_model",
  "fs/write_text_file",
  "terminal/release",
  "terminal/kill",
];

describe("the contract of version 1", () => {
  it("is a list of methods", () => {
    const table = Object.entries(rows).map(([method, row]) => {
      const arrow = { client: "→ agent", agent: "→ client", both: "↔" }[row.from];
      return `${method} ${arrow} (${row.scope})${row.result === undefined ? " notification" : ""}`;
    });
    expect(table).toMatchInlineSnapshot(`
      [
        "initialize → agent (connection)",
        "authenticate → agent (connection)",
        "logout → agent (connection)",
        "session/new → agent (connection)",
        "session/load → agent (session)",
        "session/resume → agent (session)",
        "session/list → agent (connection)",
        "session/close → agent (session)",
        "session/delete → agent (session)",
        "session/prompt → agent (session)",
        "session/set_mode → agent (session)",
        "session/set_config_option → agent (session)",
        "session/set_model → agent (session)",
        "session/update → client (session) notification",
        "session/request_permission → client (session)",
        "fs/read_text_file → client (session)",
        "fs/write_text_file → client (session)",
        "terminal/create → client (session)",
        "terminal/output → client (session)",
        "terminal/wait_for_exit → client (session)",
        "terminal/kill → client (session)",
        "terminal/release → client (session)",
        "elicitation/create → client (session)",
        "elicitation/complete → client (connection) notification",
        "$/cancel_request ↔ (connection) notification",
        "session/cancel → agent (session) notification",
      ]
    `);
  });

  it("reads `null` as an empty result where older peers send it, and nowhere else (V1-RPC-08)", () => {
    const nullable = Object.entries(rows).filter(([, { result }]) => result && !parse(result, null).issues);
    expect(nullable.map(([method]) => method).toSorted()).toEqual(emptyResults.toSorted());
    for (const [, { result }] of nullable) {
      expect(result && parse(result, null)).toMatchObject({ value: {}, salvaged: [{ path: [] }] });
      expect(result && parse(result, {})).toEqual({ value: {} });
    }
  });

  it("takes empty params where nothing is required (V1-RPC-07)", () => {
    const optional = Object.entries(rows).filter(([, { params }]) => !parse(params, {}).issues);
    expect(optional.map(([method]) => method)).toEqual(["logout", "session/list"]);
  });

  it("refuses params that are an array (V1-RPC-07)", () => {
    for (const [method, { params }] of Object.entries(rows)) expect(parse(params, []).issues, method).toHaveLength(1);
  });

  it("names a session wherever the scope is one; only an elicitation may lack it", () => {
    for (const [method, { params, scope }] of Object.entries(rows)) {
      const needsSession = parse(params, {}).issues?.some((issue) => issue.path[0] === "sessionId") ?? false;
      expect(needsSession, method).toBe(scope === "session" && method !== "elicitation/create");
    }
  });

  it("gives the types of params and results", () => {
    expectTypeOf<ParamsOf<"session/prompt">>().toEqualTypeOf<PromptRequest>();
    expectTypeOf<ResultOf<"session/prompt">>().toEqualTypeOf<PromptResponse>();
    expectTypeOf<ParamsOf<"session/cancel">>().toEqualTypeOf<CancelNotification>();
    expectTypeOf<ResultOf<"session/cancel">>().toBeNever();
    // @ts-expect-error there is no such method
    expectTypeOf<ParamsOf<"session/fly">>().toBeUnknown();
  });

  it("is what a transport asks for: Standard Schemas in a record", () => {
    type Standard = {
      readonly "~standard": { readonly version: 1; readonly vendor: string; validate(value: unknown): unknown };
    };
    expectTypeOf(contract).toExtend<
      Readonly<
        Record<
          string,
          {
            readonly from: "client" | "agent" | "both";
            readonly scope: "session" | "connection";
            readonly params: Standard;
            readonly result?: Standard;
          }
        >
      >
    >();
  });
});
