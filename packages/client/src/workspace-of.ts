import type { ContentBlock, SessionWorkspace } from "@turnkit/session";
import { jsonCopy } from "@turnkit/session/codec";
import { checkArgument, InvalidMessageError } from "@turnkit/transport";
import { isObjectOrList } from "./check-arguments.js";

/**
 * Checks and copies the workspace of a session. Duplicate directories are removed.
 *
 * @param method name of the call, for the error
 * @throws InvalidMessageError for a relative path, because the client has no base for the path
 */
// V1-SESS-11
export function workspaceOf(method: string, workspace: SessionWorkspace): SessionWorkspace {
  checkWorkspaceArgument(method, workspace);
  const { cwd, additionalDirectories = [], ...others } = workspace;
  const issues = [
    ...issuesOf(cwd, ["cwd"]),
    ...additionalDirectories.flatMap((directory, index) => issuesOf(directory, ["additionalDirectories", index])),
    ...promptIssues(workspace.systemPrompt?.content),
  ];
  if (issues.length > 0) throw new InvalidMessageError(method, "params", issues);
  const directories = [...new Set(additionalDirectories)].filter((directory) => directory !== cwd);
  return jsonCopy({ cwd, ...(directories.length > 0 && { additionalDirectories: directories }), ...others });
}

// P-SYS-03
function promptIssues(content: readonly ContentBlock[] | undefined) {
  if (content === undefined || (content.length > 0 && content.every(({ type }) => type === "text"))) return [];
  return [{ path: ["systemPrompt", "content"], message: "expected at least one block, and only blocks of text" }];
}

function issuesOf(path: string, where: readonly PropertyKey[]) {
  // The agent may run on another system, so absolute paths of POSIX and Windows are accepted.
  if (/^(\/|\\\\|[A-Za-z]:[\\/])/.test(path)) return [];
  return [{ path: where, message: `expected an absolute path, got ${JSON.stringify(path)}` }];
}

/** @throws TypeError for a workspace of another type */
function checkWorkspaceArgument(call: string, workspace: SessionWorkspace): void {
  checkArgument(isObjectOrList(workspace), call, {
    got: workspace,
    remedy: 'pass an object such as { cwd: "/absolute/folder" }',
  });
  for (const name of ["additionalDirectories", "mcpServers"] as const) {
    const list: unknown = workspace[name];
    checkArgument(list == null || Array.isArray(list), `${call} ${name}`, { got: list, remedy: "pass a list" });
  }
  const got = workspace.systemPrompt;
  checkArgument(got == null || (isObjectOrList(got) && Array.isArray(got.content)), `${call} systemPrompt`, {
    ...{ got, remedy: 'pass a prompt such as { mode: "append", content: [{ type: "text", text: "…" }] }' },
  });
}
