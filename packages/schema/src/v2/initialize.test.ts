import { describe, expect, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../test/outcome.js";
import { clientAuthCapabilities, clientCapabilities, elicitationCapabilities, initializeRequest } from "./index.js";

const info = { name: "a", version: "1" };
const hello = { protocolVersion: 2, info };

describe("who speaks (V2-INIT-03)", () => {
  it.each<Case>([
    ["a name and a version", initializeRequest, hello, fine],
    ["a title to show", initializeRequest, { ...hello, info: { ...info, title: "A", _meta: {} } }, fine],
    ["null for the title", initializeRequest, { ...hello, info: { ...info, title: null } }, fine],
    [
      "a bad title",
      initializeRequest,
      { ...hello, info: { ...info, title: 5 } },
      { salvaged: ["info.title"], as: hello },
    ],
    ["nobody", initializeRequest, { protocolVersion: 2 }, { refused: ["info"] }],
    ["no version", initializeRequest, { ...hello, info: { name: "a" } }, { refused: ["info.version"] }],
    ["no name", initializeRequest, { ...hello, info: { version: "1" } }, { refused: ["info.name"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});

describe("what a client can do (V2-INIT-14)", () => {
  it("is a tree of three leaves, each with room for metadata", () => {
    const keys = ({ def }: { def: { parts?: (() => object) | undefined } }) => Object.keys(def.parts?.() ?? {});
    expect(keys(clientCapabilities)).toEqual(["auth", "elicitation", "_meta"]);
    expect(keys(clientAuthCapabilities)).toEqual(["terminal", "_meta"]);
    expect(keys(elicitationCapabilities)).toEqual(["form", "url", "_meta"]);
  });

  const everything = { auth: { terminal: {} }, elicitation: { form: {}, url: {} } };
  const withMeta = {
    auth: { terminal: { _meta: {} }, _meta: {} },
    elicitation: { form: { _meta: {} }, url: { _meta: {} }, _meta: {} },
  };

  it.each<Case>([
    ["everything", clientCapabilities, everything, fine],
    ["metadata on every node", clientCapabilities, withMeta, fine],
    ["null for no", clientCapabilities, { auth: null, elicitation: { form: null, url: {} } }, fine],
    [
      "yes and no, as version 1 has it for terminals",
      clientCapabilities,
      { auth: { terminal: true }, elicitation: false },
      { salvaged: ["auth.terminal", "elicitation"], as: { auth: {} } },
    ],
    [
      "what version 1 has, which means nothing here",
      clientCapabilities,
      { fs: { readTextFile: true }, terminal: true },
      fine,
    ],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});
