import { closestWords } from "@turnkit/node-client/closest-words";
import { fitsStart } from "../permission-rules.js";
import type { ProjectPart } from "./project-part.js";

/** Largest number of sentences, because each is shown as a notice. */
const MAX_SENTENCES = 20;

/** Bounds of the comparison, which takes time: length of a name, and number of names. */
const MAX_NAME = 40;
const MAX_COMPARED = 50;

/** Names of the tools and of the MCP servers of a session. */
export type KnownNames = { readonly tools: readonly string[]; readonly servers: readonly string[] };

/**
 * Returns a sentence for each hook and each permission rule with a misspelled name of a tool or of an MCP server. Such a
 * rule would deny nothing, and such a hook would never run. A name that is similar to no known name may be of a server
 * that this session does not have.
 */
export function misspelledNames(parts: readonly ProjectPart[], { tools, servers }: KnownNames): readonly string[] {
  const hooks = parts.flatMap((part) => Object.values(part.hooks ?? {}).flatMap((list) => list ?? []));
  const rules = parts.flatMap(({ permissions: { allow = [], ask = [], deny = [] } = {} }) => [
    ...allow,
    ...ask,
    ...deny,
  ]);
  const compared = new Set<string>();
  const meant = (pattern: string, names: readonly string[]): string | undefined => {
    if (names.some((name) => fitsStart(pattern, name))) return undefined;
    if (pattern.length > MAX_NAME || compared.size >= MAX_COMPARED) return undefined;
    compared.add(pattern);
    return closestWords(
      pattern,
      names.filter((name) => name.length <= MAX_NAME),
    )[0];
  };
  const sentences: string[] = [];
  for (const { run, tools: patterns = [] } of hooks) {
    for (const pattern of patterns) {
      const name = meant(pattern, tools);
      if (name === undefined) continue;
      sentences.push(
        `The hook \`${run.slice(0, 200)}\` is for \`${pattern}\`, which is no tool. Write \`${name}\` in agent.json`,
      );
    }
  }
  for (const rule of rules.filter((one) => one.startsWith("mcp "))) {
    const name = meant(rule.slice("mcp ".length).trim().split("/", 1)[0] ?? "", servers);
    if (name === undefined) continue;
    sentences.push(`The rule \`${rule.slice(0, 200)}\` fits no MCP server. Write \`${name}\` in agent.json`);
  }
  return sentences.slice(0, MAX_SENTENCES);
}
