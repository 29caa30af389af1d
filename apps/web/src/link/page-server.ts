import type { Channel } from "@turnkit/client";
import { openRemote, type RemoteState } from "@turnkit/remote/client";

/** Settings that a server sends to its page. */
export type PageSettings = {
  /** Folder of new sessions. */
  readonly folder?: string;
};

/** Functions of the server that the page uses. Tests pass their own. */
export interface PageServer {
  /** Exchanges the one-time token for a cookie. Returns `false` if the server does not accept the token. */
  login(token: string): Promise<boolean>;
  /** Returns the settings of the page, or `undefined` if the browser has no valid cookie. */
  settings(): Promise<PageSettings | undefined>;
  /** Opens a channel to the agent: over a WebSocket, or over HTTP if a WebSocket is not possible. */
  open(onState: (state: RemoteState) => void): Promise<Channel>;
}

/** Answers for a browser without a valid cookie. The first of them is no error in the browser's console. */
const REFUSED = new Set([204, 401, 403]);

/** Returns the server at an address: `login`, `settings.json` and `acp` beside the page. */
export function createPageServer(base: URL): PageServer {
  const place = (name: string) => new URL(name, new URL(".", base));
  return {
    async login(token) {
      const headers = { Authorization: `Bearer ${token}` };
      const { ok } = await fetch(place("login"), { method: "POST", headers });
      return ok;
    },
    async settings() {
      const answer = await fetch(place("settings.json"), { headers: { Accept: "application/json" } });
      if (REFUSED.has(answer.status)) return undefined;
      // A server without this file has no settings.
      return answer.ok ? readSettings(await answer.json().catch(() => undefined)) : {};
    },
    async open(onState) {
      const http = place("acp");
      const socket = new URL(http);
      socket.protocol = http.protocol.replace("http", "ws");
      return openRemote(socket, { onState }).catch(() => openRemote(http, { onState }));
    },
  };
}

function readSettings(value: unknown): PageSettings {
  const { folder } = (value ?? {}) as { readonly folder?: unknown };
  return typeof folder === "string" ? { folder } : {};
}
