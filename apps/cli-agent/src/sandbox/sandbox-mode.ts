export const sandboxModes = ["require", "auto", "off"] as const;

/**
 * Use of the sandbox:
 *
 * - `require`: every command runs in the sandbox, or not at all
 * - `auto`: if there is no sandbox, commands run without it, and each question says so
 * - `off`: no command runs in the sandbox
 */
export type SandboxMode = (typeof sandboxModes)[number];
