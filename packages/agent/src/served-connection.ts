import type { AgentCapabilities, SessionLists, SessionWorkspace } from "@turnkit/session";
import type { Calls } from "@turnkit/session/codec";
import {
  type Channel,
  type CloseReason,
  type Connection,
  createConnection,
  type InboundCall,
  isRpcError,
  type Route,
  RpcError,
  readThrown,
} from "@turnkit/transport";
import { isAbsolute } from "./absolute-path.js";
import type { AgentHandlers, RestoreSession } from "./agent-handlers.js";
import type { WorkType } from "./cancellable-work.js";
import { capabilitiesOf, checkWorkspace } from "./capabilities.js";
import { type ClientCall, openClientCall } from "./client-call.js";
import type { ClientInfo } from "./client-info.js";
import type { Dialect, Driver, PromptReceipt, Service } from "./driver/driver.js";
import { extensionRoute } from "./extension-route.js";
import type { LiveSession } from "./live-session.js";
import { createNegotiation, NOTIFICATIONS } from "./negotiate.js";
import { choose, type OptionChoice } from "./option-choice.js";
import type { Persistence } from "./persistence.js";
import { type Restore, restore } from "./restore.js";
import { type Hooks, hooksOf, type ServeOptions } from "./serve-options.js";
import { storedData } from "./session-data.js";
import { pageOf } from "./session-page.js";
import { SessionTable } from "./session-table.js";
import { mustNotRefuse, unlessError } from "./thrown-error.js";
import { reportUnused } from "./unused-options.js";

/** Handlers of an agent, and the dialects that the agent speaks. */
export type Spoken<S> = { readonly dialects: readonly Dialect[]; readonly handlers: AgentHandlers<S> };

/**
 * Members of a restore request that only the log may set. The client's params may contain unknown members with these names.
 */
const NO_DATA = storedData(undefined);

/** Connection whose client is served by an agent's handlers. */
export class ServedConnection<S> implements Service {
  readonly capabilities: AgentCapabilities;
  readonly calls: Service["calls"] = {
    login: async ({ methodId }, call) => {
      const handlers = this.#handlers;
      const method = handlers.authMethods?.find((candidate) => candidate.methodId === methodId);
      if (method?.type !== "agent" || handlers.login === undefined) {
        throw RpcError.invalidParams(`there is no login method ${methodId} that the agent runs`);
      }
      mustNotRefuse("login", await handlers.login(methodId, call.signal, this.#clientCall(call)), this.#hooks.report);
      return {};
    },
    logout: async (_params, call) => {
      mustNotRefuse("logout", await this.#handlers.logout?.(call.signal), this.#hooks.report);
      return {};
    },
    newSession: (workspace, call) => this.#open(workspace, call),
    loadSession: (params, call) => this.#restore({ ...params, ...NO_DATA, replay: true }, call),
    resumeSession: ({ replayFrom, ...params }, call) =>
      this.#restore({ ...params, ...NO_DATA, replay: replayFrom != null }, call),
    listSessions: async (request, call) => {
      // An empty list would suggest that the folder has no sessions.
      if (request.cwd != null && !isAbsolute(request.cwd)) throw RpcError.invalidParams("cwd is an absolute path");
      const page = await pageOf(this.#handlers, this.#persistence, { request, call, hooks: this.#hooks });
      if (page === undefined) return this.#sessions.page(request);
      if (this.#offers.additionalDirectories) return page;
      return { ...page, sessions: page.sessions.map(({ additionalDirectories: _, ...session }) => session) };
    },
    closeSession: async ({ sessionId }, call) => {
      this.#refuseChild(sessionId);
      this.cancel(sessionId);
      await this.#inOrder(sessionId, call, (session) => this.#end(session));
      return {};
    },
    deleteSession: async ({ sessionId }, call) => {
      this.#refuseChild(sessionId);
      this.cancel(sessionId);
      const asked = this.#sessions.find(sessionId);
      await this.#sessions.whileDeleting(sessionId, (order) =>
        order.run(call, async () => {
          if (asked !== undefined) await this.#end(this.#sessions.current(asked));
          await this.#forget(sessionId, call);
        }),
      );
      return {};
    },
    setConfigOption: (choice, call) => this.#choose(choice, call),
    setMode: this.#choosesBy("mode"),
    setModel: this.#choosesBy("model"),
    cancelToolCall: async ({ sessionId, toolCallId }) => this.#cancelWork(sessionId, "tool_call", toolCallId),
    cancelTerminal: async ({ sessionId, terminalId }) => this.#cancelWork(sessionId, "terminal", terminalId),
  };
  /** Settles when the connection has ended and its sessions are closed. Never rejects. */
  readonly closed: Promise<CloseReason>;
  readonly #handlers: AgentHandlers<S>;
  readonly #connection: Connection;
  readonly #sessions: SessionTable<S>;
  readonly #hooks: Hooks;
  readonly #persistence: Persistence<S> | undefined;
  #driver: Driver | undefined;

  constructor({ dialects, handlers }: Spoken<S>, channel: Channel, options: ServeOptions) {
    const { limits, batches, validateOutgoing } = options;
    const hooks = hooksOf(options);
    this.#hooks = hooks;
    this.#handlers = handlers;
    this.#persistence = handlers.log?.keep(handlers.log, handlers, limits ?? {}) as Persistence<S> | undefined;
    this.capabilities = capabilitiesOf(handlers);
    this.#connection = createConnection(channel, {
      invalidLines: "answer",
      nullIds: () => this.#driver?.dialect.nullIds ?? true,
      ...(batches && { batches }),
      ...(!handlers.fallback && {
        customMethods: Object.keys(handlers.extensions ?? {}),
        notifications: NOTIFICATIONS,
      }),
      ...(limits && { limits }),
      onDiagnostic: hooks.report,
      ...(validateOutgoing && {
        validateOutgoing: () => this.#driver && validateOutgoing[this.#driver.client.dialect],
      }),
    });
    const connection = this.#connection;
    // No session opens before `initialize`, which sets the driver.
    this.#sessions = new SessionTable({ handlers, options, hooks, connection, driver: () => this.#driver as Driver });
    this.#connection.route = createNegotiation({
      connection,
      service: this,
      info: handlers.info,
      authMethods: handlers.authMethods ?? [],
      dialects,
      hasSessions: () => !this.#sessions.isEmpty,
      onLoss: hooks.lost,
      agreed: (agreed) => {
        this.#driver = agreed;
        reportUnused(agreed, { handlers, options }, hooks.report);
      },
    });
    const ended = channel.closed.then(() => this.#sessions.endAll());
    this.closed = Promise.all([connection.closed, ended]).then(([reason]) => reason);
  }

  /** True from the `initialize` of a client. */
  get hasClient(): boolean {
    return this.#driver !== undefined;
  }

  async close(graceMs?: number): Promise<void> {
    await this.#sessions.cancelAll(graceMs);
    await this.#connection.close();
    await this.closed;
  }

  prompt(params: Calls["prompt"]["params"], call: InboundCall): PromptReceipt {
    this.#refuseChild(params.sessionId);
    const prompt = this.#sessions.get(params.sessionId).prompts.receive(params, call.bytes);
    // A closing connection waits for the end of all turns, so no turn begins.
    if (this.#sessions.isEnding) prompt.cancel();
    return prompt;
  }

  cancel(sessionId: string): void {
    for (const { prompts } of this.#sessions.all(sessionId)) prompts.cancelAll();
    for (const session of this.#sessions.all(sessionId)) session.openChildren?.cancel();
    const child = this.#sessions.children.get(sessionId);
    // P-SUB-11
    if (child?.isCancellable) child.cancel();
  }

  /** @throws RpcError `-32600` for a child session, which only the agent changes */
  // P-SUB-11
  #refuseChild(sessionId: string): void {
    if (!this.#sessions.children.has(sessionId)) return;
    const { code, message } = RpcError.invalidRequest("a child session takes no such request");
    throw new RpcError(code, message, { sessionId });
  }

  extension(method: string, client: ClientInfo): Route | undefined {
    return extensionRoute(this.#handlers, method, client);
  }

  async #open(workspace: SessionWorkspace, call: InboundCall): Promise<Calls["newSession"]["result"]> {
    checkWorkspace(this.#offers, workspace);
    const session = this.#sessions.create(crypto.randomUUID(), workspace, call.bytes);
    session.output.outbox.hold("opening");
    const begin = async () =>
      session.setUp(
        unlessError(await this.#handlers.newSession?.(workspace, session, this.#clientCall(call))) as never,
      );
    const lists = await this.#sessions.open(session, () => this.#persistence?.create(session, begin) ?? begin());
    call.afterResponse(() => this.#sessions.announce(session, lists));
    return { sessionId: session.id, ...lists };
  }

  /**
   * Ends a session. A restore that was received in the meantime finds no session to replace, so nothing waits for it.
   */
  #end(session: LiveSession<S>): Promise<void> {
    session.output.outbox.release("restore");
    return this.#sessions.end(session);
  }

  async #restore(request: RestoreSession, call: InboundCall): Promise<SessionLists> {
    this.#refuseChild(request.sessionId);
    checkWorkspace(this.#offers, request);
    this.#sessions.quota.check(call.bytes);
    const leave = this.#sessions.orderOf(request.sessionId)?.enter(call.bytes);
    // The new session replaces an open one immediately, so that later calls wait for the restore.
    const session = this.#sessions.create(request.sessionId, request, call.bytes);
    const before = this.#sessions.before(session);
    // After a refusal, the client could not distinguish updates of `restoreSession` from updates of its open session.
    if (before !== undefined) session.output.outbox.hold("restore");
    // A log checks the restore while turns still run. Without a log, only the handler can refuse.
    if (this.#persistence === undefined) before?.prompts.cancelAll();
    // P-REPLAY-03: from the receipt of the request, although the restore may wait for earlier calls.
    else if (request.replay && session.driver.replayed) {
      session.output.outbox.sendsReplay = true;
      if (before?.ended === undefined) before?.output.outbox.hold("restore");
    }
    const restoring: Restore<S> = {
      handlers: this.#handlers,
      sessions: this.#sessions,
      persistence: this.#persistence,
      session,
      request,
      call: this.#clientCall(call),
      afterResponse: (then) => call.afterResponse(then),
    };
    const lists = await session.order.run(call, () => restore(restoring), leave);
    call.afterResponse(() => this.#sessions.announce(session, lists));
    return lists;
  }

  /** Returns the handler of a call that identifies an option by its category. */
  #choosesBy(category: "mode" | "model") {
    return async (choice: Calls["setMode"]["params"], call: InboundCall): Promise<object> => {
      await this.#choose({ ...choice, category }, call);
      return {};
    };
  }

  #choose(choice: OptionChoice, call: InboundCall): Promise<Calls["setConfigOption"]["result"]> {
    return this.#inOrder(choice.sessionId, call, (session) => choose(session, choice, this.#handlers));
  }

  /** Deletes a stored session that is not open on this connection. */
  async #forget(sessionId: string, call: InboundCall): Promise<void> {
    try {
      mustNotRefuse("deleteSession", await this.#handlers.deleteSession?.(sessionId, call.signal), this.#hooks.report);
    } catch (error) {
      // Deleting a missing session succeeds (V1-SESS-41).
      if (!isRpcError(readThrown(error), -32002)) throw error;
    }
    await this.#persistence?.delete(sessionId);
  }

  /**
   * Cancels a tool call or terminal. During a restore, the older session of this id may own the tool call or terminal.
   *
   * @throws RpcError `-32602` if no session of this id owns it
   */
  #cancelWork(sessionId: string, type: WorkType, id: string): object {
    const child = this.#sessions.children.get(sessionId);
    if (child !== undefined) {
      child.cancellable.cancel(type, id);
      return {};
    }
    const asked = this.#sessions.get(sessionId);
    const owner = this.#sessions.all(sessionId).find(({ cancellable }) => cancellable.has(type, id)) ?? asked;
    owner.cancellable.cancel(type, id);
    return {};
  }

  #clientCall(call: InboundCall): ClientCall {
    // A request arrives here only through the driver, so the driver is set.
    return openClientCall(this.#driver as Driver, call, (message, error, code) =>
      this.#hooks.report({ code: code ?? "outgoing_invalid", message, error }),
    );
  }

  get #offers(): AgentCapabilities {
    return this.#driver?.offers ?? this.capabilities;
  }

  async #inOrder<T>(sessionId: string, call: InboundCall, work: (session: LiveSession<S>) => Promise<T>): Promise<T> {
    this.#refuseChild(sessionId);
    const asked = this.#sessions.get(sessionId);
    return asked.order.run(call, async () => {
      const session = this.#sessions.current(asked);
      session.output.mustBeOpen();
      return work(session);
    });
  }
}
