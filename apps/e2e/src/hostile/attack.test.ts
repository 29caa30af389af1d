import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { Attack } from "./attack.js";
import { type Attacked, attackedAgent, attackedClient } from "./attacked.js";
import { attacks } from "./attacks.js";

const page = new URL("../../../../docs/reference/transport.md", import.meta.url);

function open(side: "agent" | "client", { early }: Attack): Promise<Attacked> {
  return side === "client" ? attackedClient() : attackedAgent(early ? "not greeted" : "greeted");
}

describe.each(["agent", "client"] as const)("our %s under attack", (side) => {
  const against = attacks.filter((one) => one.against.includes(side));

  test.each(against)("stands $it", async (one) => {
    const attacked = await open(side, one);
    await one.attack(attacked);
    if (one.ends === undefined) {
      await attacked.stillWorks(one.talks ? "talked in" : "as it was");
      attacked.wire.input.end();
    }
    expect(await attacked.closed).toMatchObject({ kind: one.ends ?? "remote" });
  });
});

test("every row of the reference page's table is attacked here, and nothing that has no row", async () => {
  const [, section = ""] = (await readFile(page, "utf8")).split("## Connection under attack\n");
  const [table = ""] = section.split("\n## ");
  const rows = [...table.matchAll(/^\| (.+?) +\|/gm)]
    .map(([, cell]) => cell)
    .filter((cell) => !/^(-+|the peer sends)$/.test(cell ?? ""));
  expect(rows).toEqual(attacks.map(({ it }) => it));
});
