import type { CallCodec, Calls, McpServer, SessionLists, SessionPlace } from "../../call.js";
import type { UnknownTag } from "../../content.js";
import { decodePlace, namedValues } from "../calls.js";
import { type Lost, lostIn } from "../losses.js";
import { compact, isObject, list, meta, required, texts, type Wire } from "../read.js";
import { configOption, readCommand } from "./decode.js";
import { encodeCommands, encodeOptions } from "./encode.js";

/** `session/new` of version 2. */
export const newSession: CallCodec<Calls["newSession"]> = {
  method: "session/new",
  encodeParams: (place, onLoss) => encodePlace(place, lostIn("v2", "newSession", onLoss)),
  decodeParams: (wire) => decodePlace(wire as Wire, decodeServer),
  encodeResult: ({ sessionId, ...lists }) => ({ sessionId, ...encodeLists(lists) }),
  decodeResult: (wire) => ({ sessionId: required((wire as Wire).sessionId), ...decodeLists(wire) }),
};

/** `session/resume` of version 2. A replay precedes its answer. */
export const resumeSession: CallCodec<Calls["resumeSession"]> = {
  method: "session/resume",
  encodeParams: ({ sessionId, replayFrom, ...place }, onLoss) =>
    compact({
      sessionId,
      ...encodePlace(place, lostIn("v2", "resumeSession", onLoss)),
      replayFrom: replayFrom ?? undefined,
    }),
  decodeParams: (wire) => {
    const { sessionId, replayFrom } = wire as Wire;
    const place = decodePlace(wire as Wire, decodeServer);
    return compact({ ...place, sessionId: required(sessionId), replayFrom: readReplayFrom(replayFrom) });
  },
  encodeResult: encodeLists,
  decodeResult: decodeLists,
};

/** Call that version 1 has as `session/load`: it resumes with a replay from the start. */
// V2-SES-08
export const loadSession: CallCodec<Calls["loadSession"]> = {
  method: "session/resume",
  encodeParams: (params, onLoss) => resumeSession.encodeParams({ ...params, replayFrom: { type: "start" } }, onLoss),
  decodeParams: (wire) => {
    const { sessionId } = wire as Wire;
    return { ...decodePlace(wire as Wire, decodeServer), sessionId: required(sessionId) };
  },
  encodeResult: encodeLists,
  decodeResult: decodeLists,
};

/** Writes the place of a session. */
export function encodePlace(
  { cwd, additionalDirectories, mcpServers, _meta }: SessionPlace,
  lost: Lost,
): { readonly mcpServers?: readonly object[] } {
  const servers = mcpServers?.flatMap((server) => encodeServer(server, lost));
  return compact({
    cwd,
    additionalDirectories: additionalDirectories?.length ? additionalDirectories : undefined,
    mcpServers: servers?.length ? servers : undefined,
    _meta,
  });
}

/** Writes one server of tools. Version 2 has none over SSE, which a client checks before it sends. */
// V2-MCP-02
function encodeServer(server: McpServer, lost: Lost): readonly object[] {
  if (server.type !== "sse") return [server];
  lost("mcp-server", server.name);
  return [];
}

/** Reads one server of tools. A server without a type is one over stdio, as in older drafts. */
function decodeServer(wire: Wire): McpServer {
  const named = wire as Wire & { readonly name: string };
  if (wire.type === "http" && typeof wire.url === "string") {
    return compact({
      ...named,
      type: wire.type,
      url: wire.url,
      headers: wire.headers == null ? undefined : namedValues(wire.headers),
    });
  }
  const stdio = wire.type === undefined || wire.type === "stdio";
  if (!stdio || typeof wire.command !== "string") return wire as unknown as McpServer;
  const args = wire.args == null ? undefined : (texts(wire.args) ?? []);
  const env = wire.env == null ? undefined : namedValues(wire.env);
  const { args: _, env: __, ...others } = named;
  return compact({ ...others, type: "stdio", command: wire.command, args, env });
}

/** Reads the lists in the answer that opens a session. Older writers answer `null`. */
function decodeLists(wire: object): SessionLists {
  const { configOptions, availableCommands, _meta } = (wire ?? {}) as Wire;
  return compact({
    configOptions: Array.isArray(configOptions) ? list(configOptions, configOption) : undefined,
    availableCommands: Array.isArray(availableCommands) ? list(availableCommands, readCommand) : undefined,
    _meta: meta(_meta),
  });
}

/** Reads a cursor. An unknown cursor stays unknown, because an agent has to refuse it. */
// V2-SES-09
function readReplayFrom(value: unknown): Calls["resumeSession"]["params"]["replayFrom"] {
  if (value == null) return undefined;
  if (isObject(value) && typeof value.type === "string") return value as { readonly type: "start" };
  return { type: "" as UnknownTag };
}

function encodeLists({ configOptions, availableCommands, _meta }: SessionLists): object {
  return compact({
    configOptions: configOptions == null ? undefined : encodeOptions(configOptions),
    availableCommands: availableCommands == null ? undefined : encodeCommands(availableCommands),
    _meta,
  });
}
