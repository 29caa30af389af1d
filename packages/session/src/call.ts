import type { StopReason, TokenUsage } from "./activity.js";
import type { DialectName, OnLoss } from "./codec/losses.js";
import type { ContentBlock, Meta, UnknownTag } from "./content.js";
import type { ElicitationAnswer, ElicitationQuestion, ElicitationScope } from "./elicitation.js";
import type { PermissionOutcome, PermissionQuestion } from "./permission.js";
import type { AvailableCommand, ConfigOption } from "./settings.js";

/**
 * Name and version of a program that speaks the protocol. User interfaces show `title`, or `name` if there is no title.
 */
export type Implementation = {
  readonly name: string;
  readonly version: string;
  readonly title?: string | null;
  readonly _meta?: Meta | null;
};

/** Capabilities of a client. */
export type ClientCapabilities = {
  /** Version 1 only: support for `fs/read_text_file` and `fs/write_text_file`. */
  readonly files: { readonly read: boolean; readonly write: boolean };
  /** Version 1 only: support for `terminal/*`. */
  readonly terminals: boolean;
  readonly terminalLogin: boolean;
  readonly elicitation: { readonly form: boolean; readonly url: boolean };
  /** Optional in version 1. Every client of version 2 supports notices and the two features below. */
  readonly notices: boolean;
  readonly compaction: boolean;
  readonly booleanOptions: boolean;
  /** Child sessions, and messages between sessions. */
  readonly subagents: boolean;
  /** Plans with ids, and plans in Markdown. */
  readonly plans: boolean;
  readonly _meta?: Meta | null;
};

/** Capabilities of an agent. */
export type AgentCapabilities = {
  /** Support for `session/load`, which restores a session and replays its conversation. */
  readonly load: boolean;
  /** Support for `session/resume`, which restores a session without a replay. */
  readonly resume: boolean;
  readonly list: boolean;
  readonly close: boolean;
  readonly delete: boolean;
  readonly additionalDirectories: boolean;
  /** Support for `systemPrompt` of a session's workspace. `override`: a system prompt may replace the agent's own. */
  readonly systemPrompt?: { readonly override: boolean };
  readonly logout: boolean;
  readonly prompt: { readonly image: boolean; readonly audio: boolean; readonly embeddedContext: boolean };
  readonly mcp: { readonly stdio: boolean; readonly http: boolean; readonly sse: boolean };
  /** `false` if the agent has no sessions at all. Only version 2 can express this. */
  readonly sessions?: boolean;
  readonly _meta?: Meta | null;
};

/** Name with a value, for an environment variable or an HTTP header. */
export type NamedValue = { readonly name: string; readonly value: string; readonly _meta?: Meta | null };

/**
 * Method to log in:
 * - `agent`: the agent performs the login after a request
 * - `terminal`: the client runs the agent's login program
 */
export type AuthMethod = {
  readonly methodId: string;
  readonly name: string;
  readonly description?: string | null;
  readonly _meta?: Meta | null;
} & (
  | { readonly type: "agent" }
  | { readonly type: "terminal"; readonly args: readonly string[]; readonly env: readonly NamedValue[] }
  | { readonly type: UnknownTag }
);

/** MCP server that the agent has to connect to. `sse` exists in version 1 only. */
export type McpServer = { readonly name: string; readonly _meta?: Meta | null } & (
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: readonly NamedValue[];
    }
  | { readonly type: "http" | "sse"; readonly url: string; readonly headers?: readonly NamedValue[] }
  | { readonly type: UnknownTag }
);

/**
 * Instructions of the client for a whole session. The mode `append` adds them to the agent's own system prompt, and
 * `override` replaces the agent's own. All blocks are text, and there is at least one.
 */
export type SystemPrompt = {
  readonly mode: "append" | "override" | UnknownTag;
  readonly content: readonly ContentBlock[];
  readonly _meta?: Meta | null;
};

/** Directories, MCP servers and system prompt of a session. */
export type SessionWorkspace = {
  /** Absolute path of the working directory. */
  readonly cwd: string;
  /** Absolute paths of further roots. */
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers?: readonly McpServer[];
  /** Instructions for the whole session. Send them again with each restore. */
  readonly systemPrompt?: SystemPrompt | null;
  readonly _meta?: Meta | null;
};

/** Lists in the answer to a request that opens a session. */
export type SessionLists = {
  readonly configOptions?: readonly ConfigOption[] | null;
  readonly availableCommands?: readonly AvailableCommand[] | null;
  readonly _meta?: Meta | null;
};

/** Start of a replay. An agent refuses an unknown type. */
// V2-SES-09
export type ReplayFrom = { readonly type: "start"; readonly _meta?: Meta | null } | { readonly type: UnknownTag };

/** Description of a session in the answer to `session/list`. */
export type SessionInfo = {
  readonly sessionId: string;
  readonly cwd: string;
  /** Complete list of further roots. If it is absent, the agent reports none. */
  readonly additionalDirectories?: readonly string[];
  readonly title?: string | null;
  /** Time of the last change, in the form of RFC 3339. */
  readonly updatedAt?: string | null;
  readonly _meta?: Meta | null;
};

/**
 * Query for sessions. With `cwd`, the result contains only sessions with exactly this directory. A cursor has a meaning
 * only for the agent that sent it.
 */
export type ListSessions = {
  readonly cwd?: string | null;
  readonly cursor?: string | null;
  readonly _meta?: Meta | null;
};

/** Page of sessions, with the cursor of the next page if there is one. */
export type SessionPage = {
  readonly sessions: readonly SessionInfo[];
  /** Absent or `null` on the last page. An empty string is a valid cursor. */
  readonly nextCursor?: string | null;
  readonly _meta?: Meta | null;
};

type OfSession = { readonly sessionId: string; readonly _meta?: Meta | null };
type Nothing = { readonly params: OfSession; readonly result: object };

/** Params and results of all calls in one form for all versions. */
export type Calls = {
  readonly initialize: {
    readonly params: {
      readonly protocolVersion: number;
      readonly info: Implementation;
      readonly capabilities: ClientCapabilities;
      /** Dialect of the client, as the form of its params shows. This member exists only in decoded params. */
      readonly dialect?: DialectName;
      /** `true` leaves out the members that only a version 1 agent reads. For version 2 only. */
      // V2-INIT-18
      readonly plain?: boolean;
      readonly _meta?: Meta | null;
    };
    readonly result: {
      readonly protocolVersion: number;
      readonly info: Implementation;
      readonly capabilities: AgentCapabilities;
      readonly authMethods: readonly AuthMethod[];
      /** Dialect of the agent, as the form of its result shows. This member exists only in a decoded result. */
      readonly dialect?: DialectName;
      readonly _meta?: Meta | null;
    };
  };
  readonly login: { readonly params: { readonly methodId: string }; readonly result: object };
  readonly logout: { readonly params: { readonly _meta?: Meta | null }; readonly result: object };
  readonly newSession: {
    readonly params: SessionWorkspace;
    readonly result: SessionLists & { readonly sessionId: string };
  };
  /** Restores a session and replays its conversation. */
  readonly loadSession: {
    readonly params: SessionWorkspace & { readonly sessionId: string };
    readonly result: SessionLists;
  };
  /** Restores a session without a replay. In version 2, the client may request a replay. */
  readonly resumeSession: {
    readonly params: SessionWorkspace & { readonly sessionId: string; readonly replayFrom?: ReplayFrom | null };
    readonly result: SessionLists;
  };
  readonly listSessions: { readonly params: ListSessions; readonly result: SessionPage };
  readonly closeSession: Nothing;
  readonly deleteSession: Nothing;
  readonly prompt: {
    readonly params: {
      readonly sessionId: string;
      readonly prompt: readonly ContentBlock[];
      /** Key that is the same for each attempt to send this prompt. Version 2 only. */
      // P-IDEM-01
      readonly idempotencyKey?: string;
      readonly _meta?: Meta | null;
    };
    /**
     * Answer to a prompt:
     * - version 1 and seed: the stop reason, because the turn has ended
     * - version 2: the id of the message that the prompt became
     * - drafts between seed and version 2: no members
     */
    // V2-SEED-02
    readonly result: {
      readonly stopReason?: StopReason;
      readonly messageId?: string;
      readonly usage?: TokenUsage | null;
      readonly _meta?: Meta | null;
    };
  };
  readonly setConfigOption: {
    readonly params: {
      readonly sessionId: string;
      readonly configId: string;
      readonly value: string | boolean;
      /** Type of a value that the protocol version does not define. An agent refuses such a value. */
      // V2-CFG-04
      readonly type?: UnknownTag;
    };
    readonly result: { readonly configOptions: readonly ConfigOption[] };
  };
  /** Sets the mode. Version 1 only. */
  readonly setMode: {
    readonly params: { readonly sessionId: string; readonly value: string };
    readonly result: object;
  };
  /** Sets the model. Only in version 1 of the year 2025. */
  readonly setModel: {
    readonly params: { readonly sessionId: string; readonly value: string };
    readonly result: object;
  };
  readonly askPermission: {
    readonly params: PermissionQuestion & { readonly sessionId: string };
    readonly result: { readonly outcome: PermissionOutcome };
  };
  readonly elicit: {
    readonly params: ElicitationQuestion & { readonly scope: ElicitationScope };
    readonly result: ElicitationAnswer;
  };
  /** Notification that the task of a URL elicitation is done. */
  readonly completeElicitation: {
    readonly params: { readonly elicitationId: string; readonly _meta?: Meta | null };
    readonly result: object;
  };
  /**
   * Cancels a tool call. Version 2 only. The answer `{}` means that the agent has accepted the cancel. The call may
   * still be running.
   */
  readonly cancelToolCall: {
    readonly params: OfSession & { readonly toolCallId: string };
    readonly result: object;
  };
  /** Cancels a terminal. Version 2 only; the answer has the same meaning as for `cancelToolCall`. */
  readonly cancelTerminal: {
    readonly params: OfSession & { readonly terminalId: string };
    readonly result: object;
  };
};

/**
 * Encoders and decoders of a call in one dialect. The `decode…` functions expect values that the dialect's schema has
 * accepted, and never throw. Losses are reported to `onLoss`.
 */
export type CallCodec<C extends { readonly params: unknown; readonly result: unknown }> = {
  readonly method: string;
  encodeParams(params: C["params"], onLoss?: OnLoss): object;
  decodeParams(wire: object): C["params"];
  /**
   * Encodes a result for a client with the capabilities `peer`. If the client cannot read a part, the part gets a form
   * that every client can read.
   */
  encodeResult(result: C["result"], peer?: ClientCapabilities, onLoss?: OnLoss): object;
  decodeResult(wire: object): C["result"];
};

type Call = { readonly params: unknown; readonly result: unknown };

/** Functions of a call for the side that sends the request. */
export type Asking<C extends Call> = Pick<CallCodec<C>, "method" | "encodeParams" | "decodeResult">;

/** Functions of a call for the side that sends the answer. */
export type Answering<C extends Call> = Pick<CallCodec<C>, "method" | "decodeParams" | "encodeResult">;
