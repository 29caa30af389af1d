/** Position in a text. Lines and columns start at 1; columns count UTF-16 units, as editors do. */
export type Position = { readonly line: number; readonly column: number };

export type Finding = Position & {
  /** Name of the rule, such as `use-isnan` or `oxc/missing-throw`; absent for a syntax error. */
  readonly rule?: string;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly help?: string;
  readonly url?: string;
  /** `true` for a finding that `oxlint --fix` removes. */
  readonly fixable: boolean;
};

type Diagnostic = {
  readonly message: string;
  readonly code?: string;
  readonly severity?: string;
  readonly url?: string;
  readonly help?: string;
  readonly labels?: readonly { readonly span?: { readonly offset: number } }[];
};

/**
 * Parses the output of `oxlint --format json` about `text`. Findings are in the order of the text.
 *
 * @throws SyntaxError for invalid JSON
 */
export function parseFindings(output: string, text: string): Finding[] {
  const { diagnostics = [] } = JSON.parse(output) as { diagnostics?: readonly Diagnostic[] };
  const bytes = Buffer.from(text, "utf8");
  const findings = diagnostics.map((diagnostic) => toFinding(diagnostic, bytes));
  return findings.sort((a, b) => a.line - b.line || a.column - b.column);
}

function toFinding(diagnostic: Diagnostic, bytes: Buffer): Finding {
  const offset = diagnostic.labels?.[0]?.span?.offset ?? 0;
  return {
    ...positionAt(bytes, offset),
    ...(diagnostic.code ? { rule: ruleName(diagnostic.code) } : {}),
    severity: diagnostic.severity === "error" ? "error" : "warning",
    message: diagnostic.message,
    ...(diagnostic.help ? { help: diagnostic.help } : {}),
    ...(diagnostic.url ? { url: diagnostic.url } : {}),
    fixable: false,
  };
}

/** Converts a byte offset to a position. The columns of oxlint cannot be used, because they count bytes. */
export function positionAt(bytes: Buffer, offset: number): Position {
  const before = bytes.subarray(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let at = before.indexOf("\n"); at >= 0; at = before.indexOf("\n", at + 1)) line += 1;
  const left = before
    .subarray(lineStart)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  return { line, column: left.length + 1 };
}

/**
 * Marks as fixable the findings that are missing after `oxlint --fix`. Fixes move lines, so two findings are the same
 * if their rule and message are equal.
 */
export function markFixable(findings: readonly Finding[], remaining: readonly Finding[]): Finding[] {
  const left = new Map<string, number>();
  for (const finding of remaining) left.set(keyOf(finding), (left.get(keyOf(finding)) ?? 0) + 1);
  return findings.map((finding) => {
    const count = left.get(keyOf(finding)) ?? 0;
    if (count > 0) left.set(keyOf(finding), count - 1);
    return { ...finding, fixable: count === 0 && finding.rule !== undefined };
  });
}

function keyOf(finding: Finding): string {
  return `${finding.rule} ${finding.message}`;
}

/**
 * Returns the rule's name as config files use it: `eslint(use-isnan)` → `use-isnan`, `oxc(missing-throw)` →
 * `oxc/missing-throw`.
 */
function ruleName(code: string): string {
  const [, plugin, rule] = /^([^(]+)\((.+)\)$/.exec(code) ?? [];
  if (!plugin || !rule) return code;
  return plugin === "eslint" ? rule : `${plugin.replace(/^typescript-eslint$/, "typescript")}/${rule}`;
}
