import type {
  CallCodec,
  Calls,
  ClientCapabilities,
  McpServer,
  NamedValue,
  SessionLists,
  SessionWorkspace,
  SystemPrompt,
} from "../call.js";
import { type DialectName, type Lost, lostIn } from "./losses.js";
import { compact, isObject, list, meta, required, text, texts, type Wire } from "./read.js";
import { record } from "./shape.js";

/** Functions of one dialect for MCP servers, and for the lists of modes, options and commands. */
export type SessionParts = {
  readonly dialect: DialectName;
  /** `true` if an empty list of servers is sent too. */
  readonly requiresServers: boolean;
  encodeServer(server: McpServer, lost: Lost): readonly object[];
  decodeServer(wire: Wire): McpServer;
  encodeLists(lists: SessionLists, lost: Lost, peer: ClientCapabilities | undefined): object;
  /** Reads the lists in the answer to a request that opens a session. */
  decodeLists(wire: Wire): SessionLists;
};

/**
 * Returns the calls that open a session. `session/load` replays the conversation before its answer. `session/resume`
 * does not replay.
 */
/* @__NO_SIDE_EFFECTS__ */
export function sessionCalls({
  dialect,
  requiresServers,
  encodeServer,
  decodeServer,
  encodeLists,
  decodeLists,
}: SessionParts) {
  function encodeWorkspace(workspace: SessionWorkspace, lost: Lost): object {
    const { cwd, additionalDirectories, mcpServers = [], systemPrompt, _meta } = workspace;
    const servers = mcpServers.flatMap((server) => encodeServer(server, lost));
    return compact({
      cwd,
      additionalDirectories: additionalDirectories?.length ? additionalDirectories : undefined,
      mcpServers: requiresServers || servers.length > 0 ? servers : undefined,
      systemPrompt: systemPrompt ?? undefined,
      _meta,
    });
  }

  function decodePlace({ cwd, additionalDirectories, mcpServers, systemPrompt, _meta }: Wire): SessionWorkspace {
    return compact({
      cwd: required(cwd),
      additionalDirectories: texts(additionalDirectories),
      mcpServers: Array.isArray(mcpServers) ? mcpServers.filter(isObject).map(decodeServer) : undefined,
      // The schema has already refused a system prompt that cannot be read.
      systemPrompt: (systemPrompt as SystemPrompt | null | undefined) ?? undefined,
      _meta: meta(_meta),
    });
  }

  const newSession: CallCodec<Calls["newSession"]> = {
    method: "session/new",
    encodeParams: (workspace, onLoss) => encodeWorkspace(workspace, lostIn(dialect, "newSession", onLoss)),
    decodeParams: (wire) => decodePlace(wire as Wire),
    encodeResult: ({ sessionId, ...lists }, peer, onLoss) => ({
      sessionId,
      ...encodeLists(lists, lostIn(dialect, "newSession", onLoss), peer),
    }),
    decodeResult: (wire) => ({ sessionId: required((wire as Wire).sessionId), ...decodeLists(wire as Wire) }),
  };

  const restore = (method: string, name: "loadSession" | "resumeSession"): CallCodec<Calls["resumeSession"]> => ({
    method,
    encodeParams: ({ sessionId, replayFrom, ...workspace }, onLoss) => {
      const lost = lostIn(dialect, name, onLoss);
      if (replayFrom != null) lost("replay-from", replayFrom.type);
      return { sessionId, ...encodeWorkspace(workspace, lost) };
    },
    decodeParams: (wire) => ({ ...decodePlace(wire as Wire), sessionId: required((wire as Wire).sessionId) }),
    encodeResult: (lists, peer, onLoss) => encodeLists(lists, lostIn(dialect, name, onLoss), peer),
    // Older programs answer with `null` (V1-SESS-24).
    decodeResult: (wire) => decodeLists((wire ?? {}) as Wire),
  });

  return {
    newSession,
    loadSession: restore("session/load", "loadSession"),
    resumeSession: restore("session/resume", "resumeSession"),
  };
}

const namedValue = /* @__PURE__ */ record<NamedValue>({ required: { name: text, value: text } });

/** Reads environment variables or headers. Items without a name or a value are left out. */
export const namedValues = (value: unknown): readonly NamedValue[] => list(value, namedValue);
