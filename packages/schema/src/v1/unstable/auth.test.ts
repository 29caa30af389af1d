import { describe, expect, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../../test/outcome.js";
import { parse } from "../../index.js";
import { agentCapabilities, authStatusRequest, authStatusResponse, authStatusUpdateNotification } from "./index.js";

describe("the state of the login (V1-UNST-06)", () => {
  const account = { label: "a" };
  const known = { state: "authenticated", accounts: [account] };

  it.each<Case>([
    ["is offered", agentCapabilities, { auth: { status: {}, logout: {} } }, fine],
    ["is asked for without params", authStatusRequest, {}, fine],
    ["known", authStatusResponse, known, fine],
    ["without accounts", authStatusResponse, { state: "not_required" }, fine],
    [
      "of the future, for the client to take for unknown",
      authStatusResponse,
      { state: "expired" },
      { kept: ["state"] },
    ],
    ["missing", authStatusResponse, { accounts: [] }, { refused: ["state"] }],
    [
      "with garbage for the accounts",
      authStatusResponse,
      { ...known, accounts: "a" },
      { salvaged: ["accounts"], as: { state: "authenticated" } },
    ],
    [
      "with one bad account",
      authStatusResponse,
      { ...known, accounts: [{ name: "b" }, account] },
      { salvaged: ["accounts.0"], as: known },
    ],
    [
      "with all there is to show",
      authStatusResponse,
      { ...known, accounts: [{ ...account, active: true, name: "N", email: "e", organization: null }] },
      fine,
    ],
    [
      "with garbage to show",
      authStatusResponse,
      { ...known, accounts: [{ ...account, active: 1, name: 1, email: 1, organization: 1 }] },
      { salvaged: ["active", "name", "email", "organization"].map((key) => `accounts.0.${key}`), as: known },
    ],
    ["told", authStatusUpdateNotification, known, fine],
    ["told without its state", authStatusUpdateNotification, { accounts: [account] }, { refused: ["state"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));

  it("is told about bad accounts without quoting them, because notes are logged", () => {
    const read = parse(authStatusResponse, { state: "authenticated", accounts: [{ email: "ada@a.test" }] });
    expect(read).toMatchObject({ salvaged: [{ path: ["accounts", 0] }] });
    expect(JSON.stringify("salvaged" in read && read.salvaged)).not.toContain("ada");
  });
});
