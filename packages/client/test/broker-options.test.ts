import { describe, expect, test, vi } from "vitest";
import { createElicitationBroker, createPermissionBroker } from "../src/broker/index.js";
import { rejectOnce } from "../src/index.js";
import { createLocalFileHost, createLocalTerminalHost } from "../src/node/index.js";

const broker = (options: object) => () => createPermissionBroker({ ask: rejectOnce, ...options });

describe("defect N29: an option of a broker or host that could have no effect is refused at once", () => {
  test.each<[string, () => unknown, string]>([
    [
      "a time",
      broker({ timeoutMs: "2s" }),
      'createPermissionBroker timeoutMs got "2s": pass a number of milliseconds.',
    ],
    [
      "a scope",
      broker({ remember: { scope: "projekt" } }),
      'remember scope got "projekt": pass { scope: "session" } or',
    ],
    ["no scope", broker({ remember: {} }), 'remember scope got undefined: pass { scope: "session" } or { scope: "pr'],
    ["a truth", broker({ remember: true }), 'createPermissionBroker remember got true: pass { scope: "session" } or'],
    ["a lifetime", broker({ remember: { scope: "session", ttlMs: "1d" } }), 'ttlMs got "1d": pass a number of'],
    ["a store", broker({ remember: { scope: "project", store: new Map([["a", 1]]).keys() } }), "pass a store with get"],
    ["an identity", broker({ remember: { scope: "project", sameAs: "kind" } }), 'sameAs got "kind": pass a function'],
    ["defect N152: no time at all", broker({ timeoutMs: 0 }), "timeoutMs got 0: pass a number of milliseconds above 0"],
    [
      "defect N152: no reads at all",
      () => createLocalFileHost({ maxReads: 0 }),
      "createLocalFileHost maxReads got 0: pass a number above 0",
    ],
    ["an audit", broker({ audit: true }), "createPermissionBroker audit got true: pass a function"],
    [
      "an audit of elicitations",
      () => createElicitationBroker({ form: () => "wait", audit: true } as never),
      "createElicitationBroker audit got true: pass a function",
    ],
    [
      "a time of elicitations",
      () => createElicitationBroker({ form: () => "wait", timeoutMs: "2s" } as never),
      'createElicitationBroker timeoutMs got "2s": pass a number',
    ],
    [
      "an audit of files",
      () => createLocalFileHost({ audit: true } as never),
      "createLocalFileHost audit got true: pass a function",
    ],
    [
      "a time of terminals",
      () => createLocalTerminalHost({ graceMs: "2s" } as never),
      'createLocalTerminalHost graceMs got "2s": pass a number',
    ],
  ])("%s", (_, create, message) => {
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
  });

  test("a misspelled option of remember is printed", () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    broker({ remember: { scope: "session", ttl: 1000 } })();
    expect(print.mock.calls.join()).toContain("The option ttl of createPermissionBroker remember is not used");
    print.mockRestore();
  });
});
