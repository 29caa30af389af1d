import { describe, expect, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../../test/outcome.js";
import { parse } from "../../index.js";
import { authAccount, authStatusRequest, authStatusResponse, authStatusUpdateNotification } from "./index.js";

const account = { label: "ada@a.test" };

describe("the state of the login", () => {
  it.each<Case>([
    ["V2-AUTH-11 is asked for without params", authStatusRequest, {}, fine],
    ["V2-AUTH-11 known", authStatusResponse, { state: "authenticated", accounts: [account] }, fine],
    ["V2-AUTH-11 without accounts", authStatusResponse, { state: "not_required" }, fine],
    [
      "V2-AUTH-11 of the future, for the client to take for unknown",
      authStatusResponse,
      { state: "expired" },
      { kept: ["state"] },
    ],
    ["V2-AUTH-11 of somebody's own", authStatusResponse, { state: "_sso" }, fine],
    ["V2-AUTH-11 missing", authStatusResponse, { accounts: [] }, { refused: ["state"] }],
    [
      "V2-AUTH-11 with garbage for the accounts",
      authStatusResponse,
      { state: "unknown", accounts: 5 },
      { salvaged: ["accounts"], as: { state: "unknown" } },
    ],
    [
      "V2-AUTH-13 is told by the same members",
      authStatusUpdateNotification,
      { state: "unauthenticated", accounts: [] },
      fine,
    ],
    [
      "V2-AUTH-13 is told without its state",
      authStatusUpdateNotification,
      { accounts: [account] },
      { refused: ["state"] },
    ],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});

describe("an account (V2-AUTH-12)", () => {
  it.each<Case>([
    ["has a label", authAccount, account, fine],
    [
      "has more to show",
      authAccount,
      { ...account, active: true, name: "A", email: "a@a.test", organization: "O" },
      fine,
    ],
    ["has nulls", authAccount, { ...account, active: null, name: null, email: null, organization: null }, fine],
    [
      "has garbage",
      authAccount,
      { ...account, active: "yes", name: 1, email: {}, organization: [] },
      { salvaged: ["active", "name", "email", "organization"], as: account },
    ],
    ["has no label", authAccount, { name: "A" }, { refused: ["label"] }],
    [
      "may be active beside others",
      authStatusResponse,
      {
        state: "authenticated",
        accounts: [
          { label: "a", active: true },
          { label: "b", active: true },
        ],
      },
      fine,
    ],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));

  it("is dropped when it is bad, and the note about it, which may be logged, does not quote it", () => {
    const read = parse(authStatusResponse, { state: "authenticated", accounts: [{ email: "ada@a.test" }, account] });
    expect(read).toMatchObject({ value: { accounts: [account] }, salvaged: [{ path: ["accounts", 0] }] });
    expect(JSON.stringify("salvaged" in read && read.salvaged)).not.toContain("ada");
  });
});
