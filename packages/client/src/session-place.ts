import type { SessionPlace } from "@turnkit/session";
import { jsonCopy } from "@turnkit/session/codec";
import { InvalidMessageError } from "@turnkit/transport";

/**
 * Checks and copies the place of a session. Duplicate directories are removed.
 *
 * @param method name of the call in the error
 * @throws InvalidMessageError for a path that is not absolute: its base is unknown on this side
 */
// V1-SESS-11
export function placeOf(method: string, place: SessionPlace): SessionPlace {
  const { cwd, additionalDirectories = [], ...others } = place;
  const issues = [
    ...issuesOf(cwd, ["cwd"]),
    ...additionalDirectories.flatMap((directory, index) => issuesOf(directory, ["additionalDirectories", index])),
  ];
  if (issues.length > 0) throw new InvalidMessageError(method, "params", issues);
  const directories = [...new Set(additionalDirectories)].filter((directory) => directory !== cwd);
  return jsonCopy({ cwd, ...(directories.length > 0 && { additionalDirectories: directories }), ...others });
}

function issuesOf(path: string, where: readonly PropertyKey[]) {
  // The agent may run on another system than this side: both kinds of path are absolute.
  if (/^(\/|\\\\|[A-Za-z]:[\\/])/.test(path)) return [];
  return [{ path: where, message: `expected an absolute path, got ${JSON.stringify(path)}` }];
}
