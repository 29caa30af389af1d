import { describe, expect, test } from "vitest";
import { openIdle } from "./open-turn.js";

const ENDED = "A turn has no stopReason: await its end, as in `const { stopReason } = await session.prompt(…).ended`.";

describe("defect N64: a member of the end is never undefined at a turn", () => {
  test("await session.prompt(…) gives the turn, whose stopReason says where the end is", async () => {
    const { client, session } = await openIdle("v2");
    await expect(
      (async () => {
        const { stopReason } = (await session.prompt("hi")) as unknown as { readonly stopReason: string };
        return stopReason;
      })(),
    ).rejects.toThrow(new TypeError(ENDED));
    await client.close();
  });

  test("the same for the error and the usage", async () => {
    const { client, session } = await openIdle("v1");
    const turn = session.prompt("hi") as unknown as Readonly<Record<string, unknown>>;
    for (const name of ["error", "usage"]) {
      expect(() => turn[name]).toThrow(ENDED.replaceAll("stopReason", name));
    }
    await client.close();
  });

  test("a turn is printed, copied and compared without an error", async () => {
    const { client, session } = await openIdle("v1");
    const turn = session.prompt("hi");
    const { inspect } = await import("node:util");
    expect(inspect(turn, { getters: false })).toContain("LiveTurn");
    expect(() => [JSON.stringify({ id: turn.promptId }), { ...turn }, Object.entries(turn)]).not.toThrow();
    expect(turn).toEqual(turn);
    await client.close();
  });
});
