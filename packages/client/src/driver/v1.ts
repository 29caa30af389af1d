import * as v1 from "@turnkit/schema/v1";
import type { CallCodec, Calls, ContentBlock, SessionPlace } from "@turnkit/session";
import { v1Codec } from "@turnkit/session";
import {
  AcpError,
  CapabilityError,
  type Connection,
  checkIncoming,
  createRoutes,
  type InboundCall,
  InvalidMessageError,
  isRpcError,
  type RequestOptions,
  rpcErrorCode,
  toRpcError,
} from "@turnkit/transport";
import { fileRoutes } from "../host/file-routes.js";
import { TerminalRegistry } from "../host/terminal-registry.js";
import type { LiveSession } from "../session.js";
import type { LiveTurn } from "../turn.js";
import type { Desk, Dialogue, Driver, Peer } from "./driver.js";

/** Version 1 of the protocol, as a client speaks it. */
export const v1Dialogue: Dialogue = {
  version: 1,
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
    const routes = createRoutes(v1.contract, "client", handlers(desk));
    this.routes = (method) => routes(method) ?? desk.extension(method);
  }

  async newSession(place: SessionPlace, opened: Parameters<Driver["newSession"]>[1]): Promise<void> {
    await this.#call("newSession", this.#checkPlace(place), v1.newSessionResponse, ({ sessionId, ...lists }) =>
      opened(sessionId, lists),
    );
  }

  async restoreSession(sessionId: string, place: SessionPlace, opened: Parameters<Driver["restoreSession"]>[2]) {
    const { load, resume } = this.peer.capabilities;
    if (!load && !resume) throw new CapabilityError(`${this.peer.info.name} cannot restore sessions.`);
    const name = load ? "loadSession" : "resumeSession";
    const result = load ? v1.loadSessionResponse : v1.resumeSessionResponse;
    await this.#call(name, { ...this.#checkPlace(place), sessionId }, result, opened);
    return { replayed: load };
  }

  checkPrompt(content: readonly ContentBlock[]): void {
    const { image, audio, embeddedContext } = this.peer.capabilities.prompt;
    const gates: Record<string, boolean> = { text: true, resource_link: true, image, audio, resource: embeddedContext };
    const refused = content.find(({ type }) => gates[type] !== true);
    if (refused !== undefined) {
      throw new CapabilityError(`${this.peer.info.name} takes no ${refused.type} blocks in prompts.`);
    }
  }

  /** The answer is the end of the turn; until it comes the agent works. */
  prompt(session: LiveSession, turn: LiveTurn, prompt: readonly ContentBlock[]): void {
    const { promptId } = turn;
    session.tell({ type: "turn_started", promptId });
    this.#call("prompt", { sessionId: session.id, prompt }, v1.promptResponse, ({ stopReason, usage }) => {
      session.tell({ type: "turn_ended", promptId, stopReason, usage });
      turn.finish({ ...(stopReason && { stopReason }), confirmed: true });
    }).catch((failure: unknown) => {
      const { code, message, data } = isRpcError(failure) ? failure : toRpcError(failure);
      const error = { code, message, ...(data !== undefined && { data }) };
      session.tell({ type: "turn_ended", promptId, stopReason: "error", error });
      turn.finish(isRpcError(failure) ? { stopReason: "error", error, confirmed: true } : { failure });
    });
  }

  /** Version 1 says nothing when it takes a prompt: what follows shows that it did. */
  signOfLife(turn: LiveTurn): void {
    turn.accept();
  }

  cancel(sessionId: string): void {
    this.#connection.notify("session/cancel", { sessionId });
  }

  async setConfigOption(session: LiveSession, configId: string, value: string | boolean): Promise<void> {
    const option = session.state.configOptions?.find((candidate) => candidate.configId === configId);
    if (option === undefined) throw new AcpError("state", `Session ${session.id} has no option ${configId}.`);
    const sessionId = session.id;
    if (option.setBy === undefined) {
      await this.#call("setConfigOption", { sessionId, configId, value }, v1.setSessionConfigOptionResponse, (result) =>
        session.tell({ type: "config_option_update", configOptions: result.configOptions }),
      );
      return;
    }
    const [name, schema] =
      option.setBy === "session/set_mode"
        ? (["setMode", v1.setSessionModeResponse] as const)
        : (["setModel", v1.setSessionModelResponse] as const);
    await this.#call(name, { sessionId, value: String(value) }, schema, () =>
      session.tell({ type: "config_option_set", configId, value }),
    );
  }

  /** A session that the agent does not know any more is closed (V1-SESS-37). */
  async closeSession(sessionId: string): Promise<void> {
    if (!this.peer.capabilities.close) return;
    try {
      await this.#connection.request("session/close", { sessionId }, { result: v1.closeSessionResponse });
    } catch (error) {
      if (!isRpcError(error, rpcErrorCode.resourceNotFound)) throw error;
    }
  }

  async login(methodId: string, signal?: AbortSignal): Promise<void> {
    const method = this.peer.authMethods.find((candidate) => candidate.methodId === methodId);
    if (method === undefined || method.type === "terminal") {
      throw new CapabilityError(`${this.peer.info.name} offers no login ${methodId} that it runs itself.`);
    }
    await this.#call("login", { methodId }, v1.authenticateResponse, () => undefined, signal);
  }

  #checkPlace(place: SessionPlace): SessionPlace {
    const { capabilities, info } = this.peer;
    if ((place.additionalDirectories?.length ?? 0) > 0 && !capabilities.additionalDirectories) {
      throw new CapabilityError(`${info.name} takes no additional directories.`);
    }
    const refused = place.mcpServers?.find(({ type }) => type !== "stdio" && !mcpTypes(this.peer).includes(type));
    if (refused !== undefined) throw new CapabilityError(`${info.name} takes no MCP servers over ${refused.type}.`);
    return place;
  }

  async #call<K extends keyof Calls>(
    name: K,
    params: Calls[K]["params"],
    schema: RequestOptions<object>["result"],
    received: (result: Calls[K]["result"]) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    const shape = codec(name);
    await this.#connection.request<object>(shape.method, shape.encodeParams(params), {
      ...(schema && { result: schema }),
      ...(signal && { signal }),
      received: (wire) => received(shape.decodeResult(wire)),
    });
  }
}

function handlers(desk: Desk) {
  const terminals = desk.terminals === undefined ? undefined : new TerminalRegistry(desk.terminals, desk);
  const permission = codec("askPermission");
  return {
    "session/update": ({ sessionId, update }: v1.SessionNotification, call: InboundCall) =>
      desk.update(sessionId, v1Codec.decode(update), call.bytes),
    "session/request_permission": async (params: v1.RequestPermissionRequest, call: InboundCall) => {
      const { sessionId, ...question } = permission.decodeParams(params);
      return permission.encodeResult({ outcome: await desk.ask(sessionId, question, call) });
    },
    ...fileRoutes(desk),
    ...terminals?.routes(),
  };
}

function codec<K extends keyof Calls>(name: K): CallCodec<Calls[K]> {
  return v1Codec.call(name) as CallCodec<Calls[K]>;
}

function mcpTypes({ capabilities }: Peer): string[] {
  return [...(capabilities.mcp.http ? ["http"] : []), ...(capabilities.mcp.sse ? ["sse"] : [])];
}
