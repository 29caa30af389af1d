import type { CallCodec, Calls, McpServer, NamedValue, SessionLists, SessionPlace } from "../../call.js";
import { encodeList, encodeModes } from "./encode-settings.js";
import { compact, isObject, list, meta, type Wire } from "./read.js";
import { configOption, optionsOf } from "./settings.js";

const nothing = (): void => {};
/** A client of which nothing is known. */
const plain = { booleanOptions: false };

type Peer = { readonly booleanOptions: boolean };

/** `session/new` of version 1. */
export const newSession: CallCodec<Calls["newSession"]> = {
  method: "session/new",
  encodeParams: encodePlace,
  decodeParams: (wire) => decodePlace(wire as Wire),
  encodeResult: ({ sessionId, ...lists }, peer) => ({ sessionId, ...encodeLists(lists, peer) }),
  decodeResult: (wire) => ({ sessionId: String((wire as Wire).sessionId), ...decodeLists(wire as Wire) }),
};

const restoring = (method: string): CallCodec<Calls["loadSession"]> => ({
  method,
  encodeParams: ({ sessionId, ...place }) => ({ sessionId, ...encodePlace(place) }),
  decodeParams: (wire) => ({ ...decodePlace(wire as Wire), sessionId: String((wire as Wire).sessionId) }),
  encodeResult: encodeLists,
  // Older writers answer `null` (V1-SESS-24).
  decodeResult: (wire) => decodeLists((wire ?? {}) as Wire),
});

/** `session/load` of version 1: the replay comes before its answer. */
export const loadSession: CallCodec<Calls["loadSession"]> = /* @__PURE__ */ restoring("session/load");

/** `session/resume` of version 1: there is no replay. */
export const resumeSession: CallCodec<Calls["resumeSession"]> = /* @__PURE__ */ restoring("session/resume");

function encodePlace({ cwd, additionalDirectories, mcpServers = [], _meta }: SessionPlace): object {
  return compact({
    cwd,
    additionalDirectories: additionalDirectories?.length ? additionalDirectories : undefined,
    mcpServers: mcpServers.map(encodeServer),
    _meta,
  });
}

function decodePlace(wire: Wire): SessionPlace {
  const directories = wire.additionalDirectories;
  return compact({
    cwd: String(wire.cwd),
    additionalDirectories: Array.isArray(directories)
      ? directories.filter((one) => typeof one === "string")
      : undefined,
    mcpServers: Array.isArray(wire.mcpServers) ? wire.mcpServers.filter(isObject).map(decodeServer) : undefined,
    _meta: meta(wire._meta),
  });
}

/** A server over stdio has no type here (V1-SESS-14), and every list is written. */
function encodeServer(server: McpServer): object {
  if (server.type === "stdio") {
    const { type: _, args = [], env = [], ...others } = server;
    return { ...others, args, env };
  }
  if (server.type !== "http" && server.type !== "sse") return server;
  return { ...server, headers: server.headers ?? [] };
}

function decodeServer(wire: Wire): McpServer {
  const named = wire as Wire & { readonly name: string };
  if (typeof wire.url === "string" && (wire.type === "http" || wire.type === "sse")) {
    return { ...named, type: wire.type, url: wire.url, headers: namedValues(wire.headers) };
  }
  if (typeof wire.command !== "string") return wire as unknown as McpServer;
  const args = Array.isArray(wire.args) ? wire.args.filter((arg) => typeof arg === "string") : [];
  return { ...named, type: "stdio", command: wire.command, args, env: namedValues(wire.env) };
}

const namedValues = (value: unknown): readonly NamedValue[] =>
  list(value, (one) =>
    isObject(one) && typeof one.name === "string" && typeof one.value === "string" ? (one as NamedValue) : undefined,
  );

function encodeLists({ configOptions, _meta }: SessionLists, peer: Peer = plain): object {
  if (configOptions == null) return compact({ _meta });
  const listed = configOptions.some((option) => option.setBy === undefined) || configOptions.length === 0;
  return compact({
    ...encodeModes(configOptions),
    configOptions: listed ? encodeList(configOptions, peer, nothing) : undefined,
    _meta,
  });
}

function decodeLists(wire: Wire): SessionLists {
  return compact({ configOptions: optionsOf(wire), _meta: meta(wire._meta) });
}

/** `session/set_config_option` of version 1: only a boolean says its type (V1-CFG-07). */
export const setConfigOption: CallCodec<Calls["setConfigOption"]> = {
  method: "session/set_config_option",
  encodeParams: (params) => (typeof params.value === "boolean" ? { ...params, type: "boolean" } : params),
  decodeParams: (wire) => {
    const { sessionId, configId, value } = wire as Wire;
    return {
      sessionId: String(sessionId),
      configId: String(configId),
      value: typeof value === "boolean" ? value : String(value),
    };
  },
  encodeResult: ({ configOptions }, peer) => ({ configOptions: encodeList(configOptions, peer ?? plain, nothing) }),
  decodeResult: (wire) => ({ configOptions: list((wire as Wire).configOptions, configOption) }),
};

/** `session/set_mode` of version 1. */
export const setMode: CallCodec<Calls["setMode"]> = {
  method: "session/set_mode",
  encodeParams: ({ sessionId, value: modeId }) => ({ sessionId, modeId }),
  decodeParams: (wire) => ({ sessionId: String((wire as Wire).sessionId), value: String((wire as Wire).modeId) }),
  encodeResult: (result) => result,
  decodeResult: (wire) => wire ?? {},
};

/** `session/set_model`, which version 1 had in 2025 (V1-MODEL-02). */
export const setModel: CallCodec<Calls["setModel"]> = {
  method: "session/set_model",
  encodeParams: ({ sessionId, value: modelId }) => ({ sessionId, modelId }),
  decodeParams: (wire) => ({ sessionId: String((wire as Wire).sessionId), value: String((wire as Wire).modelId) }),
  encodeResult: (result) => result,
  decodeResult: (wire) => wire ?? {},
};
