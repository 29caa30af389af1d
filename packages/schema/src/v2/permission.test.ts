import { describe, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../test/outcome.js";
import { type PermissionOption, permissionOption } from "./index.js";

describe("an option of a permission question (V2-PERM-07)", () => {
  const option = { optionId: "o", name: "Yes", kind: "allow_once" };

  it.each<Case>([
    ["allows once", permissionOption, option, fine],
    ["allows always", permissionOption, { ...option, kind: "allow_always" }, fine],
    ["rejects once", permissionOption, { ...option, kind: "reject_once" }, fine],
    ["rejects always", permissionOption, { ...option, kind: "reject_always" }, fine],
    ["has a kind of somebody's own", permissionOption, { ...option, kind: "_allow_for_an_hour" }, fine],
    ["has a kind of the future", permissionOption, { ...option, kind: "allow_session" }, { kept: ["kind"] }],
    ["has a kind that is none", permissionOption, { ...option, kind: true }, { refused: ["kind"] }],
    ["has no kind", permissionOption, { optionId: "o", name: "Yes" }, { refused: ["kind"] }],
    ["has no id", permissionOption, { name: "Yes", kind: "allow_once" }, { refused: ["optionId"] }],
    ["has no name", permissionOption, { optionId: "o", kind: "allow_once" }, { refused: ["name"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));

  it("cannot be written with a kind of the future", () => {
    const mine: PermissionOption = { optionId: "o", name: "Yes", kind: "_mine" };
    // @ts-expect-error only the protocol may write this
    const future: PermissionOption = { optionId: "o", name: "Yes", kind: "allow_session" };
    expectOutcome(permissionOption, mine, fine);
    expectOutcome(permissionOption, future, { kept: ["kind"] });
  });
});
