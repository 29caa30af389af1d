import { createAgentWith, createMemoryLog, type Dialect } from "@turnkit/agent";
import { installManualClock, type ManualClock } from "@turnkit/testing";
import { onTestFinished } from "vitest";
import { createMemoryEngine } from "../src/index.js";
import { gatewayOf } from "./attached-clients.js";
import { createLatch, untilCancelled } from "./latch.js";
import { mortal } from "./mortal-engine.js";
import { RawClient } from "./raw-client.js";
import { viewOf } from "./view.js";

export const TTL = 9_000;

export const text = (words: string) => [{ type: "text", text: words }];
export const shown = (session: { readonly state: Parameters<typeof viewOf>[0] }) =>
  JSON.stringify(viewOf(session.state));

export function manualClock(): ManualClock {
  const clock = installManualClock();
  onTestFinished(() => clock.uninstall());
  return clock;
}

type Handlers = Parameters<typeof gatewayOf>[0];
type Working = Parameters<NonNullable<Handlers["prompt"]>>[0];

const quiet = { onDiagnostic: () => undefined };

/** Gateways on one engine. The first one can die. Their agents have one store. */
export function gatewaysOf(handlers: Handlers, spoken?: readonly Dialect[]) {
  const shared = createMemoryEngine({ ttlMs: TTL });
  const { engine, die } = mortal(shared);
  const its = { log: createMemoryLog(), ...handlers };
  const serve = spoken && ((all: Parameters<typeof createAgentWith>[1]) => createAgentWith(spoken, all));
  const here = gatewayOf(its, { log: () => engine, ...quiet }, serve);
  const there = gatewayOf(its, { log: () => shared }, serve);
  // Later changes to `shared` are not for the third gateway.
  const unchanged = { ...shared };
  const third = gatewayOf(its, { log: () => unchanged }, serve);
  const kill = async (): Promise<void> => {
    die();
    await Promise.all(here.agents.map((agent) => agent.close()));
  };
  return { shared, here, there, third, kill };
}

export async function rawAt(
  { gateway }: Pick<ReturnType<typeof gatewayOf>, "gateway">,
  name: string,
): Promise<RawClient> {
  const raw = new RawClient(gateway.open({ id: name, group: "all", name }));
  await raw.initialize(2);
  return raw;
}

export const wordsOf = (turn: Working): string =>
  (turn.prompt as unknown as readonly [{ readonly text: string }])[0].text;

/** Agent whose prompt "Work" says something and then waits. */
export function worker() {
  const ran: string[] = [];
  const begun = createLatch();
  const handlers: Handlers = {
    async prompt(turn) {
      const words = wordsOf(turn);
      ran.push(words);
      if (words !== "Work") return void (await turn.say(`Heard ${words}.`));
      turn.toolCall({ title: "Long work" });
      await turn.say("Begun.");
      begun.open();
      await untilCancelled(turn);
    },
  };
  return { ran, begun, handlers };
}

export async function storedTexts(log: ReturnType<typeof createMemoryEngine>, id: string): Promise<string[]> {
  const stored: string[] = [];
  for await (const event of log.read(id)) stored.push(JSON.stringify(event));
  return stored;
}
