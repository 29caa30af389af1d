import { describe, expect, expectTypeOf, it } from "vitest";
import { type Contract, parse } from "../index.js";
import {
  type CancelSessionNotification,
  contract,
  type ParamsOf,
  type PromptRequest,
  type PromptResponse,
  type ResultOf,
} from "./index.js";

const rows: Contract = contract;

describe("the contract of version 2", () => {
  it("is a list of methods", () => {
    const table = Object.entries(rows).map(([method, row]) => {
      const arrow = { client: "→ agent", agent: "→ client", both: "↔" }[row.from];
      return `${method} ${arrow} (${row.scope})${row.result === undefined ? " notification" : ""}`;
    });
    expect(table).toMatchInlineSnapshot(`
      [
        "initialize → agent (connection)",
        "auth/login → agent (connection)",
        "auth/logout → agent (connection)",
        "session/new → agent (connection)",
        "session/resume → agent (session)",
        "session/list → agent (connection)",
        "session/close → agent (session)",
        "session/delete → agent (session)",
        "session/prompt → agent (session)",
        "session/set_config_option → agent (session)",
        "tool_call/cancel → agent (session)",
        "terminal/cancel → agent (session)",
        "session/update → client (session) notification",
        "session/request_permission → client (session)",
        "elicitation/create → client (session)",
        "elicitation/complete → client (connection) notification",
        "$/cancel_request ↔ (connection) notification",
        "session/cancel → agent (session) notification",
      ]
    `);
  });

  it("takes no `null` for a result (V2-ENV-10)", () => {
    for (const [method, { result }] of Object.entries(rows)) {
      if (result) expect(parse(result, null).issues, method).toHaveLength(1);
    }
  });

  it("takes empty params where nothing is required (V2-ENV-10)", () => {
    const optional = Object.entries(rows).filter(([, { params }]) => !parse(params, {}).issues);
    expect(optional.map(([method]) => method)).toEqual(["auth/logout", "session/list"]);
  });

  it("names a session wherever the scope is one; only an elicitation may lack it", () => {
    for (const [method, { params, scope }] of Object.entries(rows)) {
      // A union says first that its tag is missing.
      const tagged = { type: "id", mode: "form" };
      const needsSession = parse(params, tagged).issues?.some((issue) => issue.path[0] === "sessionId") ?? false;
      expect(needsSession, method).toBe(scope === "session" && method !== "elicitation/create");
    }
  });

  it("gives the types of params and results", () => {
    expectTypeOf<ParamsOf<"session/prompt">>().toEqualTypeOf<PromptRequest>();
    expectTypeOf<ResultOf<"session/prompt">>().toEqualTypeOf<PromptResponse>();
    expectTypeOf<ParamsOf<"session/cancel">>().toEqualTypeOf<CancelSessionNotification>();
    expectTypeOf<ResultOf<"session/cancel">>().toBeNever();
    // @ts-expect-error there is no such method
    expectTypeOf<ParamsOf<"session/load">>().toBeUnknown();
  });
});
