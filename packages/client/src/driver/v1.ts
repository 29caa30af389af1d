import * as v1 from "@turnkit/schema/v1";
import type { CallCodec, Calls, ConfigOption, ContentBlock, SessionPlace } from "@turnkit/session";
import { v1Codec } from "@turnkit/session";
import {
  CapabilityError,
  type Connection,
  checkIncoming,
  InvalidMessageError,
  isRpcError,
  type RequestOptions,
  rpcErrorCode,
} from "@turnkit/transport";
import type { LiveSession } from "../live-session.js";
import type { LiveTurn } from "../live-turn.js";
import type { Desk, Dialogue, Driver, Peer } from "./driver.js";
import { checkContent, checkPlace } from "./v1-gates.js";
import { v1Routes } from "./v1-routes.js";
import { endOf } from "./v1-turn-end.js";

/** Version 1 of the protocol, as a client speaks it. */
export const v1Dialogue: Dialogue = {
  version: 1,
  contract: v1.contract,
  hello: (info, capabilities) => codec("initialize").encodeParams({ protocolVersion: 1, info, capabilities }),
  createDriver(connection, desk, answer) {
    const checked = checkIncoming(v1.initializeResponse, answer);
    if ("issues" in checked) throw new InvalidMessageError("initialize", "result", checked.issues);
    const { info, capabilities, authMethods } = codec("initialize").decodeResult(checked.value);
    return new V1Driver(connection, desk, { dialect: "v1", info, capabilities, authMethods });
  },
};

class V1Driver implements Driver {
  readonly peer: Peer;
  readonly contract = v1.contract;
  readonly routes: Driver["routes"];
  readonly #connection: Connection;

  constructor(connection: Connection, desk: Desk, peer: Peer) {
    this.#connection = connection;
    this.peer = peer;
    this.routes = v1Routes(desk);
  }

  async newSession(place: SessionPlace, opened: Parameters<Driver["newSession"]>[1]): Promise<void> {
    checkPlace(this.peer, place);
    await this.#call("newSession", place, ({ sessionId, ...lists }) => opened(sessionId, lists));
  }

  planRestore(place: SessionPlace): { replays: boolean } {
    const { load, resume } = this.peer.capabilities;
    if (!load && !resume) throw new CapabilityError(`${this.peer.info.name} cannot restore sessions.`);
    checkPlace(this.peer, place);
    return { replays: load };
  }

  restoreSession(sessionId: string, place: SessionPlace, opened: Parameters<Driver["restoreSession"]>[2]) {
    const name = this.peer.capabilities.load ? "loadSession" : "resumeSession";
    return this.#call(name, { ...place, sessionId }, opened);
  }

  checkPrompt(content: readonly ContentBlock[]): void {
    checkContent(this.peer, content);
  }

  /** The answer is the end of the turn; until it comes the agent works. */
  prompt(session: LiveSession, turn: LiveTurn, prompt: readonly ContentBlock[]): void {
    const { promptId } = turn;
    // Before anybody is told: a listener may cancel, and that has to come after the prompt.
    const answered = this.#call("prompt", { sessionId: session.id, prompt }, ({ stopReason, usage }) => {
      if (turn.isOver) return;
      session.tell({ type: "turn_ended", promptId, stopReason, usage });
      turn.finish({ ...(stopReason && { stopReason }), confirmed: true });
    });
    session.tell({ type: "prompt_sent", promptId, content: prompt });
    session.tell({ type: "turn_started", promptId });
    answered.catch((failure: unknown) => {
      if (turn.isOver) return;
      const { event, end } = endOf(failure);
      session.tell({ type: "turn_ended", promptId, ...event });
      turn.finish(end);
    });
  }

  /** Version 1 says nothing when it takes a prompt: what follows shows that it did. */
  signOfLife(session: LiveSession, turn: LiveTurn): void {
    session.tell({ type: "prompt_accepted", promptId: turn.promptId });
    turn.accept();
  }

  cancel(sessionId: string): void {
    this.#connection.notify("session/cancel", { sessionId });
  }

  /** All of them (V1-CANCEL-03): there is no work beside the turn. */
  endsWithCancel(): boolean {
    return true;
  }

  setConfigOption(session: LiveSession, option: ConfigOption, value: string | boolean): Promise<void> {
    const { id: sessionId } = session;
    const { configId, setBy } = option;
    if (setBy === undefined) {
      return this.#call("setConfigOption", { sessionId, configId, value }, ({ configOptions }) =>
        session.tell({ type: "config_option_update", configOptions }),
      );
    }
    return this.#call(SETTERS[setBy], { sessionId, value: String(value) }, () =>
      session.tell({ type: "config_option_set", configId, value }),
    );
  }

  async closeSession(session: LiveSession): Promise<void> {
    const { id: sessionId, state } = session;
    if (!this.peer.capabilities.close) {
      if (state.activity.state !== "idle") this.cancel(sessionId);
      return;
    }
    try {
      await this.#connection.request("session/close", { sessionId }, resultOf("session/close"));
    } catch (error) {
      // A session that the agent does not know any more is closed (V1-SESS-37).
      if (!isRpcError(error, rpcErrorCode.resourceNotFound)) throw error;
    }
  }

  async login(methodId: string, signal?: AbortSignal): Promise<void> {
    const method = this.peer.authMethods.find((candidate) => candidate.methodId === methodId);
    if (method === undefined || method.type === "terminal") {
      throw new CapabilityError(`${this.peer.info.name} offers no login ${methodId} that it runs itself.`);
    }
    await this.#call("login", { methodId }, () => undefined, signal);
  }

  /** Asks; `received` runs at receipt of the answer. */
  async #call<K extends keyof Calls>(
    name: K,
    params: Calls[K]["params"],
    received: (result: Calls[K]["result"]) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    const shape = codec(name);
    await this.#connection.request<object>(shape.method, shape.encodeParams(params), {
      ...resultOf(shape.method),
      ...(signal && { signal }),
      received: (wire) => received(shape.decodeResult(wire)),
    });
  }
}

/** How version 1 sets what it does not call an option. */
const SETTERS = { "session/set_mode": "setMode", "session/set_model": "setModel" } as const;

/** The contract's results are read from `null` too where they may be empty (V1-RPC-08). */
function resultOf(method: string): Pick<RequestOptions<object>, "result"> {
  const { result } = v1.contract[method as "session/close"];
  return { result: result as RequestOptions<object>["result"] };
}

function codec<K extends keyof Calls>(name: K): CallCodec<Calls[K]> {
  return v1Codec.call(name) as CallCodec<Calls[K]>;
}
