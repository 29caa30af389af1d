import { type Client, connectWith, createElicitations, v2Dialect } from "@turnkit/client";
import type { RemoteState } from "@turnkit/remote/client";
import { KeptFrames } from "./kept-frames.js";
import type { PageServer, PageSettings } from "./page-server.js";

/**
 * Connection of the page.
 *
 * - `connecting`: there was no connection yet.
 * - `open`: `client` can be used. During a cut of the network, `cut` has a sentence for people, and calls wait.
 * - `lost`: the page tries again by itself. `client` is the lost client; its sessions can still be read.
 * - `locked`: the server accepts neither the token nor the cookie.
 */
export type LinkState =
  | { readonly status: "connecting"; readonly client?: undefined }
  | { readonly status: "locked"; readonly client?: undefined }
  | { readonly status: "open"; readonly client: Client; readonly settings: PageSettings; readonly cut?: string }
  | {
      readonly status: "lost";
      readonly message: string;
      readonly client?: Client;
      readonly settings?: PageSettings;
    };

/** Connection of the page, which is opened again after each loss. */
export interface Link {
  readonly state: LinkState;
  /** Frames of all connections so far. */
  readonly frames: KeptFrames;
  /** Calls a function after each change of the state. Returns a function that ends these calls. */
  subscribe(changed: () => void): () => void;
  /** Tries at once. */
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
  const lose = (message: string): void => {
    const { client, settings } = { settings: undefined, ...state };
    settle({ status: "lost", message, client, settings });
    timer = setTimeout(() => void open(), delay);
    delay = Math.min(delay * 2, LONGEST_DELAY);
  };
  const open = async (): Promise<void> => {
    clearTimeout(timer);
    if (isTrying) return;
    isTrying = true;
    try {
      const opened = await openClient(server, frames, unused, (cut) => {
        if (state.status === "open") settle({ ...state, cut });
      });
      unused = undefined;
      if (opened === undefined) return settle({ status: "locked" });
      delay = FIRST_DELAY;
      settle({ status: "open", ...opened });
      void opened.client.closed.then(({ message }) => lose(message));
    } catch (error) {
      lose((error as Error).message);
    } finally {
      isTrying = false;
    }
  };
  void open();
  return {
    frames,
    get state() {
      return state;
    },
    subscribe(changed) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
    retry: () => void open(),
  };
}

type Opened = { readonly client: Client; readonly settings: PageSettings };

/** Returns `undefined` if the server does not know this browser. */
async function openClient(
  server: PageServer,
  frames: KeptFrames,
  token: string | undefined,
  onCut: (message: string | undefined) => void,
): Promise<Opened | undefined> {
  // A used token is refused, but the cookie from its first use may still be valid.
  if (token !== undefined) await server.login(token);
  const settings = await server.settings();
  if (settings === undefined) return undefined;
  const onState = (state: RemoteState) => onCut(state.status === "reconnecting" ? state.message : undefined);
  const channel = frames.watch(await server.open(onState));
  const client = await connectWith([v2Dialect], channel, {
    info: { name: "turnkit-web", title: "turnkit in a browser", version: "0.1.0" },
    permissions: () => "wait",
    onDiagnostic: (diagnostic) => frames.note(diagnostic),
    elicitations: createElicitations({ form: () => "wait", url: () => "wait" }),
  });
  return { client, settings };
}
