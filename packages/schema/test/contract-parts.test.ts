import { describe, expect, it } from "vitest";
import type { Contract, ContractPart } from "../src/index.js";
import * as v1 from "../src/v1/index.js";
import * as v2 from "../src/v2/index.js";

const versions: readonly (readonly [string, Contract, ContractPart, ContractPart])[] = [
  ["version 1", v1.contract, v1.clientContract, v1.agentContract],
  ["version 2", v2.contract, v2.clientContract, v2.agentContract],
];

describe.each(versions)("the parts of the contract of %s", (_, contract, client, agent) => {
  it("have every method, and nothing that the other side reads", () => {
    expect(Object.keys({ ...client, ...agent }).toSorted()).toEqual(Object.keys(contract).toSorted());
    for (const [method, { from, params, result }] of Object.entries(contract)) {
      const [asks, answers] = from === "agent" ? [agent, client] : [client, agent];
      expect(answers[method]?.params, method).toBe(params);
      expect(answers[method], method).not.toHaveProperty("result");
      expect(asks[method]?.result, method).toBe(result);
      if (from !== "both") expect(asks[method] ?? {}, method).not.toHaveProperty("params");
    }
  });
});
