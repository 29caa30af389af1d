/** A door that a test opens: what waits at it goes on then, and not a moment earlier. */
export type Gate = { readonly opened: Promise<void>; open(): void };

/** A closed gate. */
export function createGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
