import { describe, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../test/outcome.js";
import { authMethod } from "./index.js";

describe("a way to log in (V2-AUTH-03)", () => {
  const agent = { type: "agent", methodId: "web", name: "Web" };
  const terminal = { type: "terminal", methodId: "tui", name: "TUI" };

  it.each<Case>([
    ["by the agent", authMethod, agent, fine],
    ["with a description", authMethod, { ...agent, description: "In the browser" }, fine],
    ["with null for it", authMethod, { ...agent, description: null }, fine],
    ["with a bad one", authMethod, { ...agent, description: 5 }, { salvaged: ["description"], as: agent }],
    ["without a type", authMethod, { methodId: "web", name: "Web" }, { refused: ["type"] }],
    [
      "under version 1's name for the id",
      authMethod,
      { type: "agent", id: "web", name: "Web" },
      { refused: ["methodId"] },
    ],
    ["without a name", authMethod, { type: "agent", methodId: "web" }, { refused: ["name"] }],
    ["at a terminal", authMethod, terminal, fine],
    [
      "at a terminal, with arguments and variables",
      authMethod,
      { ...terminal, args: ["login"], env: [{ name: "A", value: "1" }] },
      fine,
    ],
    [
      "at a terminal, with nulls",
      authMethod,
      { ...terminal, args: null, env: null },
      { salvaged: ["args", "env"], as: { ...terminal, args: [], env: [] } },
    ],
    ["at a terminal, with bad arguments", authMethod, { ...terminal, args: "login" }, { refused: ["args"] }],
    ["at a terminal, with version 1's variables", authMethod, { ...terminal, env: { A: "1" } }, { refused: ["env"] }],
    ["of a type that nobody here knows", authMethod, { ...agent, type: "passkey" }, { kept: ["type"] }],
    ["of such a type, without a name", authMethod, { type: "passkey", methodId: "p" }, { refused: ["name"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});
