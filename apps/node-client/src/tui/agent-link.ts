import { basename } from "node:path";
import type { Client, Session, SessionInfo } from "@turnkit/client";
import { closeText, textOf } from "@turnkit/transport";
import type { RunInvocation, SessionWish } from "../invocation.js";
import type { PromptReader } from "../prompt/prompt-blocks.js";
import { oneLine } from "../sanitise.js";
import { lostText } from "../setup/connection-cuts.js";
import { commandOrAddress, hereOf, type Setup } from "../setup/setup.js";
import type { OpenedSession, Visit } from "../setup/visit.js";
import type { WantedSession } from "./model/ui.js";

export type LinkOptions = {
  readonly setup: Setup;
  /** Options of the agent to set in each new conversation. */
  readonly settings: RunInvocation["settings"];
  readonly connect: (setup: Setup) => Promise<Visit>;
  readonly setupFor: (directory: string) => Promise<Setup>;
  readonly note: (message: string) => void;
};

/** Shortest time between two connections that are made without the person, in milliseconds. */
const AGAIN_MS = 10_000;

/** Agent of the screen with its current session. The agent can be started again, and the session can be replaced. */
export class AgentLink {
  readonly #options: LinkOptions;
  #setup: Setup;
  #visit: Visit | undefined;
  #session: Session | undefined;
  #watched: Client | undefined;
  #death: string | undefined;
  #cut: string | undefined;
  #changed = () => {};
  /** Capabilities of the agent that was started last. */
  #capabilities: Client["peer"]["capabilities"] | undefined;
  #isRestored = false;
  #opening = 0;
  /** `true` if this program did not end the connection, and the previous such end was long ago. */
  #mayTryAlone = false;
  #triedAt = Number.NEGATIVE_INFINITY;

  /** Creates a link without an agent. `open` starts the agent. */
  constructor(options: LinkOptions) {
    this.#options = options;
    this.#setup = options.setup;
  }

  get directory(): string {
    return this.#setup.directory;
  }

  /** Folder of this machine for files of prompts and for commands of the person. */
  get here(): string {
    return hereOf(this.#setup);
  }

  /** `true` for an agent behind an address. */
  get isRemote(): boolean {
    return this.#setup.remote !== undefined;
  }

  get client(): Client | undefined {
    return this.#visit?.client;
  }

  /** Name of the agent for people. An agent that starts has the name of its program. */
  get agent(): string {
    const { info } = this.client?.peer ?? {};
    return oneLine(
      info?.title ?? info?.name ?? this.#setup.remote?.url.host ?? basename(commandOrAddress(this.#setup)[0]),
    ).slice(0, 30);
  }

  /** Name of the agent, and the types of content that it accepts. */
  get reader(): Omit<PromptReader, "note"> {
    const capabilities = this.#capabilities?.prompt ?? { image: false, audio: false, embeddedContext: false };
    return { agent: this.agent, capabilities };
  }

  get isOpen(): boolean {
    return this.#session !== undefined;
  }

  /** Current session. It exists after the first `open`. */
  get session(): Session {
    if (this.#session === undefined) throw new Error("No session is open yet.");
    return this.#session;
  }

  /** `true` while the agent is started, and while a session is opened. */
  get isOpening(): boolean {
    return this.#opening > 0;
  }

  /** Reason why the agent has ended; `undefined` while it runs. */
  get death(): string | undefined {
    return this.#death;
  }

  /** `true` if the current session has content, and the agent can restore it. */
  get mayGoOn(): boolean {
    const { load, resume } = this.#capabilities ?? {};
    return Boolean(load || resume) && (this.session.state.timeline.length > 0 || this.#isRestored);
  }

  /**
   * `true` if the connection to a remote agent was lost, and the client has not connected again shortly before. A new
   * connection may succeed immediately, because the server was started again, or because a load balancer chooses
   * another server.
   */
  get mayConnectAgain(): boolean {
    return this.isRemote && this.isOpen && this.mayGoOn && this.#mayTryAlone;
  }

  /** Sentence about a cut that is being repaired; `undefined` while the connection works. */
  get cut(): string | undefined {
    return this.#cut;
  }

  /** Stores a cut, or its end. Does nothing after the end of the agent, because that end was already reported. */
  setCut(cut: string | undefined): void {
    if (this.#death !== undefined || cut === this.#cut) return;
    this.#cut = cut;
    this.#changed();
  }

  /**
   * Sets the function that is called after each change of a cut, and after an end of the agent that this program did
   * not request.
   */
  onChange(listener: () => void): void {
    this.#changed = listener;
  }

  async start(): Promise<void> {
    await this.#connect(this.#setup);
  }

  /** Opens the session of the command line. */
  async openFirst(wish: SessionWish | undefined): Promise<void> {
    const { findSession } = await import("./late-parts.js");
    const finding = wish && this.#visit?.attempt((client) => findSession(client, wish, this.#setup));
    const found = finding && (await this.#during(finding));
    await this.#open(found?.sessionId, this.#options.settings);
  }

  /**
   * Opens a session: a new one, or the wanted one. It replaces the current session, which is closed. If the wanted session
   * is in another directory, or if the agent has ended, the agent is started again.
   *
   * @throws Error with advice; the current session then continues, unless the agent was started again
   */
  async open(wanted?: WantedSession): Promise<OpenedSession> {
    const [before, home] = [this.#session, this.#setup];
    const isElsewhere = wanted !== undefined && wanted.cwd !== home.directory;
    if (isElsewhere || this.#death !== undefined) {
      await this.#connect(isElsewhere ? await this.#options.setupFor(wanted.cwd) : home);
    }
    const settings = wanted === undefined ? this.#options.settings : [];
    const opened = await this.#open(wanted?.sessionId, settings).catch(async (error: unknown) => {
      // If the earlier session is closed, no session uses the new agent.
      if (before?.state.closed) await this.#giveUp(home, error);
      throw error;
    });
    if (before !== undefined && !before.state.closed) void before.close().catch(() => undefined);
    return opened;
  }

  /**
   * Starts the agent again and restores the session. If that is not possible, opens a new session and shows the reason.
   */
  async restart(): Promise<OpenedSession> {
    await this.#connect(this.#setup);
    const { id } = this.session;
    const { load, resume } = this.client?.peer.capabilities ?? {};
    if (!load && !resume) {
      this.#options.note("The agent cannot restore sessions, so this is a new conversation.");
      return this.#open(undefined, this.#options.settings);
    }
    return this.#open(id).catch((error: unknown) => {
      if (this.#death !== undefined) throw error;
      this.#options.note(`${textOf(error)}\nThis is a new conversation.`);
      return this.#open(undefined, this.#options.settings);
    });
  }

  /** Yields the sessions of the agent: first those of this directory, then the others. Each session is yielded once. */
  async *sessions(signal: AbortSignal): AsyncGenerator<SessionInfo> {
    const { client } = this;
    if (client === undefined) return;
    if (!client.peer.capabilities.list) throw new Error("The agent cannot list its conversations.");
    const cwd = this.directory;
    const seen = new Set<string>();
    for (const filter of [{ cwd }, {}]) {
      for await (const info of client.listSessions(filter, signal)) {
        // Some agents do not use the filter.
        if (seen.has(info.sessionId) || ("cwd" in filter && info.cwd !== cwd)) continue;
        seen.add(info.sessionId);
        yield info;
      }
    }
  }

  async close(): Promise<void> {
    await this.#visit?.close();
  }

  async #open(sessionId?: string, settings: LinkOptions["settings"] = []): Promise<OpenedSession> {
    const { openSession } = await import("./late-parts.js");
    const visit = this.#visit as Visit;
    const { note } = this.#options;
    const opening = { setup: this.#setup, sessionId, settings, note };
    const opened = await this.#during(visit.attempt((client) => openSession(client, opening)));
    this.#session = opened.session;
    this.#isRestored = opened.restored !== undefined;
    this.#capabilities = visit.client.peer.capabilities;
    // A login on the terminal has started another agent.
    this.#watch(visit.client);
    return opened;
  }

  async #during<T>(work: Promise<T>): Promise<T> {
    this.#opening += 1;
    return work.finally(() => {
      this.#opening -= 1;
    });
  }

  async #connect(setup: Setup): Promise<void> {
    this.#mayTryAlone = false;
    const before = this.#visit;
    this.#visit = undefined;
    await before?.client.close();
    try {
      this.#visit = await this.#during(this.#options.connect(setup));
    } catch (error) {
      this.#died(textOf(error));
      throw error;
    }
    this.#setup = setup;
    this.#death = undefined;
    this.#watch(this.#visit.client);
  }

  /** Ends the agent of a session that could not be opened. */
  async #giveUp(home: Setup, error: unknown): Promise<void> {
    const visit = this.#visit;
    this.#visit = undefined;
    this.#setup = home;
    this.#died(textOf(error));
    await visit?.client.close();
  }

  #watch(client: Client): void {
    if (this.#watched === client) return;
    this.#watched = client;
    void client.closed.then((reason) => {
      if (this.client !== client) return;
      const now = performance.now();
      this.#mayTryAlone = now - this.#triedAt >= AGAIN_MS;
      if (this.#mayTryAlone) this.#triedAt = now;
      this.#died(lostText(closeText(reason)));
    });
  }

  #died(reason: string): void {
    this.#death = reason;
    this.#cut = undefined;
    this.#changed();
  }
}
