import type {
  BackgroundWork,
  ConfigOption,
  Cost,
  McpServer,
  SessionInfo,
  SessionLists,
  SessionState,
  SessionWorkspace,
  WireEvent,
} from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import type { AgentHandlers, SessionSetup, SetupAnswer } from "./agent-handlers.js";
import type { AgentTerminal, AgentTerminalStart } from "./agent-terminal.js";
import { BackgroundList } from "./background-list.js";
import { CallOrder } from "./call-order.js";
import { CancellableWork } from "./cancellable-work.js";
import { checkEmitted } from "./check-emitted.js";
import { checkUsage } from "./check-update.js";
import { checkOwnCommands, checkOwnOptions } from "./check-values.js";
import type { ChildOptions, ChildSession } from "./child-session.js";
import { type ChildParts, Children, checkLinks } from "./children.js";
import type { ClientInfo } from "./client-info.js";
import { checkOwnValue, optionsWith } from "./config-value.js";
import { Deferred } from "./deferred.js";
import type { Driver } from "./driver/driver.js";
import { Elicitations } from "./elicitations.js";
import { openChild } from "./live-child.js";
import { OwnNames } from "./own-names.js";
import type { PromptKeys } from "./prompt-keys.js";
import { PromptQueue } from "./prompt-queue.js";
import type { Quota } from "./quota.js";
import type { AgentSession, CommandOffer } from "./session.js";
import { openSessionCall, openSessionTerminal } from "./session-calls.js";
import { type DataEvent, DataStore, DEFAULT_DATA_VERSION } from "./session-data.js";
import { listsOf, typedCommand } from "./session-lists.js";
import { SessionOutput, type SessionOutputParts } from "./session-output.js";
import { titleUpdate } from "./session-title.js";
import type { ToolCall, ToolCallStart } from "./tool-call.js";

/** Parts of a live session. */
export type SessionParts<S> = Omit<SessionOutputParts, "repeatsContents"> & {
  /** Serial number among the sessions of the connection. */
  readonly number: number;
  readonly workspace: SessionWorkspace;
  readonly driver: Driver;
  readonly handlers: AgentHandlers<S>;
  readonly cancelGraceMs: number;
  /** Room for waiting calls, shared by the sessions of the connection. */
  readonly calls: Quota;
  /** Order of calls of the older session that this session replaces. Sessions of one id share the order. */
  readonly order: CallOrder | undefined;
  /** Keys of prompts, shared by the sessions of one id. */
  readonly keys: PromptKeys;
  /** Parts that the child sessions of the connection share. */
  readonly childParts: ChildParts;
};

/** Implementation of {@link AgentSession}, with the prompts, calls and output of the session. */
export class LiveSession<S> extends OwnNames implements AgentSession<S> {
  readonly id: string;
  readonly number: number;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly #additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
  readonly driver: Driver;
  readonly output: SessionOutput;
  readonly prompts: PromptQueue<S>;
  readonly order: CallOrder;
  readonly keys: PromptKeys;
  data = undefined as S;
  /** Settles with true after a successful opening of the session, and with false after a failed one. */
  readonly opening = new Deferred<boolean>();
  /** True after a successful opening of the session, even after the session's end. */
  wasOpened = false;
  /** Promise of the session's end. `undefined` until the end begins. */
  ended: Promise<void> | undefined;
  // Created on the first use, because most of the thousands of sessions of a connection need none of these.
  #background: BackgroundList | undefined;
  #cancellable: CancellableWork | undefined;
  #elicitations: Elicitations | undefined;
  #children: Children | undefined;
  readonly childParts: ChildParts;
  #dataStore: DataStore | undefined;
  readonly #dataVersion: number;

  constructor(parts: SessionParts<S>) {
    super();
    const { id, number, workspace, driver, handlers, cancelGraceMs, calls, order, keys } = parts;
    const { cwd, additionalDirectories = [], mcpServers = [] } = workspace;
    this.id = id;
    this.number = number;
    this.cwd = cwd;
    this.roots = [cwd, ...additionalDirectories];
    this.#additionalDirectories = additionalDirectories;
    this.mcpServers = mcpServers;
    this.driver = driver;
    this.#dataVersion = handlers.dataVersion ?? DEFAULT_DATA_VERSION;
    this.output = new SessionOutput({ ...parts, repeatsContents: driver.dialect.repeatsContents });
    this.prompts = new PromptQueue(this, { handlers, cancelGraceMs });
    this.keys = keys;
    this.childParts = parts.childParts;
    this.order = order ?? new CallOrder(calls);
    this.output.record({ type: "session_opened", sessionId: id, cwd, additionalDirectories });
    Object.preventExtensions(this);
  }

  /** Stores the session's data if the session has a log. Never throws. */
  storeData(): void {
    const { journal, onFault } = this.output;
    if (journal === undefined) return;
    this.#dataStore ??= new DataStore(this.#dataVersion, onFault);
    this.#dataStore.store(this.data, journal);
  }

  /** Takes over the data from the log of a restored session. */
  dataWasStored(stored: DataEvent | undefined): void {
    this.#dataStore = new DataStore(this.#dataVersion, this.output.onFault, stored);
  }

  /** Keeps the stored data in the log until the session has data again. */
  keepStoredData(): void {
    this.#dataStore?.keep();
  }

  get state(): SessionState {
    return this.output.state;
  }

  get signal(): AbortSignal {
    return this.output.signal;
  }

  get client(): ClientInfo {
    return this.driver.client;
  }

  get cancellable(): CancellableWork {
    this.#cancellable ??= new CancellableWork();
    return this.#cancellable;
  }

  get elicitations(): Elicitations {
    this.#elicitations ??= new Elicitations(this.driver, this.output.onFault);
    return this.#elicitations;
  }

  emit(event: WireEvent): Room {
    checkEmitted(event, this);
    return this.emitChecked(event);
  }

  emitChecked(event: WireEvent): Room {
    checkLinks(event, this);
    return this.output.emit(event);
  }

  /** True until the session has the options that its handler returns. */
  get isOpening(): boolean {
    return !this.wasOpened;
  }

  setTitle(title: string | null): Room {
    return this.emit(titleUpdate(title));
  }

  setCommands(commands: readonly CommandOffer[]): Room {
    this.#report(checkOwnCommands("setCommands", commands));
    return this.output.emit({ type: "available_commands_update", availableCommands: commands.map(typedCommand) });
  }

  setConfigOptions(configOptions: readonly ConfigOption[]): Room {
    this.#report(checkOwnOptions("setConfigOptions", configOptions));
    return this.output.emit({ type: "config_option_update", configOptions });
  }

  configValue(configId: string): string | boolean | undefined {
    const option = this.state.configOptions?.find((candidate) => candidate.configId === configId);
    return option !== undefined && "currentValue" in option ? option.currentValue : undefined;
  }

  setConfigValue(configId: string, value: string | boolean): Room {
    checkOwnValue(this.state.configOptions ?? [], configId, value);
    return this.setValue(configId, value);
  }

  /** Changes the value of one option, then stores and sends the list of options. Does nothing if the value is the same. */
  setValue(configId: string, value: string | boolean): Room {
    const current = this.configValue(configId);
    const isStored = !this.output.journal?.dropChoice(configId);
    if (current === undefined || (current === value && isStored)) return undefined;
    return this.setConfigOptions(optionsWith(this.state.configOptions ?? [], configId, value));
  }

  reportUsage(usage: { readonly used: number; readonly size: number; readonly cost?: Cost | null }): Room {
    this.#report(checkUsage("reportUsage", usage));
    return this.output.emit({ type: "usage_update", ...usage });
  }

  get children(): Children {
    if (this.#children === undefined) {
      const children = new Children(this, this.childParts.table);
      this.signal.addEventListener("abort", () => children.close(), { once: true });
      this.#children = children;
    }
    return this.#children;
  }

  child(title: string, options: ChildOptions = {}): ChildSession {
    return openChild(this, this.childParts, { ...options, title });
  }

  /** Child sessions, or `undefined` if the session never had any. */
  get openChildren(): Children | undefined {
    return this.#children;
  }

  get isCancelled(): boolean {
    return this.prompts.isCancelled;
  }

  /** Background work that the client has. `undefined` if the agent reports none. */
  get background(): readonly BackgroundWork[] | undefined {
    return this.#background?.items;
  }

  lists(childId: string): boolean {
    return this.#background?.has(childId) === true;
  }

  relist(forgotten?: string): void {
    this.#background?.relist(forgotten);
  }

  setBackground(work: readonly BackgroundWork[]): void {
    this.#background ??= new BackgroundList({
      output: this.output,
      table: this.childParts.table,
      report: () => {
        if (!this.output.isClosed) this.driver.backgroundChanged(this);
      },
    });
    this.#background.set(work);
  }

  toolCall(start: ToolCallStart): ToolCall {
    return openSessionCall(this, start);
  }

  terminal(start: AgentTerminalStart = {}): AgentTerminal {
    return openSessionTerminal(this, start);
  }

  completeElicitation(elicitationId: string): void {
    if (this.output.isClosed || !this.elicitations.complete(elicitationId)) return;
    this.output.record({ type: "elicitation_completed", elicitationId });
  }

  /** Closes the session after the end of the connection. Running turns get `graceMs` to end. */
  abandon(graceMs: number): void {
    this.prompts.abandon(graceMs);
    void this.order.abandon();
    this.output.close();
  }

  /** Returns the session's row in a list of sessions. */
  describe(): SessionInfo {
    const { title, updatedAt } = this.state;
    const additionalDirectories = this.#additionalDirectories;
    return {
      ...{ sessionId: this.id, cwd: this.cwd },
      ...(additionalDirectories.length > 0 && { additionalDirectories }),
      ...(title !== undefined && { title }),
      ...(updatedAt !== undefined && { updatedAt }),
    };
  }

  /** Takes the result of the handler that opens the session. Returns the lists for the answer to the client. */
  setUp(setup: SetupAnswer<S>): SessionLists {
    const given: Partial<SessionSetup<S>> = setup ?? {};
    const lists = listsOf(given, (mistake) => this.#report([mistake]));
    this.data = given.data as S;
    const { id: sessionId, cwd, output } = this;
    output.record({ type: "session_opened", sessionId, ...lists });
    const workspace = { cwd, additionalDirectories: this.#additionalDirectories };
    output.journal?.append({ type: "session_opened", sessionId, ...workspace, ...lists });
    this.storeData();
    return lists;
  }

  /** Reports mistakes that do not stop a call. */
  #report(mistakes: readonly string[]): void {
    for (const one of mistakes) this.output.onFault(one, undefined, "unused_option");
  }
}
