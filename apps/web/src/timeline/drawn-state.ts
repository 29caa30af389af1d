import type { Session } from "@turnkit/client";
import type { SessionSource } from "@turnkit/react";

const sources = new WeakMap<Session, SessionSource>();

/**
 * Returns the state of a session as it is drawn: it changes once in a frame of the screen, however many updates arrive.
 * The same session has the same source. A page that is not visible has no frames, and is drawn when it is shown again.
 */
export function drawnState(session: Session): SessionSource {
  const known = sources.get(session);
  if (known !== undefined) return known;
  const made = createSource(session);
  sources.set(session, made);
  return made;
}

function createSource(session: Session): SessionSource {
  const listeners = new Set<() => void>();
  let state = session.state;
  let frame: number | undefined;
  let stop: (() => void) | undefined;
  const draw = (): void => {
    frame = undefined;
    if (state === session.state) return;
    state = session.state;
    for (const listener of [...listeners]) listener();
  };
  const changed = (): void => {
    frame ??= requestAnimationFrame(draw);
  };
  return {
    get state() {
      // Without a listener, the next frame would have no effect.
      if (listeners.size === 0) state = session.state;
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      stop ??= session.subscribe(changed);
      changed();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
        if (frame !== undefined) cancelAnimationFrame(frame);
        frame = undefined;
      };
    },
  };
}
