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
  /**
   * Returns the files inside a folder of the server's machine that a mention can name, or `null` if there is no such
   * folder. Returns `undefined` if the server has no such list.
   */
  files(folder: string): Promise<readonly string[] | null | undefined>;
  /** Returns `false` if the server's machine has no such folder. */
  hasFolder(folder: string): Promise<boolean>;
  /** Opens a channel to the agent: over a WebSocket, or over HTTP if a WebSocket is not possible. */
  open(onState: (state: RemoteState) => void): Promise<Channel>;
}

/** Answers for a browser without a valid cookie. A browser does not print 204 as an error. */
const REFUSED = new Set([204, 401, 403]);

/** Returns the server at an address: `login`, `settings.json` and `acp` beside the page. */
export function createPageServer(base: URL): PageServer {
  const place = (name: string) => new URL(name, new URL(".", base));
  const ask = async (name: string, query: Record<string, string> = {}) => {
    const address = place(name);
    address.search = `${new URLSearchParams(query)}`;
    return fetch(address, { headers: { Accept: "application/json" } });
  };
  const filesIn = async (query: Record<string, string>) => {
    const answer = await ask("files.json", query).catch(() => undefined);
    return answer?.ok ? readFiles(await answer.json().catch(() => undefined)) : undefined;
  };
  return {
    async login(token) {
      const headers = { Authorization: `Bearer ${token}` };
      const { ok } = await fetch(place("login"), { method: "POST", headers });
      return ok;
    },
    async settings() {
      const answer = await ask("settings.json");
      if (REFUSED.has(answer.status)) return undefined;
      // A server without this file has no settings.
      return answer.ok ? readSettings(await answer.json().catch(() => undefined)) : {};
    },
    files: (folder) => filesIn({ folder }),
    hasFolder: async (folder) => (await filesIn({ folder, names: "0" })) !== null,
    async open(onState) {
      const http = place("acp");
      const socket = new URL(http);
      socket.protocol = http.protocol.replace("http", "ws");
      return openRemote(socket, { onState }).catch(() => openRemote(http, { onState }));
    },
  };
}

function readFiles(value: unknown): readonly string[] | null | undefined {
  const { files } = (value ?? {}) as { readonly files?: unknown };
  if (files === null) return null;
  return Array.isArray(files) ? files.filter((one) => typeof one === "string") : undefined;
}

function readSettings(value: unknown): PageSettings {
  const { folder } = (value ?? {}) as { readonly folder?: unknown };
  return typeof folder === "string" ? { folder } : {};
}
