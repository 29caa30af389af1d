import { createRandom } from "@turnkit/testing";
import { describe, expect, it } from "vitest";
import { createFolder } from "../interop/folder.js";
import { noBroker } from "./broker.js";
import { killOnNats } from "./kills.js";

const title = "gateways on NATS";

describe.skipIf(noBroker !== undefined)(noBroker === undefined ? title : `${title} (${noBroker})`, () => {
  it("NATS-12 nothing that was acknowledged is lost, and no prompt runs twice, when gateways and the broker die or are cut off", async () => {
    const { below } = createRandom(7);
    const losses = await killOnNats({ rounds: 5, brokers: 1 }, await createFolder(), () => below(1_000) / 1_000);
    expect(losses).toMatchObject({ rounds: 5, lost: [], twice: [], hanging: [] });
  }, 120_000);
});
