import { createAgentWith, type Dialect, v1Dialect } from "@turnkit/agent";
import type { Session } from "@turnkit/client";
import { expect, it } from "vitest";
import { attach, clientOf, type DialectName, gatewayOf } from "./attached-clients.js";
import { richTurn } from "./rich-turn.js";
import { viewOf } from "./view.js";

/** Events of the turn, and clients that attach. The bar of issue 21 has 2 000: ATTACH_EVENTS=2000 vitest run … */
const EVENTS = Number(process.env.ATTACH_EVENTS ?? 60);

/** Moments of the turn at which the agent waits until clients have the same state. */
const BARRIERS = Math.min(100, Math.floor(EVENTS / 10));

type View = (session: Session) => unknown;

const whole: View = ({ state }) => viewOf(state);

/**
 * View of a state in the middle of a turn, for dialects without terminals. Their tool calls show output as text, which is
 * sent again when there is enough of it. A client that comes later already has the newest lines.
 */
const withoutNewestOutput: View = ({ state }) =>
  JSON.stringify(viewOf(state)).replace(/(\$ run \d+)(?:\\n[^"]*)?/g, "$1");

/** Waits until all sessions have the state of the first one. */
async function sameStates([first, ...others]: readonly Session[], view: View = whole): Promise<void> {
  for (const session of others) {
    await expect.poll(() => view(session), { timeout: 10_000 }).toEqual(view(first as Session));
  }
}

/** Turn of many events. After each of them, another client attaches. */
async function watchedTurn(dialect: DialectName, agentDialects: readonly Dialect[] | undefined, seed: number) {
  const late: Promise<Session>[] = [];
  const early: Session[] = [];
  const failures: unknown[] = [];
  const { gateway } = gatewayOf(
    {
      prompt: (turn) =>
        richTurn(
          turn,
          EVENTS,
          async (done) => {
            late.push(clientOf(gateway, dialect).then((client) => attach(client, turn.session.id)));
            // Some attach while the turn goes on, others between two events.
            if (late.length % 3 === 0) await late.at(-1);
            if (done % Math.floor(EVENTS / BARRIERS) !== 0) return;
            const sample = [late.at(-1), late.at(-2), late[Math.floor(late.length / 2)], late[0]];
            const sessions = await Promise.all(sample.filter((one) => one !== undefined));
            await sameStates([...early, ...sessions], dialect === "v2" ? whole : withoutNewestOutput).catch(
              (error: unknown) => failures.push(error),
            );
          },
          seed,
        ),
    },
    {},
    agentDialects && ((handlers) => createAgentWith(agentDialects, handlers)),
  );
  const opener = await (await clientOf(gateway, dialect)).newSession({ cwd: "/work" });
  early.push(await attach(await clientOf(gateway, dialect), opener.id));
  const v2 = await attach(await clientOf(gateway, "v2"), opener.id);
  expect((await opener.prompt("Go").ended).error).toBeUndefined();
  // A barrier that failed is shown with its difference, and not as an error of the agent.
  for (const failure of failures) throw failure;
  return { early, v2, late: await Promise.all(late) };
}

const everyVersion = undefined;

it.each([
  ["v1", "every version", everyVersion],
  ["v2", "every version", everyVersion],
  ["seed", "every version", everyVersion],
  ["v1", "v1", [v1Dialect]],
  ["v2", "v1", [v1Dialect]],
  ["seed", "v1", [v1Dialect]],
] as const)(
  "SHARE-02 attaching at each event of a turn gives the same state (%s, agent of %s)",
  async (dialect, _agent, spoken) => {
    const { early, v2, late } = await watchedTurn(dialect, spoken, 7);
    expect(late).toHaveLength(EVENTS);
    await sameStates([...early, ...late]);
    if (dialect === "v2") await sameStates([...early, v2]);
  },
  600_000,
);
