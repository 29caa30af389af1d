import { createAgentWith, type Dialect, v1Dialect } from "@turnkit/agent";
import type { Session } from "@turnkit/client";
import { expect, it } from "vitest";
import { attach, clientOf, type DialectName, gatewayOf } from "./attached-clients.js";
import { richTurn } from "./rich-turn.js";
import { viewOf } from "./view.js";

const EVENTS = 120;

/** Turn of many events. After each of them, another client attaches. Returns all sessions, the owner's first. */
async function watchedTurn(dialect: DialectName, agentDialects: readonly Dialect[] | undefined, seed: number) {
  const late: Promise<Session>[] = [];
  const { gateway } = gatewayOf(
    {
      prompt: (turn) =>
        richTurn(
          turn,
          EVENTS,
          async () => {
            late.push(clientOf(gateway, dialect).then((client) => attach(client, turn.session.id)));
            // Some attach while the turn goes on, others between two events.
            if (late.length % 3 === 0) await late.at(-1);
          },
          seed,
        ),
    },
    {},
    agentDialects && ((handlers) => createAgentWith(agentDialects, handlers)),
  );
  const opener = await (await clientOf(gateway, dialect)).newSession({ cwd: "/work" });
  const first = await attach(await clientOf(gateway, dialect), opener.id);
  const v2 = await attach(await clientOf(gateway, "v2"), opener.id);
  expect((await opener.prompt("Go").ended).error).toBeUndefined();
  return { first, v2, late: await Promise.all(late) };
}

it.each([
  ["v1", "every version"],
  ["v2", "every version"],
  ["seed", "every version"],
  ["v1", "v1"],
  ["v2", "v1"],
  ["seed", "v1"],
] as const)(
  "SHARE-02 attaching at each event of a turn gives the same state (%s, agent of %s)",
  async (dialect, agent) => {
    const { first, v2, late } = await watchedTurn(dialect, agent === "v1" ? [v1Dialect] : undefined, 7);
    expect(late).toHaveLength(EVENTS);
    const wanted = viewOf(first.state);
    for (const session of late) await expect.poll(() => viewOf(session.state), { timeout: 5_000 }).toEqual(wanted);
    if (dialect === "v2") expect(viewOf(v2.state)).toEqual(wanted);
  },
  60_000,
);
