import { afterEach, describe, expect, test, vi } from "vitest";
import { createKeyEvidence, type KeyedAgent } from "../src/index.js";

const trusted = (bounds: Omit<KeyedAgent, "name">, ...versions: readonly string[]) => {
  const evidence = createKeyEvidence([{ name: "a", ...bounds }]);
  return versions.filter((version) => evidence.honours({ name: "a", version }));
};

afterEach(() => void vi.restoreAllMocks());

describe("a bound of createKeyEvidence", () => {
  const unreadable = "v2.0.0 ^2.0.0 >=2 2.x * latest 2.0.0.1 2. .5 -1 2.0.0- 2.0.0-rc..1 2.0.0-é 1e9 9999999999";
  test.each([...unreadable.split(" "), "", " 2.0.0", "2.0.0\n", 2, null, ["2.0.0"], {}].map((bound) => ({ bound })))(
    "defect Q2: $bound is refused, because it would trust every version",
    ({ bound }) => {
      for (const name of ["from", "below"]) {
        const create = () => createKeyEvidence([{ name: "a" }, { name: "b", [name]: bound } as never]);
        expect(create).toThrow(TypeError);
        expect(create).toThrow(
          new RegExp(`^createKeyEvidence ${name} of b got .*: pass a version such as "1.20.0"`, "s"),
        );
      }
    },
  );

  test("defect Q2: from a version has exactly the versions from there on; a prerelease is before its release", () => {
    const words = ["1", "alpha", "rc.1", "rc.2", "rc.2.1", "rc.10", "rc.x", "rc1"];
    const order = ["1.9.9", ...words.map((word) => `2.0.0-${word}`), "2.0.0", "2.0.1-rc.1", "2.0.1", "10.0.0"];
    for (const [at, from] of order.entries()) expect(trusted({ from }, ...order)).toEqual(order.slice(at));
    for (const [at, below] of order.entries()) expect(trusted({ below }, ...order)).toEqual(order.slice(0, at));
    for (const from of ["2", "2.0", "2.0.0+build.5"]) {
      expect(trusted({ from }, "2.0.0-rc1", "2.0.0-rc1+b", "2", "2.0", "2.0.0+b")).toEqual(["2", "2.0", "2.0.0+b"]);
    }
  });

  test("defect Q2: below has the prereleases of its version, and no version of the bound itself", () => {
    const versions = ["1.9.9", "2.0.0-rc1", "2.0.0", "2.0.0+b", "2", "2.0.1-rc1", "10.0.0"];
    expect(trusted({ below: "2.0.0" }, ...versions)).toEqual(["1.9.9", "2.0.0-rc1"]);
    expect(trusted({ below: "2.0.0-rc1" }, ...versions)).toEqual(["1.9.9"]);
    expect(trusted({ from: "2.0.0-a", below: "2.0.1-rc2" }, ...versions)).toEqual(versions.slice(1, -1));
  });

  test("defect Q2: is met by no version that cannot be read, and no bound by every version", () => {
    const versions = ["dev", "", "v1.5.0", "latest", "1.5.0rc1", "1.5.0.1"];
    for (const bounds of [{ from: "0" }, { below: "99" }, { from: "0", below: "99" }]) {
      expect(trusted(bounds, ...versions)).toEqual([]);
    }
    expect(trusted({}, ...versions)).toEqual(versions);
    expect(trusted({ from: undefined, below: undefined } as never, ...versions)).toEqual(versions);
  });
});

describe("an agent of createKeyEvidence", () => {
  test.each<[object, string]>([
    [{ name: "a", form: "2.0.0" }, "The option form of createKeyEvidence is not used: there is no such option."],
    [{ name: "a", version: "2.0.0" }, "The option version of createKeyEvidence is not used"],
  ])("defect Q2: with an unknown member is reported: %j", (agent, message) => {
    const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
    createKeyEvidence([agent as never]);
    expect(print).toHaveBeenCalledTimes(1);
    expect(String(print.mock.calls[0]?.[0])).toContain(message);
  });

  test.each([[[[{ name: "a" }]]], [[null]], [["a"]], [[{}]], [{ name: "a" }], [true], [[Object.assign(() => 0, {})]]])(
    "defect Q2: of another form is refused: %j",
    (agents) => {
      expect(() => createKeyEvidence(agents as never)).toThrow(TypeError);
      expect(() => createKeyEvidence(agents as never)).toThrow(/pass a list such as \[\{ name: /);
    },
  );

  test("defect Q2: that the program changes later was copied", () => {
    const agent = { name: "a", from: "2.0.0" };
    const agents = [agent];
    const evidence = createKeyEvidence(agents);
    agent.from = "1";
    agents.push({ name: "b", from: "1" });
    expect([
      evidence.honours({ name: "a", version: "1.0.0" }),
      evidence.honours({ name: "b", version: "1.0.0" }),
    ]).toEqual([...[false, false]]);
  });
});
