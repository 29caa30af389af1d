import { expect, it } from "vitest";
import * as browser from "../src/client/browser.js";
import * as client from "../src/client/index.js";
import * as node from "../src/node/index.js";
import * as server from "../src/server/index.js";

it("the entry of clients exports these names", () => {
  expect(Object.keys(client).sort()).toMatchInlineSnapshot(`
    [
      "createCookieStore",
      "openRemote",
    ]
  `);
});

it("the entry for bundlers of pages exports the same names", () => {
  expect(Object.keys(browser).sort()).toEqual(Object.keys(client).sort());
});

it("the entry of servers exports these names", () => {
  expect(Object.keys(server).sort()).toMatchInlineSnapshot(`
    [
      "createRemoteServer",
      "hasToken",
      "isLoopbackHost",
      "readToken",
    ]
  `);
});

it("the entry for Node exports these names", () => {
  expect(Object.keys(node).sort()).toMatchInlineSnapshot(`
    [
      "listen",
    ]
  `);
});
