import { checkNames, checkOption, isState } from "./check-option.js";
import { createSessionState } from "./create-session-state.js";
import type { SessionEvent } from "./event.js";
import { replacingMetadata } from "./metadata.js";
import { reduce } from "./reduce.js";
import type { SessionState } from "./state.js";

/**
 * Store of the newest state, with subscriptions. `getState` and `subscribe` can be passed to `useSyncExternalStore`.
 */
export interface SessionStore {
  getState(): SessionState;
  /**
   * Calls the listener after each change. With `slice`, the listener is called only if the value of `slice` changes.
   * Returns a function that removes the listener.
   *
   * @throws TypeError for a listener that is not a function
   */
  subscribe(listener: () => void, slice?: (state: SessionState) => unknown): () => void;
  /**
   * Applies an event immediately. Listeners are also called immediately, unless `notify` has another value.
   *
   * @throws TypeError for a list of events, and for a message or an update of the protocol, which a decoder must read first
   */
  dispatch(event: SessionEvent): void;
}

/** Options of a store. */
export type SessionStoreOptions = {
  /**
   * Time at which listeners are called:
   * - `"sync"` (default): after each event
   * - `"microtask"`: once for all events of one task, so a burst of events is shown once
   * - a function: when the function calls its parameter; with `requestAnimationFrame` this is once per frame
   */
  readonly notify?: "sync" | "microtask" | ((callListeners: () => void) => unknown);
  /**
   * Handling of metadata in updates: `"replace"` if the agent sends it as a whole, `"patch"` (default) if the agent
   * sends changed keys.
   */
  // V2-SEED-10
  readonly metaMode?: "patch" | "replace";
};

const STATE = "a state, such as that of readSnapshot(JSON.parse(text)), and the options after it";

/** Returns `true` for a message or an update of the protocol, which decoders read, and for the list that a decoder returns. */
function isWire(event: unknown): boolean {
  try {
    if (Array.isArray(event)) return typeof event[0]?.type === "string";
    const { type, sessionUpdate, jsonrpc } = (event ?? {}) as Readonly<Record<string, unknown>>;
    return type === undefined && (sessionUpdate !== undefined || jsonrpc !== undefined);
  } catch {
    // An object that cannot be read is no event either, and the reducer ignores it.
    return false;
  }
}

type Listener = { readonly call: () => void; readonly slice: (state: SessionState) => unknown; last: unknown };

/**
 * Creates a store around {@link reduce}.
 *
 * @throws TypeError for an unknown option, for an option of another type, and for a state that was only parsed from JSON
 *
 * @example
 * const store = createSessionStore();
 * const stop = store.subscribe(() => console.log(store.getState().title), (state) => state.title);
 * store.dispatch({ type: "session_info_update", title: "Fix parser" });
 * stop();
 */
export function createSessionStore(
  initial: SessionState = createSessionState(),
  options: SessionStoreOptions = {},
): SessionStore {
  const { notify = "sync", metaMode = "patch" } = options;
  checkOption(isState(initial), "createSessionStore", typeof initial, STATE);
  checkNames("createSessionStore", options, ["notify", "metaMode"]);
  const isTime = notify === "sync" || notify === "microtask" || typeof notify === "function";
  checkOption(isTime, "createSessionStore notify", notify, "sync, microtask or a function");
  const isMode = metaMode === "patch" || metaMode === "replace";
  checkOption(isMode, "createSessionStore metaMode", metaMode, "patch or replace");
  const listeners = new Set<Listener>();
  let state = initial;
  let scheduled = false;
  const callListeners = (): void => {
    scheduled = false;
    // A listener that another listener removes or adds is not called in this round.
    for (const listener of [...listeners]) {
      const now = listener.slice(state);
      if (!listeners.has(listener) || Object.is(now, listener.last)) continue;
      listener.last = now;
      listener.call();
    }
  };
  return {
    getState: () => state,
    subscribe: (call, slice = (whole) => whole) => {
      checkOption(typeof call === "function", "subscribe", call, "a function");
      const listener: Listener = { call, slice, last: slice(state) };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispatch: (event) => {
      checkOption(
        !isWire(event),
        "dispatch",
        "a message or an update of the protocol, or a list",
        "each event of decodeV1(update)",
      );
      const next = reduce(state, metaMode === "replace" ? replacingMetadata(state, event) : event);
      if (next === state) return;
      state = next;
      if (notify === "sync") callListeners();
      else if (!scheduled) {
        scheduled = true;
        if (notify === "microtask") queueMicrotask(callListeners);
        else notify(callListeners);
      }
    },
  };
}
