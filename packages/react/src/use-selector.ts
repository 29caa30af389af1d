import type { SessionState } from "@turnkit/session";
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { checkSelect, checkSession } from "./check-arguments.js";

/** State that can be watched. A session of `@turnkit/client` is one. */
export interface SessionSource {
  /** Current state. The same object as long as nothing changes. */
  readonly state: SessionState;
  /** Adds a function that is called after each change of `state`. Returns a function that removes it. */
  subscribe(listener: () => void): () => void;
}

/**
 * Returns a part of the state of a session, and draws the component again when this part changes. On a server, and in the
 * first drawing of a page that a server has drawn, it is the part of the current state.
 *
 * - Parts of a state keep their identity while they do not change, so `Object.is` fits most selectors.
 * - A selector that makes a new object at each call needs `isEqual`. The result is the earlier object while both are equal.
 * - `select` is called at each change of the session, and at each drawing if it is not the same function as before.
 *
 * @param isEqual compares the new part with the earlier part
 * @throws TypeError for a value that is not a session, such as `undefined` while there is none
 *
 * @example
 * const title = useSelector(session, (state) => state.title);
 */
export function useSelector<Selected>(
  session: SessionSource,
  select: (state: SessionState) => Selected,
  isEqual: (before: Selected, now: Selected) => boolean = Object.is,
): Selected {
  checkSession("useSelector", session);
  checkSelect(select);
  const drawn = useRef<{ readonly value: Selected } | undefined>(undefined);
  const read = useMemo(() => {
    let known: { readonly state: SessionState; readonly value: Selected } | undefined;
    return () => {
      const { state } = session;
      if (known?.state === state) return known.value;
      const before = known ?? drawn.current;
      const selected = select(state);
      const value = before !== undefined && isEqual(before.value, selected) ? before.value : selected;
      known = { state, value };
      return value;
    };
  }, [session, select, isEqual]);
  const subscribe = useCallback((draw: () => void) => session.subscribe(draw), [session]);
  const value = useSyncExternalStore(subscribe, read, read);
  useEffect(() => {
    drawn.current = { value };
  }, [value]);
  return value;
}
