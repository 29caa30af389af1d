/** Gate that a test opens. Code that awaits `opened` continues after `open`. */
export type Gate = { readonly opened: Promise<void>; open(): void };

/**
 * Creates a closed gate.
 *
 * @example
 * const gate = createGate();
 * const agent = createScriptedAgent(channel, { steps: [{ turn: [{ wait: gate.opened }, { say: "Done" }] }] });
 * gate.open();
 */
export function createGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
