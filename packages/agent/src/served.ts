import type { AgentCapabilities, SessionPlace } from "@turnkit/session";
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
} from "@turnkit/transport";
import type { AgentHandlers, Extension } from "./agent-handlers.js";
import type { Cancellable } from "./cancel-offers.js";
import { capabilitiesOf, checkPlace, checkPrompt, isAbsolute } from "./capabilities.js";
import { type ClientCall, openClientCall } from "./client-call.js";
import type { ClientInfo } from "./client-info.js";
import { findOption, readConfigValue } from "./config-value.js";
import type { Dialect, Driver, OptionChoice, PromptReceipt, Service } from "./driver/driver.js";
import type { LiveSession } from "./live-session.js";
import { createHandshake } from "./negotiate.js";
import type { Persistence } from "./persistence.js";
import { restore } from "./restore.js";
import type { ServeOptions } from "./serve-options.js";
import type { RestoreSession } from "./session-requests.js";
import { SessionTable } from "./session-table.js";

/** Handlers, and the dialects in which they are served. */
export type Spoken<S> = { readonly dialects: readonly Dialect[]; readonly handlers: AgentHandlers<S> };

/** Connection whose client's calls are answered by handlers. */
export class ServedConnection<S> implements Service {
  readonly capabilities: AgentCapabilities;
  /** Settles when the connection has ended and its sessions are closed. Never rejects. */
  readonly closed: Promise<CloseReason>;
  readonly #handlers: AgentHandlers<S>;
  readonly #connection: Connection;
  readonly #sessions: SessionTable<S>;
  readonly #persistence: Persistence<S> | undefined;
  #driver: Driver | undefined;

  constructor({ dialects, handlers }: Spoken<S>, channel: Channel, options: ServeOptions) {
    const { limits, batches, onDiagnostic, validateOutgoing } = options;
    this.#handlers = handlers;
    this.#persistence = handlers.log?.keep(handlers.log, handlers, limits ?? {}) as Persistence<S> | undefined;
    this.capabilities = capabilitiesOf(handlers);
    this.#connection = createConnection(channel, {
      invalidLines: "answer",
      nullIds: () => this.#driver?.nullIds ?? true,
      ...(batches && { batches }),
      ...(limits && { limits }),
      ...(onDiagnostic && { onDiagnostic }),
      ...(validateOutgoing && {
        validateOutgoing: () => this.#driver && validateOutgoing[this.#driver.client.dialect],
      }),
    });
    const connection = this.#connection;
    // No session is opened before the driver is known.
    this.#sessions = new SessionTable({ handlers, options, connection, driver: () => this.#driver as Driver });
    this.#connection.route = createHandshake({
      connection,
      service: this,
      info: handlers.info,
      authMethods: handlers.authMethods ?? [],
      dialects,
      hasSessions: () => !this.#sessions.isEmpty,
      onLoss: (loss, sessionId) => this.#sessions.lost(loss, sessionId),
      agreed: (agreed) => {
        this.#driver = agreed;
      },
    });
    const ended = channel.closed.then(() => this.#sessions.endAll());
    this.closed = Promise.all([connection.closed, ended]).then(([reason]) => reason);
  }

  async close(graceMs?: number): Promise<void> {
    await this.#sessions.cancelAll(graceMs);
    await this.#connection.close();
    await this.closed;
  }

  async newSession(place: SessionPlace, call: InboundCall): Promise<Calls["newSession"]["result"]> {
    checkPlace(this.#offers, place);
    const session = this.#sessions.create(crypto.randomUUID(), place);
    session.output.outbox.hold();
    const begin = async () => session.setUp(await this.#handlers.newSession(place, session, this.#clientCall(call)));
    const lists = await this.#sessions.open(session, () => this.#persistence?.create(session, begin) ?? begin());
    call.afterResponse(() => this.#sessions.announce(session, lists));
    return { sessionId: session.id, ...lists };
  }

  async restoreSession(request: RestoreSession, call: InboundCall): Promise<Calls["loadSession"]["result"]> {
    checkPlace(this.#offers, request);
    const leave = this.#sessions.orderOf(request.sessionId)?.enter(call.bytes);
    // It replaces an open session at once, so that later calls wait for it.
    const session = this.#sessions.create(request.sessionId, request);
    // With a log the restore may still be refused while turns run. Without one only the handler can refuse.
    if (this.#persistence === undefined) this.#sessions.before(session)?.prompts.cancelAll();
    const parts = { handlers: this.#handlers, sessions: this.#sessions, persistence: this.#persistence };
    const afterResponse: InboundCall["afterResponse"] = (then) => call.afterResponse(then);
    const work = () => restore(parts, { session, request, call: this.#clientCall(call), afterResponse });
    const lists = await session.order.run(call, work, leave);
    call.afterResponse(() => this.#sessions.announce(session, lists));
    return lists;
  }

  prompt(params: Calls["prompt"]["params"], call: InboundCall): PromptReceipt {
    const session = this.#sessions.get(params.sessionId);
    checkPrompt(this.#offers, params.prompt);
    const prompt = session.prompt(params, call.bytes);
    // The connection waits for the end of all turns: none begins any more.
    if (this.#sessions.isEnding) prompt.cancel();
    return prompt;
  }

  cancel(sessionId: string): void {
    for (const { prompts } of this.#sessions.all(sessionId)) prompts.cancelAll();
  }

  cancelToolCall({ sessionId, toolCallId }: Calls["cancelToolCall"]["params"]): void {
    this.#takeOffer(sessionId, "tool_call", toolCallId);
  }

  cancelTerminal({ sessionId, terminalId }: Calls["cancelTerminal"]["params"]): void {
    this.#takeOffer(sessionId, "terminal", terminalId);
  }

  setConfigOption(choice: OptionChoice, call: InboundCall): Promise<Calls["setConfigOption"]["result"]> {
    return this.#inOrder(choice.sessionId, call, async (session) => {
      if (choice.type !== undefined) throw RpcError.invalidParams("options have no values of such a type");
      const option = findOption(session.state.configOptions ?? [], choice);
      const value = readConfigValue(option, choice.value, session.client.capabilities);
      await this.#handlers.setConfigOption?.(session, option.configId, value);
      session.setValue(option.configId, value);
      return { configOptions: session.state.configOptions ?? [] };
    });
  }

  async listSessions(
    request: Calls["listSessions"]["params"],
    call: InboundCall,
  ): Promise<Calls["listSessions"]["result"]> {
    const handlers = this.#handlers;
    // An empty list would suggest that the intended folder has no sessions.
    if (request.cwd != null && !isAbsolute(request.cwd)) throw RpcError.invalidParams("cwd is an absolute path");
    const page = await (handlers.listSessions?.(request, call.signal) ?? this.#persistence?.list(request));
    if (page === undefined) return this.#sessions.page(request);
    if (this.#offers.additionalDirectories) return page;
    return { ...page, sessions: page.sessions.map(({ additionalDirectories: _, ...session }) => session) };
  }

  async deleteSession(sessionId: string, call: InboundCall): Promise<void> {
    this.cancel(sessionId);
    const asked = this.#sessions.find(sessionId);
    await this.#sessions.whileDeleting(sessionId, (order) =>
      order.run(call, async () => {
        if (asked !== undefined) await this.#sessions.end(this.#sessions.current(asked));
        await this.#forget(sessionId, call);
      }),
    );
  }

  async closeSession(sessionId: string, call: InboundCall): Promise<void> {
    this.cancel(sessionId);
    await this.#inOrder(sessionId, call, (session) => this.#sessions.end(session));
  }

  async login(methodId: string, call: InboundCall): Promise<void> {
    const { authMethods = [], login } = this.#handlers;
    const method = authMethods.find((candidate) => candidate.methodId === methodId);
    if (method?.type !== "agent" || login === undefined) {
      throw RpcError.invalidParams(`there is no login method ${methodId} that the agent runs`);
    }
    await login.call(this.#handlers, methodId, call.signal, this.#clientCall(call));
  }

  async logout(signal: AbortSignal): Promise<void> {
    await this.#handlers.logout?.(signal);
  }

  extension(method: string, client: ClientInfo): Route | undefined {
    const extensions: Readonly<Record<string, Extension>> = this.#handlers.extensions ?? {};
    if (Object.hasOwn(extensions, method)) {
      return { receive: (params, call) => extensions[method]?.(params, call.signal, client) };
    }
    if (this.#handlers.fallback === undefined) return undefined;
    return { receive: (params, call) => this.#handlers.fallback?.(method, params, call.signal) };
  }

  /** Deletes a stored session that is not open here. */
  async #forget(sessionId: string, call: InboundCall): Promise<void> {
    try {
      await this.#handlers.deleteSession?.(sessionId, call.signal);
    } catch (error) {
      // V1-SESS-41: deleting a session that does not exist succeeds.
      if (!isRpcError(error, -32002)) throw error;
    }
    await this.#persistence?.delete(sessionId);
  }

  /** Cancels a tool call or terminal of the session that offers it: one before an undecided restore, or the newest. */
  #takeOffer(sessionId: string, type: Cancellable, id: string): void {
    const asked = this.#sessions.get(sessionId);
    const offering = this.#sessions.all(sessionId).find(({ cancels }) => cancels.has(type, id)) ?? asked;
    offering.cancels.take(type, id);
  }

  #clientCall(call: InboundCall): ClientCall {
    // Only a driver routes requests, so there is one.
    return openClientCall(this.#driver as Driver, call);
  }

  get #offers(): AgentCapabilities {
    return this.#driver?.offers ?? this.capabilities;
  }

  async #inOrder<T>(sessionId: string, call: InboundCall, work: (session: LiveSession<S>) => Promise<T>): Promise<T> {
    const asked = this.#sessions.get(sessionId);
    return asked.order.run(call, async () => {
      const session = this.#sessions.current(asked);
      session.mustBeOpen();
      return work(session);
    });
  }
}
