import * as z from "zod";
import { MAX_BYTES, ToolError, tooLarge } from "../errors.js";
import { withoutDisabling } from "../lint/disabling-comments.js";
import { editsBetween, patchBetween, type TextEdit } from "../lint/edits.js";
import type { Finding } from "../lint/finding.js";
import { type LoadedLint, loadProjectLint, mayHideFindings } from "../lint/load-project-lint.js";
import { isLintable, LINTABLE, lintText, type OxlintPlace } from "../lint/oxlint.js";
import { askToRead } from "./ask-to-read.js";
import { defineTool, pathInput } from "./tool.js";

const MAX_FINDINGS = 100;
const MAX_LOCATIONS = 20;

export type LintReport = {
  readonly path: string;
  /**
   * First 100 findings: errors first, then in the order of the file. A finding without `rule` is a syntax error. The file then has no other
   * findings.
   */
  readonly findings: readonly Finding[];
  readonly omitted: number;
  /**
   * Name of the project's configuration, if its rules were used; otherwise a sentence with the reason, if the reason is
   * known.
   */
  readonly projectRules?: string;
  readonly note?: string;
  /** Result of `oxlint --fix`. `edits` is the input for `edit_file`, and `patch` is a unified diff. */
  readonly fix?: { readonly edits: readonly TextEdit[]; readonly patch: string };
};

export const lintFileTool = defineTool({
  name: "lint_file",
  description:
    `Checks a JavaScript or TypeScript file (${LINTABLE.join(", ")}) for mistakes with oxlint. Returns the findings ` +
    "and, where some can be fixed automatically, the edits for edit_file.",
  input: z.object({
    path: pathInput,
    text: z.string().optional().describe("Check this text under that name and read nothing."),
  }),
  parallel: true,
  open({ path: given, text }, context) {
    const { workspace, signal } = context;
    // With a `text`, the path is only a name. No file is read.
    const { path, name, inside } =
      text === undefined ? workspace.locate(given) : { path: given, name: given, inside: false };
    return {
      start: {
        title: `Check ${name} with oxlint`,
        kind: "execute",
        locations: inside ? [{ path }] : [],
        rawInput: { path: given },
      },
      async run(call) {
        if (!isLintable(path)) throw new ToolError("unsupported", `\`${name}\` is none of ${LINTABLE.join(", ")}.`);
        if (text !== undefined && text.length > MAX_BYTES) throw tooLarge(name, Buffer.byteLength(text));
        const real = text === undefined ? await askToRead(call, path, context) : undefined;
        const loaded = text === undefined ? await loadProjectLint(path, context) : {};
        const ignoresComments = text !== undefined || !(await mayHideFindings(path, context));
        const source = { name, text: text ?? (await workspace.read(path, signal, { real })), ignoresComments };
        const report = await lint(source, loaded, { roots: workspace.roots, signal });
        const lines = [...new Set(report.findings.map(({ line }) => line))].slice(0, MAX_LOCATIONS);
        await call.update({
          ...(inside && lines.length > 0 ? { locations: lines.map((line) => ({ path, line })) } : {}),
          content: [{ type: "content", content: { type: "text", text: summaryOf(report) } }],
          rawOutput: report,
        });
        return { type: "json", value: report };
      },
    };
  },
});

type Source = { readonly name: string; readonly text: string; readonly ignoresComments: boolean };

async function lint(
  { name, text, ignoresComments }: Source,
  loaded: LoadedLint,
  place: OxlintPlace,
): Promise<LintReport> {
  const { project } = loaded;
  const ignored = ignoresComments ? withoutDisabling(text).count : 0;
  const note = [loaded.note, ignoredNote(ignored)].filter((one) => one !== undefined).join(" ");
  const { findings: inOrder, fixed } = await lintText(name, text, { ...place, project, ignoresComments });
  const findings = ["error", "warning"].flatMap((level) => inOrder.filter(({ severity }) => severity === level));
  return {
    path: name,
    ...(project && { projectRules: project.name }),
    ...(note !== "" && { note }),
    findings: findings.slice(0, MAX_FINDINGS),
    omitted: Math.max(0, findings.length - MAX_FINDINGS),
    ...(fixed === text
      ? {}
      : { fix: { edits: await editsBetween(text, fixed), patch: await patchBetween(text, fixed) } }),
  };
}

function ignoredNote(count: number): string | undefined {
  if (count === 0) return undefined;
  const comments = count === 1 ? "comment such as `eslint-disable` hides" : "comments such as `eslint-disable` hide";
  return `Its ${count} ${comments} nothing, because you do not trust this folder.`;
}

function summaryOf({ findings, omitted }: LintReport): string {
  if (findings.length === 0) return "No findings.";
  const lines = findings.map(
    ({ line, column, severity, message, rule }) =>
      `${line}:${column} ${severity} ${message}${rule ? ` (${rule})` : ""}`,
  );
  return ["```", ...lines, ...(omitted > 0 ? [`and ${omitted} more`] : []), "```"].join("\n");
}
