import { expect, vi } from "vitest";
import {
  type Client,
  createKeyEvidence,
  isOutcomeUnknown,
  type RetryPromptOptions,
  retryPrompt,
  type Session,
  type Turn,
} from "../src/index.js";
import { idle, openDraft, openDraftSession } from "./draft-agent.js";
import { type RawAgent, settle } from "./raw-agent.js";

/** Evidence that has the agents of these tests. */
export const known = () => createKeyEvidence([{ name: "raw-agent", from: "0.0.2", below: "0.1.0" }]);

/**
 * Session whose connection was lost between prompts and their answers, and new connections for the retries.
 *
 * @param before updates before the prompts, which are all the same
 * @param options options of the prompts
 * @param echoed updates after the prompts
 * @param next opens a new connection
 */
export async function lose({
  before = [],
  prompts = 1,
  content = "hi",
  options,
  echoed = [],
  next = () => openDraft(),
}: {
  readonly before?: readonly object[];
  readonly prompts?: number;
  readonly content?: Parameters<Session["prompt"]>[0];
  readonly options?: Parameters<Session["prompt"]>[1];
  readonly echoed?: readonly object[];
  readonly next?: () => Promise<{ readonly agent: RawAgent; readonly client: Client }>;
} = {}) {
  const { agent, session } = await openDraftSession();
  agent.update("s-1", ...before);
  await settle(agent);
  const turns = Array.from({ length: prompts }, () => session.prompt(content, options));
  const prompt = await agent.call("session/prompt");
  agent.update("s-1", ...echoed);
  await settle(agent);
  await agent.close();
  const agents: RawAgent[] = [];
  const connect = async (): Promise<Client> => {
    const opened = await next();
    agents.push(opened.agent);
    return opened.client;
  };
  const retries = await Promise.all(
    turns.map(async ({ ended }) => {
      const error = await ended.catch((failure: unknown) => failure);
      if (!isOutcomeUnknown(error)) throw error;
      return (how: Partial<RetryPromptOptions> = {}) => retryPrompt(session, error, { connect, ...how });
    }),
  );
  const [turn, retry] = [turns[0] as Turn, retries[0] as (typeof retries)[0]];
  return { session, key: prompt.params.idempotencyKey as string, agents, retry, retries, turn };
}

/** Lets the next attempt begin, and answers its restore after a replay. */
export async function restore(agents: readonly RawAgent[], index: number, ms: number, ...replay: object[]) {
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(agents).toHaveLength(index);
  await vi.advanceTimersByTimeAsync(1);
  await vi.waitFor(() => expect(agents.length).toBe(index + 1));
  const agent = agents[index] as RawAgent;
  const restored = agent.call("session/load").then((asked) => ({ asked, end: [] }));
  const resumed = agent.call("session/resume").then((asked) => {
    expect(asked.params).toMatchObject({ replayFrom: { type: "start" } });
    return { asked, end: [{ sessionUpdate: "replay_complete" }, idle()] };
  });
  const { asked, end } = await Promise.race([restored, resumed]);
  expect(asked.params).toMatchObject({ sessionId: "s-1", cwd: "/work" });
  agent.update("s-1", ...replay, ...end);
  agent.answer(asked, {});
  return agent;
}
