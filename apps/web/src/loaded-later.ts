import { type ComponentType, type LazyExoticComponent, lazy } from "react";

/** Component whose code is not part of the first load. */
export type LoadedLater<P extends object> = {
  readonly Part: LazyExoticComponent<ComponentType<P>>;
  /** Begins to load the code. */
  readonly preload: () => void;
};

/**
 * Returns a component whose code is loaded when the component is first drawn, or by `preload`. Code that is already
 * loaded is drawn immediately, without the fallback. React would show a fallback for at least 300 ms.
 */
export function loadedLater<P extends object>(load: () => Promise<ComponentType<P>>): LoadedLater<P> {
  let loaded: ComponentType<P> | undefined;
  const read = async () => {
    loaded = await load();
    return { default: loaded };
  };
  return {
    Part: lazy(() => (loaded === undefined ? read() : atOnce({ default: loaded }))),
    preload: () => void read().catch(() => undefined),
  };
}

/** Returns a promise that calls its listener immediately. A settled promise would call it too late for this drawing. */
function atOnce<T>(value: T): Promise<T> {
  // biome-ignore lint/suspicious/noThenProperty: React reads only this method.
  return { then: (settle: (value: T) => void) => settle(value) } as unknown as Promise<T>;
}
