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
  const positionAt = createPositionReader(Buffer.from(text, "utf8"));
  const inOrder = diagnostics.toSorted((a, b) => offsetOf(a) - offsetOf(b));
  const findings = inOrder.map((diagnostic) => toFinding(diagnostic, positionAt(offsetOf(diagnostic))));
  return findings.sort((a, b) => a.line - b.line || a.column - b.column);
}

const offsetOf = ({ labels }: Diagnostic): number => labels?.[0]?.span?.offset ?? 0;

function toFinding(diagnostic: Diagnostic, position: Position): Finding {
  return {
    ...position,
    ...(diagnostic.code ? { rule: ruleName(diagnostic.code) } : {}),
    severity: diagnostic.severity === "error" ? "error" : "warning",
    message: diagnostic.message,
    ...(diagnostic.help ? { help: diagnostic.help } : {}),
    ...(diagnostic.url ? { url: diagnostic.url } : {}),
    fixable: false,
  };
}

const LINE_FEED = 0x0a;

/**
 * Returns a function that converts byte offsets to positions. Call it with ascending offsets, because it reads the text
 * only once. The columns of oxlint cannot be used, because they count bytes.
 */
export function createPositionReader(bytes: Buffer): (offset: number) => Position {
  let at = 0;
  let line = 1;
  let column = 1;
  return (offset) => {
    const end = Math.min(bytes.length, Math.max(at, offset));
    let lineStart = at;
    // A loop over the bytes is faster than a search for each line.
    for (; at < end; at += 1) {
      if (bytes[at] !== LINE_FEED) continue;
      line += 1;
      lineStart = at + 1;
      column = 1;
    }
    const added = bytes.toString("utf8", lineStart, end);
    // A byte order mark takes no column.
    column += added.length - (column === 1 && added.startsWith("\uFEFF") ? 1 : 0);
    return { line, column };
  };
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
