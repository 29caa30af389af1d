import { type Client, connectWith, createElicitations, v2Dialect } from "@turnkit/client";
import type { RemoteState } from "@turnkit/remote/client";
import { KeptFrames } from "./kept-frames.js";
import type { PageServer, PageSettings } from "./page-server.js";

/**
 * Connection of the page.
 *
 * - `connecting`: there was no connection yet.
 * - `open`: `client` can be used. During a cut of the network, `cut` has a sentence for people, and calls wait.
 * - `lost`: the page tries again by itself.
 * - `locked`: the server accepts neither the token nor the cookie. `retry` tries again, after a login in another tab.
 *
 * In the last two states, `client` is the last client that was connected. Its sessions can still be read.
 */
export type LinkState =
  | { readonly status: "connecting"; readonly client?: undefined }
  | { readonly status: "open"; readonly client: Client; readonly settings: PageSettings; readonly cut?: string }
  | ({ readonly status: "locked" } & Before)
  | ({ readonly status: "lost"; readonly message: string } & Before);

type Before = { readonly client?: Client; readonly settings?: PageSettings };

/** Connection of the page, which is opened again after each loss. */
export interface Link {
  readonly state: LinkState;
  /** Files and folders of the server's machine. */
  readonly folders: Pick<PageServer, "files" | "hasFolder">;
  /** Frames of all connections so far. */
  readonly frames: KeptFrames;
  /** Calls a function after each change of the state. Returns a function that ends these calls. */
  subscribe(changed: () => void): () => void;
  /** Tries immediately, unless there is a connection. */
  retry(): void;
}

const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 30_000;

/** Creates the connection, and opens it. */
export function createLink(server: PageServer, token?: string): Link {
  const listeners = new Set<() => void>();
  const frames = new KeptFrames();
  let state: LinkState = { status: "connecting" };
  let delay = FIRST_DELAY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isTrying = false;
  let unused = token;

  const settle = (next: LinkState): void => {
    state = next;
    for (const changed of [...listeners]) changed();
  };
  const before = (): Before => {
    const { client, settings } = { settings: undefined, ...state };
    return { client, settings };
  };
  const lose = (message: string): void => {
    settle({ status: "lost", message, ...before() });
    timer = setTimeout(() => void open(), delay);
    delay = Math.min(delay * 2, LONGEST_DELAY);
  };
  const isOpen = (client: Client): boolean => state.status === "open" && state.client === client;
  const cut = async (message: string | undefined): Promise<void> => {
    if (state.status !== "open") return;
    settle({ ...state, cut: message });
    const { client } = state;
    // A page cannot find out why an attempt failed. A server that was started again may not know the cookie.
    const isKnown = message === undefined || (await server.settings().catch(() => ({}))) !== undefined;
    if (isKnown || !isOpen(client)) return;
    settle({ status: "locked", ...before() });
    await client.close();
  };
  const open = async (): Promise<void> => {
    clearTimeout(timer);
    if (isTrying) return;
    isTrying = true;
    try {
      const opened = await openClient(server, frames, unused, cut);
      unused = undefined;
      if (opened === undefined) return settle({ status: "locked", ...before() });
      delay = FIRST_DELAY;
      settle({ status: "open", ...opened });
      const { client } = opened;
      void client.closed.then(({ message }) => isOpen(client) && lose(message));
    } catch (error) {
      lose((error as Error).message);
    } finally {
      isTrying = false;
    }
  };
  void open();
  return {
    folders: server,
    frames,
    get state() {
      return state;
    },
    subscribe(changed) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
    retry() {
      if (state.status !== "open") void open();
    },
  };
}

type OpenedClient = { readonly client: Client; readonly settings: PageSettings };

/** Returns `undefined` if the server does not know this browser. */
async function openClient(
  server: PageServer,
  frames: KeptFrames,
  token: string | undefined,
  onCut: (message: string | undefined) => Promise<void>,
): Promise<OpenedClient | undefined> {
  // A used token is refused, but the cookie from its first use may still be valid.
  if (token !== undefined) await server.login(token);
  const settings = await server.settings();
  if (settings === undefined) return undefined;
  const onState = (state: RemoteState) => void onCut(state.status === "reconnecting" ? state.message : undefined);
  const channel = frames.watch(await server.open(onState));
  const client = await connectWith([v2Dialect], channel, {
    info: { name: "turnkit-web", title: "turnkit in a browser", version: "0.1.0" },
    permissions: () => "wait",
    onDiagnostic: (diagnostic) => frames.note(diagnostic),
    elicitations: createElicitations({ form: () => "wait", url: () => "wait" }),
  });
  return { client, settings };
}
