import type {
  AgentCapabilities,
  BackgroundWork,
  ContentBlock,
  DialectName,
  ElicitationAnswer,
  PermissionOutcome,
  PermissionQuestion,
  SessionEvent,
  SessionState,
  WireEvent,
} from "@turnkit/session";
import {
  type AgentCodec,
  type AskedCalls,
  type Calls,
  type Encoder,
  type Loss,
  type CallHandlers as SessionCallHandlers,
  wireHandlers,
} from "@turnkit/session/codec";
import {
  type Connection,
  type Contract,
  createRoutes,
  type InboundCall,
  type RequestOptions,
  type Room,
  type Route,
} from "@turnkit/transport";
import type { Lifetime } from "../cancellation.js";
import type { ClientInfo } from "../client-info.js";
import type { ClientFiles } from "../client-tools/files.js";
import type { ClientTerminals } from "../client-tools/terminals.js";
import type { TurnEnd } from "../turn-end.js";
import { askWithStandIn } from "./stand-in.js";

/** Prompt that was received. The rules of the dialect decide when the client gets the answer. */
export interface PromptReceipt {
  /**
   * Settles when the user's message joins the conversation, with the id of that message. Settles with `undefined` if the
   * message never joins.
   */
  readonly inserted: Promise<string | undefined>;
  /** Settles at the end of the turn. If the dialect has an update for the end, the update is sent before. */
  readonly ended: Promise<TurnEnd>;
  /** Cancels the turn, even if it has not begun. */
  cancel(): void;
  /** Cancels the prompt if its message has not joined the conversation. */
  withdraw(): void;
  /** Allows the start of the handler. The handler starts when the message has joined the conversation. */
  proceed(): void;
  /** Lets the next prompt of the session start. Call it when the client has the end of this prompt. */
  release(): void;
}

/** Handlers of a client's calls. Params and results have the neutral form. */
export type CallHandlers = SessionCallHandlers<InboundCall>;

/** Calls that {@link Service.calls} does not answer: calls with their own rules in each dialect, and calls of agents. */
type CallsOfDialects = "initialize" | "prompt" | "askPermission" | "elicit" | "completeElicitation";

/**
 * Part of the runtime that answers one client. Handlers are called at the receipt of a message, in the order of the wire.
 * Their promises settle with the answer, or reject with the error that the client gets.
 */
export interface Service {
  readonly capabilities: AgentCapabilities;
  /** Handlers of the calls that all dialects answer alike. A handler is called only in dialects that have the call. */
  readonly calls: Required<Omit<CallHandlers, CallsOfDialects>>;
  /** @throws RpcError for a prompt that is refused immediately */
  prompt(params: Calls["prompt"]["params"], call: InboundCall): PromptReceipt;
  cancel(sessionId: string): void;
  /** Returns the route of an extension method, or `undefined` if the agent has no such extension. */
  extension(method: string, client: ClientInfo): Route | undefined;
}

/** Members of a session that drivers use. */
export type DriverSession = {
  readonly id: string;
  /** Background work, if the agent reports any. */
  readonly background: readonly BackgroundWork[] | undefined;
  readonly output: {
    readonly state: SessionState;
    /** Stores, applies and sends an event. The caller must not change the event afterwards. */
    say(event: WireEvent): Room;
    /** Applies an event without sending it. The log stores the event first, if a restore needs it. */
    record(event: SessionEvent): void;
    /** Sends an event that is neither stored nor applied. */
    sendOnly(event: WireEvent): Room;
  };
};

/** Rules of a dialect for reports about turns, and for the client's tools. */
export interface DialectRules {
  /** Reports that the user's message joined the conversation and the turn begins. */
  begin(
    session: DriverSession,
    inserted: {
      readonly messageId: string;
      readonly prompt: readonly ContentBlock[];
      /** Key to store with the message. Only dialects with keys use it. */
      readonly promptKey?: SessionEvent["promptKey"] | undefined;
    },
  ): void;
  /** Reports the end of a turn. No update of the turn follows. */
  end(session: DriverSession, messageId: string, end: TurnEnd): void;
  /** Reports that the running turn waits for the user, or that it continues. */
  waiting?(session: DriverSession, forUser: boolean): void;
  /** Reports a new list of background work. */
  backgroundChanged(session: DriverSession): void;
  /**
   * Session whose updates report the activity of a child session: the child session itself (`own`), or its `parent`.
   * Absent if the client does not support child sessions.
   */
  readonly childStates?: "own" | "parent";
  /** Reports that the whole history was replayed. */
  replayed?(session: Pick<DriverSession, "output">): void;
  /** Reports the state of a restored session. Called after the replay and before the answer. */
  restored?(session: DriverSession): void;
  /** Returns the client's files for the time of `lifetime`. Absent if the client has no files. */
  files?(sessionId: string, lifetime: Lifetime): ClientFiles;
  /** Returns the client's terminals like {@link files}. The end of `lifetime` releases the terminals that were created. */
  terminals?(sessionId: string, lifetime: Lifetime): ClientTerminals;
}

/** Dialect of one client, with the client's capabilities. */
export interface Driver extends DialectRules {
  readonly dialect: Dialect;
  readonly client: ClientInfo;
  /**
   * Capabilities of the agent, without those that do not exist in the dialect. Requests for sessions and prompts are
   * checked against these capabilities.
   */
  readonly offers: AgentCapabilities;
  readonly routes: (method: string) => Route | undefined;
  /** Ids of the open elicitations with a URL, of all sessions of the connection. */
  readonly urlRequests: Set<string>;
  createEncoder(onLoss: (loss: Loss) => void): Encoder;
  askPermission(sessionId: string, question: PermissionQuestion, signal: AbortSignal): Promise<PermissionOutcome>;
  /** Asks a person. Called only for modes that the client offers. */
  elicit(question: Calls["elicit"]["params"], signal: AbortSignal): Promise<ElicitationAnswer>;
  /** Reports that the work at a URL is done. Called only for clients that offer URLs. */
  completeElicitation(elicitationId: string): void;
}

/** Parts of a driver. */
export type DriverParts = {
  readonly connection: Connection;
  readonly service: Service;
  readonly client: ClientInfo;
  onLoss(loss: Loss, sessionId?: string): void;
};

/** One dialect of the protocol: its messages, its `initialize` and its rules. */
export interface Dialect {
  readonly dialect: DialectName;
  readonly version: number;
  /** Month of the dialect's specification. If two dialects of one version fit, the later one is used. */
  readonly since: `${number}-${number}`;
  readonly codec: AgentCodec;
  readonly contract: Contract;
  /**
   * True if the contract has the dialect's schemas for answers to questions. Without such schemas, answers are not checked.
   */
  readonly checksAnswers: boolean;
  /** True if the dialect allows requests with the id `null`, as older dialects do. */
  readonly nullIds: boolean;
  /** True if the answer that opens a session contains its commands. Otherwise an update follows the answer. */
  readonly commandsInAnswers: boolean;
  /** True if the encoder repeats the whole content of a tool call with each addition. */
  readonly repeatsContents: boolean;
  /**
   * True if the agent sends the message of a prompt back to the client that sent it. Otherwise the client shows its own
   * message.
   */
  readonly echoesPrompts: boolean;
  /** True if the dialect allows MCP servers over SSE. */
  readonly hasSse: boolean;
  /**
   * Returns true if these params of `initialize` come from a client of this dialect, and not of another dialect of the
   * same version.
   */
  fits(params: object): boolean;
  /**
   * Reads the params of `initialize`.
   *
   * @param asked true if the client asked for this version; otherwise, invalid members count as absent
   * @throws RpcError `-32602` for params that are not valid
   */
  readHello(params: object, asked: boolean): Calls["initialize"]["params"];
  /**
   * Returns true if the client may send `initialize` again. `history` describes the client's calls since the last
   * `initialize`.
   */
  mayRepeat(history: { readonly requested: boolean; readonly hasSessions: boolean }): boolean;
  /** Returns the calls that an agent answers in this dialect. */
  calls(service: Service): CallHandlers;
  rules(parts: DriverParts): DialectRules;
}

/** Creates the driver of a client that uses this dialect. */
export function createDriver(dialect: Dialect, parts: DriverParts): Driver {
  const { connection, service, client, onLoss } = parts;
  const { codec, contract } = dialect;
  const { askPermission, elicit }: AskedCalls & AgentCodec["ask"] = codec.ask;
  const { capabilities } = service;
  const { capabilities: peer } = client;
  const ask = (method: string, params: object, signal: AbortSignal): Promise<object> => {
    const schema = dialect.checksAnswers && contract[method]?.result;
    const result = schema && { result: schema as NonNullable<RequestOptions<object>["result"]> };
    return connection.request<object>(method, params, { signal, onAbort: "abandon", ...result });
  };
  return {
    ...dialect.rules(parts),
    dialect,
    client,
    offers: { ...capabilities, mcp: { ...capabilities.mcp, sse: capabilities.mcp.sse && dialect.hasSse } },
    routes: createRoutes(contract, "agent", {
      ...wireHandlers(codec, dialect.calls(service), { peer, onLoss }),
      "session/cancel": ({ sessionId }: { readonly sessionId: string }) => service.cancel(sessionId),
    }),
    urlRequests: new Set(),
    createEncoder: (lost) => codec.createEncoder(peer, lost),
    async askPermission(sessionId, question, signal) {
      const params = askPermission.encodeParams({ ...question, sessionId }, (loss) => onLoss(loss, sessionId));
      return askWithStandIn(
        { connection, sessionId, question, signal },
        params,
        async (asked) => askPermission.decodeResult(await ask(askPermission.method, asked, signal)).outcome,
      );
    },
    async elicit(question, signal) {
      if (elicit === undefined) return { action: "cancel" };
      return elicit.decodeResult(await ask(elicit.method, elicit.encodeParams(question), signal));
    },
    completeElicitation: (elicitationId) => void connection.notify("elicitation/complete", { elicitationId }),
  };
}
