import { describe, expect, it } from "vitest";
import { parse } from "../index.js";
import {
  cancelRequestNotification,
  createTerminalRequest,
  errorObject,
  readTextFileRequest,
  terminalOutputResponse,
  waitForTerminalExitResponse,
} from "./index.js";

describe("terminals", () => {
  const create = { sessionId: "s", command: "make" };

  it("read null arguments and environment as none and are strict otherwise (V1-TERM-02)", () => {
    expect(
      parse(createTerminalRequest, { ...create, args: null, env: null, cwd: null, outputByteLimit: null }),
    ).toMatchObject({ value: { args: [], env: [], cwd: null, outputByteLimit: null } });
    for (const bad of [
      { args: [1] },
      { env: { A: "1" } },
      { cwd: 5 },
      { outputByteLimit: -1 },
      { outputByteLimit: 1.5 },
    ]) {
      expect(parse(createTerminalRequest, { ...create, ...bad }).issues).toHaveLength(1);
    }
    expect(parse(createTerminalRequest, { ...create, outputByteLimit: 2 ** 60 }).issues).toBeUndefined();
  });

  it("forgive a malformed exit status (V1-TERM-08, V1-TERM-10)", () => {
    const output = { output: "", truncated: false };
    expect(parse(terminalOutputResponse, { ...output, exitStatus: 5 })).toMatchObject({ value: output });
    expect(parse(terminalOutputResponse, { output: "" }).issues).toHaveLength(1);
    expect(parse(waitForTerminalExitResponse, { exitCode: -1, signal: 9 })).toMatchObject({ value: {} });
  });
});

describe("files", () => {
  it("are strict about line and limit (V1-FS-02)", () => {
    const request = { sessionId: "s", path: "/a" };
    for (const line of [0, 1, 2 ** 32 - 1, null]) {
      expect(parse(readTextFileRequest, { ...request, line, limit: line }).issues).toBeUndefined();
    }
    for (const line of [-1, 1.5, 2 ** 32, "1"]) {
      expect(parse(readTextFileRequest, { ...request, line }).issues).toHaveLength(1);
      expect(parse(readTextFileRequest, { ...request, limit: line }).issues).toHaveLength(1);
    }
  });
});

describe("envelope parts", () => {
  it("request ids are strings, integers or null (V1-CANCEL-13)", () => {
    for (const requestId of ["", "a", 0, -1, 2 ** 53, null]) {
      expect(parse(cancelRequestNotification, { requestId }).issues).toBeUndefined();
    }
    for (const requestId of [1.5, true, {}, undefined]) {
      expect(parse(cancelRequestNotification, { requestId }).issues).toHaveLength(1);
    }
  });

  it("errors have an int32 code and a message, and any data (V1-RPC-09)", () => {
    expect(parse(errorObject, { code: 12345, message: "m", data: "bare" }).issues).toBeUndefined();
    expect(parse(errorObject, { code: 2 ** 31, message: "m" }).issues).toHaveLength(1);
    expect(parse(errorObject, { code: -32603 }).issues).toHaveLength(1);
  });
});
