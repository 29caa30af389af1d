import { resolve } from "node:path";
import { type ExitCode, exitCode, UsageError } from "./exit-code.js";
import type { Invocation } from "./invocation.js";
import { safeJson } from "./output/safe-json.js";
import { accessWords, dayOf, MAX_NAMED, scopeWords } from "./permission-scope.js";
import { openPermissionStore, type RememberedDecision } from "./permission-store.js";
import type { PrintStreams } from "./program.js";
import { blockLines, type Line } from "./render/line.js";
import { pageOn } from "./render/page.js";
import { asTyped } from "./render/tool-input.js";

type PermissionsInvocation = Extract<Invocation, { kind: `permissions ${string}` }>;

/**
 * Lists, revokes or clears the remembered permissions of a project. Starts no agent.
 *
 * @throws UsageError for an unknown id
 */
export async function managePermissions(
  invocation: PermissionsInvocation,
  { env, stdout }: PrintStreams,
): Promise<ExitCode> {
  const directory = resolve(invocation.cwd ?? ".");
  const store = await openPermissionStore(env, directory);
  const known = await store.list();
  const page = pageOn(stdout, env);
  if (invocation.kind === "permissions list") {
    if (invocation.json) stdout.write(`${safeJson({ directory, permissions: known.map(asJson) }, 2)}\n`);
    else if (known.length === 0) page.lines([[`Nothing is remembered for ${directory}.`]]);
    else for (const one of known) page.lines(decisionLines(one, directory));
    return exitCode.ended;
  }
  const ids = invocation.kind === "permissions clear" ? known.map(({ id }) => id) : idsOf(invocation.ids, known);
  if (ids.length > 0) await store.revoke(ids);
  const { length } = ids;
  page.lines([[`${length} permission${length === 1 ? "" : "s"} revoked for ${directory}.`]]);
  return exitCode.ended;
}

/** Returns the whole ids for ids or their unique beginnings. */
function idsOf(given: readonly string[], known: readonly RememberedDecision[]): readonly string[] {
  return given.map((beginning) => {
    const [found, ...others] = known.filter(({ id }) => id.startsWith(beginning));
    if (found !== undefined && others.length === 0) return found.id;
    const fault = found === undefined ? "no remembered permission has" : "several remembered permissions have";
    throw new UsageError(`permissions revoke: ${fault} the id "${beginning}". See turnkit permissions list.`);
  });
}

function asJson({ expiresAt, ...decision }: RememberedDecision): object {
  return { ...decision, expiresAt: new Date(expiresAt).toISOString() };
}

/** Returns a decision with everything that it covers. Nothing is cut. */
function decisionLines({ id, verdict, expiresAt, scope }: RememberedDecision, directory: string): readonly Line[] {
  const style = verdict === "allow" ? "green" : "red";
  const agent = scope === undefined ? "" : `  agent ${scope.agent}`;
  const head: Line = [["bold", id], "  ", [style, verdict], ["dim", `  until ${dayOf(expiresAt)}${agent}`]];
  if (scope === undefined) return [head, ["  (stored by an earlier version, without its scope)"]];
  const { argv, commandLine, input } = scope;
  const command = commandLine ?? argv;
  const shown = (text: string, gutter = "  ") => blockLines(text, { gutter, sequences: "show" });
  if (command !== undefined) {
    const { line, shell } = asTyped(command);
    const by = shell === undefined ? "" : `, run by ${shell}`;
    return [head, ...shown(line, "  $ "), ...shown(`in ${scope.cwd ?? scope.folder}${accessWords(scope.access)}${by}`)];
  }
  const files = scope.paths.length > MAX_NAMED ? scope.paths.flatMap((path) => shown(path, "    ")) : [];
  const text = input === undefined ? [] : shown(safeJson(input, 1), "    ");
  return [head, ...shown(scopeWords(scope, directory)), ...files, ...text];
}
