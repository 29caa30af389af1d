import { createAgentWith, type Dialect, v1Dialect } from "@turnkit/agent";
import type { SessionState } from "@turnkit/session";
import { expect, it } from "vitest";
import { attach, clientOf, type DialectName, gatewayOf } from "./attached-clients.js";
import { FoldedClient } from "./folded-client.js";
import { richTurn } from "./rich-turn.js";
import { viewOf } from "./view.js";

/** Events of the turn, and clients that attach. The bar of issue 21 has 2 000: ATTACH_EVENTS=2000 vitest run … */
const EVENTS = Number(process.env.ATTACH_EVENTS ?? 60);

/** Moments of the turn at which the agent waits until clients have the same state. */
const BARRIERS = Math.min(100, Math.floor(EVENTS / 10));

/** A session, or what frames alone lead to. */
type Viewed = { readonly state: SessionState };

type View = (session: Viewed) => unknown;

const whole: View = ({ state }) => viewOf(state);

/**
 * View of a state in the middle of a turn, for dialects without terminals. Their tool calls show output as text, which is
 * sent again when there is enough of it. A client that comes later already has the newest lines.
 */
const withoutNewestOutput: View = ({ state }) =>
  JSON.stringify(viewOf(state)).replace(/(\$ run \d+)(?:\\n[^"]*)?/g, "$1");

/** Waits until all sessions have the state of the first one. */
async function sameStates([first, ...others]: readonly Viewed[], view: View): Promise<void> {
  for (const session of others) {
    if (session.state === first?.state) continue;
    await expect.poll(() => view(session), { timeout: 10_000 }).toEqual(view(first as Viewed));
    // From here on they share what their updates lead to, if they get the same ones.
    if (session instanceof FoldedClient && isSame(session, first)) session.state = (first as Viewed).state;
  }
}

const isSame = (one: Viewed, other: Viewed | undefined): boolean =>
  JSON.stringify(whole(one)) === JSON.stringify(other && whole(other));

/** Turn of many events. After each of them, another client attaches. */
async function watchedTurn(dialect: DialectName, agentDialects: readonly Dialect[] | undefined, seed: number) {
  const late: Promise<FoldedClient>[] = [];
  const clients: Viewed[] = [];
  const failures: unknown[] = [];
  const view = dialect === "v2" ? whole : withoutNewestOutput;
  const { gateway } = gatewayOf(
    {
      prompt: (turn) =>
        richTurn(
          turn,
          EVENTS,
          async (done) => {
            const channel = gateway.open({ id: "someone", group: "all" });
            late.push(FoldedClient.attach(channel, dialect, turn.session.id));
            // Some attach while the turn goes on, others between two events.
            if (late.length % 3 === 0) await late.at(-1);
            if (done % Math.floor(EVENTS / BARRIERS) !== 0 || failures.length > 0) return;
            await sameStates([first, ...(await Promise.all(late))], view).catch((error: unknown) =>
              failures.push(error),
            );
            if (clients.length === 1) clients.push(await attach(await clientOf(gateway, dialect), turn.session.id));
            await sameStates(clients, view).catch((error: unknown) => failures.push(error));
          },
          seed,
        ),
    },
    {},
    agentDialects && ((handlers) => createAgentWith(agentDialects, handlers)),
  );
  const opener = await (await clientOf(gateway, dialect)).newSession({ cwd: "/work" });
  const first = await FoldedClient.attach(gateway.open({ id: "someone", group: "all" }), dialect, opener.id);
  // Whole clients show what frames alone do not, such as the activity in version 1.
  clients.push(await attach(await clientOf(gateway, dialect), opener.id));
  expect((await opener.prompt("Go").ended).error).toBeUndefined();
  // A barrier that failed is shown with its difference, and not as an error of the agent.
  for (const failure of failures) throw failure;
  return { first, clients, late: await Promise.all(late) };
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
    const { first, clients, late } = await watchedTurn(dialect, spoken, 7);
    expect([late.length, clients.length]).toEqual([EVENTS, 2]);
    await sameStates([first, ...late], whole);
    await sameStates(clients, whole);
    if (dialect === "v2") await sameStates([first, ...clients], whole);
  },
  600_000,
);
