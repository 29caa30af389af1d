import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { agentChecks } from "../agent/agent-checks.js";
import { clientChecks } from "../client/client-checks.js";

/**
 * Reads a file of expected failures: a map from the id of a check to the reason, or a list of ids. The file is YAML, so JSON
 * works too.
 *
 * @throws Error for a file that cannot be read, has another form, or names a check that does not exist
 */
export async function readExpectedFailures(file: string): Promise<Readonly<Record<string, string>>> {
  const found: unknown = parse(await readFile(file, "utf8")) ?? {};
  const entries = Array.isArray(found)
    ? found.map((id): [string, unknown] => [String(id), ""])
    : typeof found === "object" && found !== null
      ? Object.entries(found)
      : undefined;
  if (entries === undefined)
    throw new Error(`${file} is neither a map from ids of checks to reasons nor a list of ids.`);
  const known = new Set([...agentChecks, ...clientChecks].map(({ id }) => id));
  const unknown = entries.find(([id]) => !known.has(id));
  if (unknown !== undefined) throw new Error(`${file} names the check ${unknown[0]}, which does not exist.`);
  return Object.fromEntries(entries.map(([id, reason]) => [id, reason == null ? "" : String(reason)]));
}
