import type { ConfigOption } from "@turnkit/agent";

/**
 * Permissions of the agent:
 *
 * - `ask`: asks before everything that has effects
 * - `accept-edits`: edits freely, asks before the rest
 * - `review`: changes nothing
 * - `auto`: asks nothing
 */
export type Mode = "ask" | "accept-edits" | "review" | "auto";

const MODES: readonly { readonly value: Mode; readonly name: string; readonly description: string }[] = [
  { value: "ask", name: "Ask", description: "Ask before every edit and every command" },
  { value: "accept-edits", name: "Accept edits", description: "Write edits at once, ask before everything else" },
  { value: "review", name: "Review", description: "Show edits and never write" },
  { value: "auto", name: "Auto", description: "Ask nothing, inside the session's folders" },
];

export const modes: readonly Mode[] = MODES.map(({ value }) => value);

/** Returns the option by which a client shows and changes the mode. */
export const modeOption = (currentValue: Mode): ConfigOption => ({
  type: "select",
  configId: "mode",
  category: "mode",
  name: "Mode",
  description: "What the agent may do without asking",
  currentValue,
  options: MODES,
});

/** Returns the mode of that name, or `ask` for an unknown one. */
export function readMode(value: unknown): Mode {
  return MODES.find((mode) => mode.value === value)?.value ?? "ask";
}
