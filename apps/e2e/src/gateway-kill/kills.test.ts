import { createRandom } from "@turnkit/testing";
import { expect, it } from "vitest";
import { createFolder } from "../interop/folder.js";
import { killGateways } from "./kills.js";

it("SHARE-11 what was acknowledged survives the death of the gateway, the agent, or both", async () => {
  const { below } = createRandom(5);
  const losses = await killGateways(6, await createFolder(), () => below(1_000) / 1_000);
  expect(losses).toEqual({ kills: 6, prompts: [], turns: [] });
}, 60_000);
