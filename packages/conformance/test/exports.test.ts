import { expect, it } from "vitest";
import * as root from "../src/index.js";
import * as node from "../src/node/index.js";

it("the root entry exports these names", () => {
  expect(Object.keys(root).sort()).toMatchInlineSnapshot(`
    [
      "assertPassed",
      "checkRegistryEntry",
      "chooseAgentChecks",
      "chooseClientChecks",
      "defaultPrompts",
      "renderHtml",
      "renderJson",
      "renderJunit",
      "renderMarkdown",
      "renderResult",
      "renderSarif",
      "renderSummary",
      "runAgentChecks",
      "runClientChecks",
    ]
  `);
});

it("the node entry exports these names", () => {
  expect(Object.keys(node).sort()).toMatchInlineSnapshot(`
    [
      "commandAgent",
      "commandClient",
      "remoteAgent",
      "runRemoteChecks",
    ]
  `);
});
