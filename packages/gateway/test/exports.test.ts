import { expect, it } from "vitest";
import * as root from "../src/index.js";
import * as jetstream from "../src/jetstream/index.js";
import * as node from "../src/node/index.js";

it("the entry exports these names", () => {
  expect(Object.keys(root).sort()).toMatchInlineSnapshot(`
    [
      "createFigures",
      "createGateway",
      "createMemoryEngine",
    ]
  `);
});

it("the entry for Node exports these names", () => {
  expect(Object.keys(node).sort()).toMatchInlineSnapshot(`
    [
      "createFileLog",
    ]
  `);
});

it("the entry for JetStream exports these names", () => {
  expect(Object.keys(jetstream).sort()).toMatchInlineSnapshot(`
    [
      "checkServerVersion",
      "createJetStreamEngine",
    ]
  `);
});
