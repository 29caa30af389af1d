import { describe, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../test/outcome.js";
import { terminalUpdate } from "./index.js";

describe("how a terminal's process ended (V2-TERM-07)", () => {
  const update = (exitStatus: unknown) => ({ terminalId: "x", exitStatus });

  it.each<Case>([
    ["by a code", terminalUpdate, update({ exitCode: 1 }), fine],
    ["by a negative code", terminalUpdate, update({ exitCode: -1_073_741_510 }), fine],
    ["by a signal", terminalUpdate, update({ exitCode: null, signal: "SIGTERM" }), fine],
    ["in a way that is not told", terminalUpdate, update({}), fine],
    ["not at all, contrary to what was said", terminalUpdate, update(null), fine],
    [
      "by something malformed, which is an end nonetheless",
      terminalUpdate,
      update({ exitCode: "1", signal: 15 }),
      { salvaged: ["exitStatus.exitCode", "exitStatus.signal"], as: update({}) },
    ],
    [
      "by half a code",
      terminalUpdate,
      update({ exitCode: 0.5, signal: "SIGINT" }),
      { salvaged: ["exitStatus.exitCode"], as: update({ signal: "SIGINT" }) },
    ],
    [
      "by a bare number, which says nothing",
      terminalUpdate,
      update(1),
      { salvaged: ["exitStatus"], as: { terminalId: "x" } },
    ],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});
