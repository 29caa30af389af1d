import type { SessionPlace } from "@turnkit/session";
import { jsonCopy } from "@turnkit/session/codec";
import { InvalidMessageError } from "@turnkit/transport";

/**
 * Where a session is to work, without directories that are named twice (V1-SESS-11).
 *
 * @param method what is asked for, for the error
 * @throws InvalidMessageError for a path that is not absolute: only the agent's side could say what it is relative to
 */
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
