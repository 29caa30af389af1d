import { randomUUID } from "node:crypto";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Client, type Diagnostic, type EventListener, rejectOnce, type Session } from "@turnkit/client";
import type { Channel } from "@turnkit/transport";
import { type TapEvent, tapChannel } from "@turnkit/transport/trace";
import { delay, settlesWithin } from "../interrupts.js";
import { foreignText, membersOf } from "../output/foreign-value.js";
import type { Setup } from "../setup/setup.js";
import { startAgent } from "../setup/start-agent.js";
import { attempt, type Evidence, Late, type Outcome, type TurnReport } from "./evidence.js";
import { KeptFrames } from "./kept-frames.js";
import { messagesByKey } from "./preview-checks.js";
import { type KeyedPrompt, repeatPrompt, restoreAgain } from "./second-attempts.js";

type ExamineOptions = {
  /** `true` to send prompts. */
  readonly turn: boolean;
  /** Folder of the sessions. If absent, they are in the temporary folder. */
  readonly directory?: string;
  /** Ends the examination. The results of the finished steps are returned. */
  readonly signal: AbortSignal;
  /** Called with the name of each step when the step begins. */
  readonly onStep?: (step: string) => void;
  /** Time limits that replace the defaults, in milliseconds. */
  readonly patience?: Partial<Patience>;
};

type Notes = { -readonly [Name in keyof Evidence]: Evidence[Name] } & {
  readonly diagnostics: Diagnostic[];
  readonly unknownUpdates: string[];
};

/** Maximum number of diagnostics, and of unknown updates. */
const MAX_NOTED = 100;
/** Time limits in milliseconds. */
type Patience = {
  readonly answer: number;
  readonly session: number;
  readonly turn: number;
  /** Limit from a prompt to its first update. After this time, the turn is cancelled without an update. */
  readonly signOfLife: number;
  /** Limit from the cancel to the end of its turn. */
  readonly cancel: number;
  /** Time in which updates after the end of a turn are recorded. */
  readonly late: number;
  readonly exit: number;
};
const usualPatience: Patience = {
  ...{ answer: 10_000, session: 60_000, turn: 180_000, signOfLife: 30_000, cancel: 15_000, late: 300, exit: 10_000 },
};

/**
 * Starts an agent in a temporary folder and uses it as clients do. The folder is removed at the end. The promise never
 * rejects, because failures are part of the evidence.
 */
export async function examine(setup: Setup, options: ExamineOptions): Promise<Evidence> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "turnkit-doctor-")));
  try {
    await writeFile(join(folder, "note.txt"), "Bread: flour, water, salt, yeast.\n");
    const evidence = await new Examination(setup, options, folder).run();
    return options.signal.aborted ? { ...evidence, interrupted: true } : evidence;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

class Examination {
  readonly #setup: Setup;
  readonly #options: ExamineOptions;
  readonly #folder: string;
  readonly #directory: string;
  readonly #patience: Patience;
  readonly #began = performance.now();
  readonly #flood = new AbortController();
  readonly #signal: AbortSignal;
  readonly #kept = new KeptFrames(() => this.#flood.abort());
  readonly #notes: Notes;

  constructor(setup: Setup, options: ExamineOptions, folder: string) {
    this.#setup = setup;
    this.#options = options;
    this.#folder = folder;
    this.#directory = options.directory ?? folder;
    this.#patience = { ...usualPatience, ...options.patience };
    this.#signal = AbortSignal.any([options.signal, this.#flood.signal]);
    const { frames, noise } = this.#kept;
    this.#notes = { frames, noise, diagnostics: [], unknownUpdates: [], anomalies: [] };
  }

  async run(): Promise<Evidence> {
    const notes = await this.#visited();
    const isRemote = this.#setup.remote !== undefined;
    return { ...notes, isRemote, leftOut: this.#kept.leftOut, ...(this.#flood.signal.aborted && { flooded: true }) };
  }

  async #visited(): Promise<Evidence> {
    const notes = this.#notes;
    const starting = this.#launch();
    let client: Client | undefined;
    // `launch` has its own time limit.
    const start = await this.#try("start", Number.POSITIVE_INFINITY, async () => {
      client = await starting;
      return client.peer;
    });
    notes.start = start;
    if (client === undefined) {
      void starting.then((late) => late.close()).catch(() => undefined);
      return notes;
    }
    await this.#visit(client);
    if (this.#signal.aborted) await client.close();
    if (this.#setup.remote !== undefined) {
      await client.close();
      await this.#setup.trace?.close();
      return notes;
    }
    notes.exit = await this.#try("end", this.#patience.exit, async () => {
      void (client as Client).close();
      return (client as Client).closed;
    });
    await this.#setup.trace?.close();
    return notes;
  }

  #launch(): Promise<Client> {
    const { diagnostics } = this.#notes;
    return startAgent(this.#setup, {
      // The examination must not change anything.
      permissions: rejectOnce,
      onDiagnostic: (diagnostic) => {
        if (diagnostics.length < MAX_NOTED) diagnostics.push(diagnostic);
      },
      wrapChannel: (channel) => this.#listen(channel),
    });
  }

  /**
   * Keeps the messages of a channel unredacted, because the redaction of a flood would take too long. The report is
   * redacted instead.
   */
  #listen(channel: Channel): Channel {
    const keep = (event: TapEvent) => this.#kept.add(event, performance.now() - this.#began);
    return tapChannel(channel, keep, { secrets: "show" });
  }

  readonly #onEvent: EventListener = ({ type, ...event }) => {
    const { unknownUpdates } = this.#notes;
    if (type === "unknown" && unknownUpdates.length < MAX_NOTED) unknownUpdates.push(labelOf(event));
  };

  async #visit(client: Client): Promise<void> {
    const notes = this.#notes;
    const { capabilities } = client.peer;
    notes.unknownMethod = await this.#try("unknown method", this.#patience.answer, () =>
      client.request("_turnkit/doctor", {}),
    );
    client.notify("_turnkit/doctor", {});
    if (capabilities.list) {
      notes.list = await this.#try("list", this.#patience.answer, async () => {
        for await (const _ of client.listSessions()) return 1;
        return 0;
      });
    }
    let session: Session | undefined;
    notes.newSession = await this.#try("session", this.#patience.session, async () => {
      session = await client.newSession({ cwd: this.#directory }, this.#onEvent);
    });
    if (session === undefined) return;
    const opened: Session = session;
    if (this.#options.turn) session = await this.#talk(client, opened);
    if (capabilities.load || capabilities.resume) {
      notes.restoreUnknown = await this.#try("restore", this.#patience.answer, async () => {
        const outcome = await client.restore("turnkit-doctor-knows-no-such-session", { cwd: this.#directory });
        return outcome.status !== "unavailable";
      });
    }
    const { id } = session;
    if (capabilities.close)
      notes.close = await this.#try("close", this.#patience.answer, () => (session as Session).close());
    // The test session must not stay in the agent's list.
    if (capabilities.delete) await this.#try("delete", this.#patience.answer, () => client.deleteSession(id));
    const oddities = [opened, session].flatMap(({ state }) => state.anomalies);
    const texts = oddities.map(({ what, about }) => (about === undefined ? what : `${what} (${about})`));
    notes.anomalies = [...new Set(texts)];
  }

  /** Sends prompts. Returns the session, which is another object if the agent has restored it. */
  async #talk(client: Client, session: Session): Promise<Session> {
    const notes = this.#notes;
    const { signOfLife, cancel, answer } = this.#patience;
    const about = this.#promptOf("Say in one short sentence what this note is about. Change nothing.");
    const turn = await this.#turn(session, about, { name: "turn", limit: this.#patience.turn });
    notes.turn = turn;
    await delay(this.#patience.late); // late updates belong to the evidence
    if (turn?.status !== "done" || session.state.closed) return session;
    if (messagesByKey(notes.frames).size > 0)
      notes.repeated = await this.#try("prompt again", answer + cancel, () => repeatPrompt(session, about));
    let sentAt: number | undefined;
    const cancelled = await this.#turn(
      session,
      this.#promptOf("Count from 1 to 500, a number a line. Change nothing."),
      {
        name: "cancel",
        limit: signOfLife + cancel + 1000,
        async during(turn) {
          // If the agent sends no update, the turn is cancelled after the time limit.
          await Promise.race([turn.accepted, delay(signOfLife)]);
          if (await settlesWithin(turn.ended, 0)) return;
          sentAt = performance.now();
          if (!(await settlesWithin(turn.cancel(), cancel))) throw new Late(cancel);
        },
      },
    );
    const after = sentAt === undefined ? {} : { afterCancelMs: performance.now() - sentAt };
    if (cancelled) notes.cancel = { ...cancelled, ...after };
    await delay(this.#patience.late);
    const { load, resume } = client.peer.capabilities;
    if (cancelled?.status !== "done" || session.state.closed || !(load || resume)) return session;
    const restored = await this.#try("restore again", this.#patience.session, () =>
      restoreAgain(client, session, this.#onEvent),
    );
    notes.restored = restored;
    return restored?.status === "done" ? restored.value.session : session;
  }

  #promptOf(text: string): KeyedPrompt {
    const uri = pathToFileURL(join(this.#folder, "note.txt")).href;
    const content = [{ type: "text", text } as const, { type: "resource_link", uri, name: "note.txt" } as const];
    return { content, idempotencyKey: randomUUID() };
  }

  async #turn(session: Session, prompt: KeyedPrompt, { name, limit, during }: Asking): Promise<TurnReport | undefined> {
    let updates = 0;
    const forget = session.onEvent(({ type }) => {
      if (!local.has(type)) updates += 1;
    });
    const outcome = await this.#try(name, limit, async () => {
      const { content, idempotencyKey } = prompt;
      const one = session.prompt(content, { idempotencyKey });
      await during?.(one);
      return one.ended;
    });
    forget();
    const unfinished = [...session.state.timeline].flatMap((entry) =>
      entry.type === "tool_call" && (entry.status === "pending" || entry.status === "in_progress")
        ? [entry.toolCallId]
        : [],
    );
    return outcome && { ...outcome, updates, unfinished };
  }

  #try<T>(step: string, limit: number, work: () => Promise<T>): Promise<Outcome<T> | undefined> {
    const signal = this.#signal;
    if (!signal.aborted) this.#options.onStep?.(step);
    return attempt(work, { limit, signal });
  }
}

type Asking = {
  readonly name: string;
  readonly limit: number;
  readonly during?: (turn: ReturnType<Session["prompt"]>) => Promise<void>;
};

/** Events that the client itself creates. They are not updates of the agent. */
const local = new Set([
  ...["prompt_sent", "prompt_accepted", "prompt_failed", "turn_started", "turn_ended", "cancel_asked"],
  ...["permission_answered", "elicitation_answered", "session_closed", "config_option_set"],
]);

function labelOf(event: object): string {
  const { raw, reason } = event as { raw?: unknown; reason?: string };
  const { sessionUpdate } = membersOf(raw);
  const kind = foreignText(typeof sessionUpdate === "string" ? sessionUpdate : raw);
  return reason === undefined ? kind : `${kind} (${foreignText(reason)})`;
}
