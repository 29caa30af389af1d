import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { createPathCheck, type PathRules } from "@turnkit/session/paths";
import { statePath } from "../config/folders.js";
import type { CoveredPathSearch } from "./covered-paths.js";
import type { FoundSandbox } from "./sandbox.js";

export type SandboxOptions = {
  readonly roots: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly paths: Partial<PathRules>;
  /** Aborts at the end of the session, and so ends the search for its tools. */
  readonly signal?: AbortSignal;
};

/** Opens the sandbox of this machine for one session. If there is none, returns the reason. */
export async function openSandbox({ roots, env, paths, signal }: SandboxOptions): Promise<FoundSandbox> {
  const { platform } = process;
  const path = env.PATH ?? "";
  const home = env.HOME || homedir();
  const check = createPathCheck(paths);
  if (platform === "darwin") {
    const { createSeatbelt, SANDBOX_EXEC } = await import("./seatbelt.js");
    if (!existsSync(SANDBOX_EXEC)) return { reason: `${SANDBOX_EXEC} is missing` };
    return { sandbox: createSeatbelt({ roots, paths }) };
  }
  if (platform !== "linux") return { reason: "turnkit-agent supports no sandbox of this system" };
  if (!roots.every((root) => existsSync(root))) return { reason: "the session's folders are not on this machine" };
  if (roots.some((root) => /^\/(?:$|(?:proc|sys|dev)(?:\/|$))/.test(realpathSync(root)))) {
    return { reason: "a folder of the session is a folder of the system" };
  }
  const [{ createBubblewrap }, { createCoveredPathSearch }, { createKeptPlans }, { findBubblewrap, thisMachine }] =
    await Promise.all([
      import("./bubblewrap.js"),
      import("./covered-paths.js"),
      import("./kept-plans.js"),
      import("./find-bubblewrap.js"),
    ]);
  const found = await findBubblewrap(thisMachine(path, roots));
  if ("reason" in found) return found;
  const search = createCoveredPathSearch(check, paths);
  const plans = createKeptPlans(statePath("plans"));
  // Nobody can write the tools, so their protected files do not matter.
  const searchSecrets = createCoveredPathSearch({ ...check, protectedBy: check.secretBy }, paths);
  const searchTools: CoveredPathSearch = (folder, { skips, isEnough } = {}) =>
    searchSecrets(folder, { skips, isEnough: (secrets) => signal?.aborted === true || isEnough?.(secrets) === true });
  return {
    sandbox: createBubblewrap(found, {
      ...{ roots, home, env: { PATH: path }, check, search, searchTools, plans, paths, signal },
    }),
  };
}
