import { describe, expect, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../test/outcome.js";
import { parse } from "../index.js";
import { initializeRequest, initializeResponse } from "./index.js";

describe("initialize", () => {
  it.each(["1.0.0", -1, 65536, 1.5, null, undefined])("refuses %j as a protocol version (V1-INIT-04)", (version) => {
    expect(parse(initializeRequest, { protocolVersion: version }).issues).toHaveLength(1);
  });

  it("reads capabilities of a wrong type as unsupported (V1-INIT-09)", () => {
    const clientCapabilities = {
      fs: { readTextFile: "yes", writeTextFile: true },
      terminal: {},
      elicitation: { form: true },
    };
    expect(parse(initializeRequest, { protocolVersion: 1, clientCapabilities })).toMatchObject({
      value: { clientCapabilities: { fs: { writeTextFile: true }, elicitation: {} } },
      salvaged: [
        { path: ["clientCapabilities", "fs", "readTextFile"] },
        { path: ["clientCapabilities", "terminal"] },
        { path: ["clientCapabilities", "elicitation", "form"] },
      ],
    });
    const read = parse(initializeResponse, { protocolVersion: 1, agentCapabilities: "all", agentInfo: { name: "a" } });
    expect(read).toMatchObject({ value: { protocolVersion: 1 } });
    expect("value" in read && Object.keys(read.value)).toEqual(["protocolVersion"]);
  });

  it("keeps markers: an object means yes, null means no", () => {
    const agentCapabilities = { sessionCapabilities: { list: {}, close: null }, auth: { logout: {} } };
    expect(parse(initializeResponse, { protocolVersion: 1, agentCapabilities })).toEqual({
      value: { protocolVersion: 1, agentCapabilities },
    });
  });

  it("does not mind fields of newer versions (V1-INIT-15)", () => {
    const request = { protocolVersion: 2, capabilities: { fancy: {} }, info: { name: "n", version: "1" } };
    expect(parse(initializeRequest, request)).toEqual({ value: request });
  });
});

describe("the hello of a client (V1-INIT-03)", () => {
  const hello = { protocolVersion: 1 };

  it.each<Case>([
    ["a version alone", initializeRequest, hello, fine],
    [
      "everything",
      initializeRequest,
      {
        ...hello,
        clientCapabilities: {
          fs: { readTextFile: true, writeTextFile: false },
          terminal: true,
          auth: { terminal: true },
        },
        clientInfo: { name: "a", title: null, version: "1" },
      },
      fine,
    ],
    ["null for the client's name", initializeRequest, { ...hello, clientInfo: null }, fine],
    [
      "capabilities that are a list",
      initializeRequest,
      { ...hello, clientCapabilities: ["fs"] },
      { salvaged: ["clientCapabilities"], as: hello },
    ],
    [
      "null for the capabilities",
      initializeRequest,
      { ...hello, clientCapabilities: null },
      { salvaged: ["clientCapabilities"], as: hello },
    ],
    [
      "a name without a version",
      initializeRequest,
      { ...hello, clientInfo: { name: "a" } },
      { salvaged: ["clientInfo"], as: hello },
    ],
    ["no version", initializeRequest, { clientCapabilities: {} }, { refused: ["protocolVersion"] }],
    ["the highest version", initializeRequest, { protocolVersion: 65_535 }, fine],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});
