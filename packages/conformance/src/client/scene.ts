import type { CheckFacts, Observation } from "../check.js";
import type { DialectName } from "../dialects/dialect.js";
import { everyDialect } from "../dialects/dialects.js";
import { type Entry, type Frame, paramsOf } from "../entry.js";
import type { Talk } from "../talk.js";
import { expect, fail, skip } from "../verdict.js";
import type { ClientExit, ClientTask } from "./client-pipe.js";
import type { ClientTrial } from "./client-trial.js";

/** Behaviour of a client in an ordinary turn. Other scenes compare with it. */
export type UsualClient = {
  /** `true` if the client ends after its turn. Otherwise, only one check fails for this reason. */
  readonly ends: boolean;
  readonly code: number | null;
  /** `true` if the client prints the texts of the agent. */
  readonly prints: boolean;
};

/** Conversation in which the runner plays the agent, once in a run. Several checks judge the client in it. */
export type Scene<T = unknown> = {
  readonly name: string;
  readonly dialects: readonly DialectName[];
  readonly task?: ClientTask;
  readonly play: (client: ClientTrial) => Promise<T>;
};

/** Check of a client. `judge` looks at one scene, `watch` at every conversation of the run. */
export type ClientCheck = CheckFacts &
  (
    | {
        readonly scene: Scene;
        /** `shown` is the result of the scene. */
        judge(shown: unknown, usual: UsualClient): Observation | Promise<Observation>;
        readonly watch?: undefined;
      }
    | { readonly watch: (talk: Talk) => Observation; readonly scene?: undefined }
  );

type Judge<T> = (shown: T, usual: UsualClient) => Observation | Promise<Observation>;

/** Facts of a check in a scene. Without `dialects`, the check has the dialects of its scene. */
export type SceneCheck<T> = Omit<CheckFacts, "dialects"> & {
  readonly dialects?: readonly DialectName[];
  readonly judge: Judge<T>;
};

/** Returns checks of one scene. */
export function checksIn<T>(scene: Scene<T>, ...checks: readonly SceneCheck<T>[]): readonly ClientCheck[] {
  return checks.map((check) => ({ dialects: scene.dialects, ...check, scene }));
}

/** Turn of a scene, while it runs. */
export type Stage = { readonly client: ClientTrial; readonly sessionId: string; readonly prompt: Entry };

/** Scene with one turn, after its end. */
export type Shown<T = unknown> = Stage & {
  readonly value: T;
  /** Answer of the client after the strange part of the turn. `undefined` if the client was gone or silent. */
  readonly alive: Entry | undefined;
  /** Entry that ended the turn. */
  readonly end: Entry;
  /** Exit of the client. `undefined` if it did not end. */
  readonly exit: ClientExit | undefined;
};

/** Changes of an ordinary scene. */
export type SceneOptions = {
  readonly dialects?: readonly DialectName[];
  readonly task?: ClientTask;
  /** Changes the result of `initialize`. */
  readonly hello?: (result: Frame, stage: { readonly client: ClientTrial }) => Frame;
  /** Replaces the answer to `session/new`. */
  readonly open?: (client: ClientTrial, request: Entry) => void | Promise<void>;
  /** Replaces the end of the turn. Returns the entry that ends it. */
  readonly finish?: (stage: Stage) => Entry | Promise<Entry>;
  /** `true` if the scene sends wrong messages on purpose before its turn. */
  readonly deliberate?: true;
};

/** Id of every session of the runner. */
export const SESSION = "conf-session";

/** Returns a scene with one turn. `during` plays the special part of the turn. */
export function turnScene<T>(
  name: string,
  during: (stage: Stage) => T | Promise<T>,
  options: SceneOptions = {},
): Scene<Shown<T>> {
  return {
    ...{ name, dialects: options.dialects ?? everyDialect, ...(options.task && { task: options.task }) },
    async play(client) {
      const stage = await openTurn(client, options);
      const value = await during(stage);
      const alive = await client.settle();
      const end = await (options.finish ?? finish)(stage);
      return { ...stage, value, alive, end, exit: await client.exit() };
    },
  };
}

/** Plays everything until the prompt has arrived and its turn has begun. */
export async function openTurn(client: ClientTrial, options: SceneOptions = {}): Promise<Stage> {
  await openSession(client, options);
  const prompt = (await client.mayCome("session/prompt")) ?? withoutPrompt(client, options);
  startTurn({ client, sessionId: SESSION, prompt });
  return { client, sessionId: SESSION, prompt };
}

/** Ends a scene whose client sent no prompt. Its checks fail if the opening is special, and are skipped otherwise. */
function withoutPrompt({ talk }: ClientTrial, { hello, open }: SceneOptions): never {
  if (hello || open) fail("the client sent no session/prompt", ...talk.entries.slice(-3));
  return skip("The client sent no session/prompt.");
}

/** Plays everything until the session is open. */
export async function openSession(client: ClientTrial, options: SceneOptions = {}): Promise<void> {
  const { messages } = client;
  const hello = await client.comes("initialize");
  const deliberate = options.deliberate && "deliberate";
  client.reply(hello, options.hello?.(messages.hello(), { client }) ?? messages.hello(), deliberate);
  if (options.task?.session !== undefined) return;
  const open = (await client.mayCome("session/new")) ?? withoutPrompt(client, options);
  if (options.open) await options.open(client, open);
  else client.reply(open, { sessionId: SESSION, ...messages.opened() });
}

/** Begins the turn of a prompt. Version 2 answers the prompt immediately. */
export function startTurn({ client, sessionId, prompt }: Stage): void {
  if (client.dialect.turnEnd === "answer") return;
  const content = paramsOf(prompt).prompt;
  if (Array.isArray(content)) client.say(sessionId, { sessionUpdate: "user_message", messageId: "conf-user", content });
  client.say(sessionId, { sessionUpdate: "state_update", state: "running", background: [] });
  client.reply(prompt, { messageId: "conf-user" });
}

/** Ends a turn as usual. */
export function finish(stage: Stage): Entry {
  return finishWith("end_turn", stage);
}

/** Ends a turn with a stop reason. */
export function finishWith(stopReason: string, { client, sessionId, prompt }: Stage, deliberate?: "deliberate"): Entry {
  if (client.dialect.turnEnd === "answer") return client.reply(prompt, { stopReason }, deliberate);
  return client.say(
    sessionId,
    { sessionUpdate: "state_update", state: "idle", stopReason, background: [] },
    deliberate,
  );
}

/**
 * Fails if the scene disturbed the client. The client must continue during the turn, and end as usual after the turn.
 */
export function expectUndisturbed(shown: Shown, usual: UsualClient, ...entries: readonly (Entry | undefined)[]): void {
  expectAlive(shown, usual, ...entries);
  const { exit, end } = shown;
  const code = exit?.code;
  if (usual.ends)
    expect(code === usual.code, `the client ended with the code ${code}, not ${usual.code}`, ...entries, end);
}

/** Fails unless the client goes on during the turn, and ends after it. */
export function expectAlive(shown: Shown, usual: UsualClient, ...entries: readonly (Entry | undefined)[]): void {
  const { client, alive, end, exit } = shown;
  if (alive === undefined)
    fail(client.talk.ended ? "the client ended during the turn" : "the client stopped answering", ...entries, end);
  expectEnded(exit, usual, ...entries, end);
}

/** Fails unless the client ended, if it usually does. */
export function expectEnded(
  exit: ClientExit | undefined,
  usual: UsualClient,
  ...entries: readonly (Entry | undefined)[]
): void {
  if (usual.ends) expect(exit !== undefined, "the client did not end", ...entries);
}

/** Fails unless the client printed the texts in this order. Skips a client that prints no texts. */
export function expectPrinted({ client, end }: Shown, usual: UsualClient, ...texts: readonly string[]): void {
  if (!usual.prints) skip("The client prints no texts of the agent.");
  let from = 0;
  for (const text of texts) {
    const at = client.printed.indexOf(text, from);
    if (at < 0) fail(client.printed.includes(text) ? `${text} was printed too early` : `${text} was not printed`, end);
    from = at + text.length;
  }
}
