import type { Answering, Asking, Calls, McpServer, SessionLists, SessionPlace } from "../../call.js";
import { type Lost, lostIn } from "../losses.js";
import { namedValues } from "../named-values.js";
import { compact, isObject, list, meta, required, texts, type Wire } from "../read.js";
import { readNothing } from "../simple-calls.js";
import { configOption, encodeListed, encodeModes, optionsOf } from "./settings.js";

/** A client of which nothing is known. */
const plain = { booleanOptions: false };

type Peer = { readonly booleanOptions: boolean };

/** `session/new` of version 1, as a client makes it. */
export const askNewSession: Asking<Calls["newSession"]> = {
  method: "session/new",
  encodeParams: (place, onLoss) => encodePlace(place, lostIn("v1", "newSession", onLoss)),
  decodeResult: (wire) => ({ sessionId: required((wire as Wire).sessionId), ...decodeLists(wire as Wire) }),
};

/** {@link askNewSession}, as an agent answers it. */
export const answerNewSession: Answering<Calls["newSession"]> = {
  method: "session/new",
  decodeParams: (wire) => decodePlace(wire as Wire),
  encodeResult: ({ sessionId, ...lists }, peer, onLoss) => ({
    sessionId,
    ...encodeLists(lists, peer, lostIn("v1", "newSession", onLoss)),
  }),
};

type Restoring = "loadSession" | "resumeSession";

const askBack = (method: string, call: Restoring): Asking<Calls[Restoring]> => ({
  method,
  encodeParams: ({ sessionId, replayFrom, ...place }: Calls["resumeSession"]["params"], onLoss) => {
    const lost = lostIn("v1", call, onLoss);
    if (replayFrom != null) lost("replay-from", replayFrom.type);
    return { sessionId, ...encodePlace(place, lost) };
  },
  // Older writers answer `null` (V1-SESS-24).
  decodeResult: (wire) => decodeLists((wire ?? {}) as Wire),
});

const answerBack = (method: string, call: Restoring): Answering<Calls[Restoring]> => ({
  method,
  decodeParams: (wire) => ({ ...decodePlace(wire as Wire), sessionId: required((wire as Wire).sessionId) }),
  encodeResult: (lists, peer, onLoss) => encodeLists(lists, peer, lostIn("v1", call, onLoss)),
});

/** `session/load` of version 1, as a client makes it: the replay comes before its answer. */
export const askLoadSession: Asking<Calls["loadSession"]> = /* @__PURE__ */ askBack("session/load", "loadSession");

/** {@link askLoadSession}, as an agent answers it. */
export const answerLoadSession: Answering<Calls["loadSession"]> = /* @__PURE__ */ answerBack(
  "session/load",
  "loadSession",
);

/** `session/resume` of version 1, as a client makes it: there is no replay. */
export const askResumeSession: Asking<Calls["resumeSession"]> = /* @__PURE__ */ askBack(
  "session/resume",
  "resumeSession",
);

/** {@link askResumeSession}, as an agent answers it. */
export const answerResumeSession: Answering<Calls["resumeSession"]> = /* @__PURE__ */ answerBack(
  "session/resume",
  "resumeSession",
);

function encodePlace({ cwd, additionalDirectories, mcpServers = [], _meta }: SessionPlace, lost: Lost): object {
  return compact({
    cwd,
    additionalDirectories: additionalDirectories?.length ? additionalDirectories : undefined,
    mcpServers: mcpServers.flatMap((server) => encodeServer(server, lost)),
    _meta,
  });
}

function decodePlace(wire: Wire): SessionPlace {
  return compact({
    cwd: required(wire.cwd),
    additionalDirectories: texts(wire.additionalDirectories),
    mcpServers: Array.isArray(wire.mcpServers) ? wire.mcpServers.filter(isObject).map(decodeServer) : undefined,
    _meta: meta(wire._meta),
  });
}

/** A server over stdio has no type here (V1-SESS-14), and every list is written. */
function encodeServer(server: McpServer, lost: Lost): readonly object[] {
  if (server.type === "stdio") {
    const { type: _, args = [], env = [], ...others } = server;
    return [{ ...others, args, env }];
  }
  if (server.type === "http" || server.type === "sse") return [{ ...server, headers: server.headers ?? [] }];
  // What nobody here knows was received; whoever gets it refuses it or knows it.
  lost("unknown", server.name);
  return [server];
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

function encodeLists({ configOptions, _meta }: SessionLists, peer: Peer = plain, lost: Lost): object {
  if (configOptions == null) return compact({ _meta });
  const listed = configOptions.some((option) => option.setBy === undefined) || configOptions.length === 0;
  return compact({
    ...encodeModes(configOptions),
    configOptions: listed ? encodeListed(configOptions, peer, lost) : undefined,
    _meta,
  });
}

function decodeLists(wire: Wire): SessionLists {
  return compact({ configOptions: optionsOf(wire), _meta: meta(wire._meta) });
}

/** `session/set_config_option` of version 1, as a client makes it: only a boolean says its type (V1-CFG-07). */
export const askSetConfigOption: Asking<Calls["setConfigOption"]> = {
  method: "session/set_config_option",
  encodeParams: (params) => (typeof params.value === "boolean" ? { ...params, type: "boolean" } : params),
  decodeResult: (wire) => ({ configOptions: list((wire as Wire).configOptions, configOption) }),
};

/** {@link askSetConfigOption}, as an agent answers it. */
export const answerSetConfigOption: Answering<Calls["setConfigOption"]> = {
  method: "session/set_config_option",
  decodeParams: (wire) => {
    const { sessionId, configId, value } = wire as Wire;
    return {
      sessionId: required(sessionId),
      configId: required(configId),
      value: typeof value === "boolean" ? value : String(value),
    };
  },
  encodeResult: ({ configOptions }, peer, onLoss) => ({
    configOptions: encodeListed(configOptions, peer ?? plain, lostIn("v1", "setConfigOption", onLoss)),
  }),
};

/** `session/set_mode` of version 1, as a client makes it. */
export const askSetMode: Asking<Calls["setMode"]> = {
  method: "session/set_mode",
  encodeParams: ({ sessionId, value: modeId }) => ({ sessionId, modeId }),
  // The text of 2025 calls the metadata of this answer `meta` (V1-MODEL-06).
  decodeResult: (wire) => {
    const { meta: older, _meta = older, ...others } = (wire ?? {}) as Wire;
    return compact({ ...others, _meta: meta(_meta) });
  },
};

/** {@link askSetMode}, as an agent answers it. */
export const answerSetMode: Answering<Calls["setMode"]> = {
  method: "session/set_mode",
  decodeParams: (wire) => ({ sessionId: required((wire as Wire).sessionId), value: required((wire as Wire).modeId) }),
  encodeResult: (result) => result,
};

/** `session/set_model`, which version 1 had in 2025 (V1-MODEL-02), as a client makes it. */
export const askSetModel: Asking<Calls["setModel"]> = {
  method: "session/set_model",
  encodeParams: ({ sessionId, value: modelId }) => ({ sessionId, modelId }),
  decodeResult: readNothing,
};

/** {@link askSetModel}, as an agent answers it. */
export const answerSetModel: Answering<Calls["setModel"]> = {
  method: "session/set_model",
  decodeParams: (wire) => ({ sessionId: required((wire as Wire).sessionId), value: required((wire as Wire).modelId) }),
  encodeResult: (result) => result,
};
