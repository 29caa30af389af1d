import type { Activity, ConfigOption, ContentBlock, SessionEvent, SessionPlace, SessionState } from "@turnkit/session";
import { type Calls, type ClientCodec, settingCall } from "@turnkit/session/codec";
import { type Connection, type Contract, isRpcError, type RequestOptions, rpcErrorCode } from "@turnkit/transport";
import type { LiveSession } from "../live-session.js";
import type { LiveTurn } from "../live-turn.js";
import { checkContent, checkLogin, checkOffered, checkPlace } from "./capability-checks.js";
import type { Answered, Driver, LostTurn, Peer, Work } from "./driver.js";

/** What a driver is made of. */
export type DriverParts = {
  readonly connection: Connection;
  readonly peer: Peer;
  readonly codec: ClientCodec;
  readonly contract: Contract;
  readonly routes: Driver["routes"];
};

/** What is the same in all dialects, by the calls of a codec and by what the agent said it can do. */
export abstract class AgentDriver implements Driver {
  readonly peer: Peer;
  readonly contract: Contract;
  readonly routes: Driver["routes"];
  abstract readonly holdsPrompts: boolean;
  abstract readonly nullIds: boolean;
  readonly #connection: Connection;
  readonly #codec: ClientCodec;

  constructor({ connection, peer, codec, contract, routes }: DriverParts) {
    this.peer = peer;
    this.contract = contract;
    this.routes = routes;
    this.#connection = connection;
    this.#codec = codec;
  }

  abstract planRestore(place: SessionPlace): { readonly replays: boolean };
  abstract restoreSession(...parameters: Parameters<Driver["restoreSession"]>): Promise<void>;
  abstract prompt(session: LiveSession, turn: LiveTurn): void;
  abstract signOfLife(session: LiveSession, turn: LiveTurn): void;
  abstract updated(session: LiveSession, event: SessionEvent, before: Activity | undefined): void;
  abstract withdraw(turn: LiveTurn): boolean;
  abstract lose(session: LiveSession, turn: LiveTurn, how: LostTurn): void;
  abstract endsWithCancel(work: Work, state: SessionState): boolean;
  abstract cancelToolCall(session: LiveSession, toolCallId: string): Promise<void>;
  abstract cancelTerminal(session: LiveSession, terminalId: string): Promise<void>;

  async newSession(place: SessionPlace, opened: Parameters<Driver["newSession"]>[1]): Promise<void> {
    checkPlace(this.peer, place);
    await this.call("newSession", place, { received: ({ sessionId, ...lists }) => opened(sessionId, lists) });
  }

  async listSessions(params: Calls["listSessions"]["params"], signal?: AbortSignal) {
    checkOffered(this.peer, this.peer.capabilities.list, "cannot list sessions");
    return this.call("listSessions", params, { signal });
  }

  async deleteSession(sessionId: string, deleted: () => void): Promise<void> {
    checkOffered(this.peer, this.peer.capabilities.delete, "cannot delete sessions");
    await unlessGone(this.call("deleteSession", { sessionId }, orGone({ received: deleted })));
  }

  checkPrompt(content: readonly ContentBlock[]): void {
    checkContent(this.peer, content);
  }

  cancel(sessionId: string): void {
    this.#connection.notify("session/cancel", { sessionId });
  }

  async setConfigOption(session: LiveSession, option: ConfigOption, value: string | boolean): Promise<void> {
    const { id: sessionId } = session;
    const { configId } = option;
    const name = settingCall(option);
    if (name === "setConfigOption") {
      await this.call(
        name,
        { sessionId, configId, value },
        { received: ({ configOptions }) => session.tell({ type: "config_option_update", configOptions }) },
      );
    } else {
      await this.call(
        name,
        { sessionId, value: String(value) },
        { received: () => session.tell({ type: "config_option_set", configId, value }) },
      );
    }
  }

  async closeSession({ id: sessionId, state }: LiveSession, on: Answered<unknown>): Promise<void> {
    if (this.peer.capabilities.close) {
      await unlessGone(this.call("closeSession", { sessionId }, orGone(on)));
    } else if (state.activity.state !== "idle") {
      this.cancel(sessionId);
    }
  }

  async login(methodId: string, signal?: AbortSignal): Promise<void> {
    checkLogin(this.peer, methodId);
    await this.call("login", { methodId }, { signal });
  }

  async logout(): Promise<void> {
    checkOffered(this.peer, this.peer.capabilities.logout, "offers no logout");
    await this.call("logout", {});
  }

  /** Sends a request. Its answer, an error answer too, is seen by `on` at its receipt. */
  protected async call<K extends keyof Calls>(
    name: K,
    params: Calls[K]["params"],
    on: Answered<Calls[K]["result"]> = {},
  ): Promise<Calls[K]["result"]> {
    const shape = this.#codec.ask(name) ?? checkOffered(this.peer, false, `speaks a version that has no ${name}`);
    const { result } = this.contract[shape.method] as { result: NonNullable<RequestOptions<object>["result"]> };
    const { signal, failed } = on;
    let decoded: Calls[K]["result"] | undefined;
    await this.#connection.request<object>(shape.method, shape.encodeParams(params), {
      result,
      ...(signal && { signal }),
      ...(failed && { failed }),
      received(wire) {
        decoded = shape.decodeResult(wire);
        on.received?.(decoded);
      },
    });
    return decoded as Calls[K]["result"];
  }
}

const isGone = (error: unknown): boolean => isRpcError(error, rpcErrorCode.resourceNotFound);

/** Sees an answer by which a session that the agent does not know any more is closed, or deleted. */
function orGone({ received, failed }: Answered<unknown>): Answered<unknown> {
  return {
    ...(received && { received }),
    failed: (error) => (isGone(error) ? received?.(undefined) : failed?.(error)),
  };
}

/** A session that the agent does not know any more is closed (V1-SESS-37, V2-SES-18), and deleted. */
async function unlessGone(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
