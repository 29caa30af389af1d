import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSandbox, type SandboxOptions } from "../src/sandbox/open-sandbox.js";
import { createSandboxChoice } from "../src/sandbox/sandbox-choice.js";

export const aside = join(tmpdir(), `turnkit-aside-${process.pid}`);

export const sandboxOptions = (roots: readonly string[], more: Partial<SandboxOptions> = {}): SandboxOptions => ({
  roots,
  env: process.env,
  paths: {},
  asideFolder: aside,
  ...more,
});

/** Returns the choice of the program, with the sandbox of this machine. */
export const realSandbox = (roots: readonly string[]) =>
  createSandboxChoice({
    mode: "auto",
    network: false,
    open: () => openSandbox(sandboxOptions(roots)),
    onMissing: () => undefined,
  });

const found = await openSandbox(sandboxOptions([tmpdir()]));

/** Reason why tests of the sandbox cannot run here. */
export const missing = found.sandbox === undefined ? found.reason : undefined;

/** Returns the title of a test, with the reason if it cannot run. */
export const titled = (title: string): string => (missing === undefined ? title : `${title} (skipped: ${missing})`);
