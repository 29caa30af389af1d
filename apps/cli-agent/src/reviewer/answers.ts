import type { ToolFailureCode } from "../errors.js";
import { isLintable, LINTABLE } from "../lint/oxlint.js";
import { code } from "../markdown.js";
import type { ToolOutput } from "../model.js";
import { MAX_FILES } from "./request.js";

const KINDS = LINTABLE.map(code).join(", ");

export const HELP = `I review JavaScript and TypeScript files, without a network and without a language model. Name a file in your \
message, or attach it, for example: *Please review \`src/cart.ts\`*.

I read the file, check it with oxlint, explain every finding, and where oxlint knows a fix I propose one edit and ask \
before I write it.

- Files: ${KINDS}, up to 1 MB each and ${MAX_FILES} in one message, inside this session's folders.
- Modes: \`ask\` asks before every edit, \`review\` never writes.
- Commands: \`/review <file>\` and \`/help\`.
`;

export const NO_FILE = `I did not find a file in your message. ${HELP}`;

export function omittedFiles(count: number): string {
  return `I review ${MAX_FILES} files at a time; ${count} more will have to wait for your next message.\n\n`;
}

export function notAFile(uri: string): string {
  return `${code(uri)} is not a file that I can read. Please name a file, or attach its text.\n\n`;
}

type Failure = Extract<ToolOutput, { type: "error" }>;

/** Returns the reason for a missing review, and advice. */
export function cannotReview({ code: reason, message }: Failure): string {
  const advice = ADVICE[reason];
  return `${message}${advice === undefined ? "" : ` ${advice}`}\n\n`;
}

const ADVICE: Partial<Record<ToolFailureCode, string>> = {
  not_found: "Please check the path; it starts from this session's folder.",
  directory: "Please name a file in it.",
  binary: `I can only review text: ${KINDS}.`,
  too_large: "A file of this size is usually generated or bundled; please name the source that it is made from.",
  outside: "I only touch files inside them; open a session for that folder to have it reviewed.",
};

/** Returns the answer to a file without rules; `undefined` for a file with rules. */
export function unsupported(name: string): string | undefined {
  if (isLintable(name)) return undefined;
  return `I have no rules for ${code(name)}. I can review ${KINDS}.\n\n`;
}

export function notWritten(name: string, { code: reason, message }: Failure): string {
  if (reason === "denied") return `I left ${code(name)} as it is.\n\n`;
  if (reason === "stale") return `${message} Ask me again to review what it holds now.\n\n`;
  return `The edit was not written: ${message}\n\n`;
}

const STAGES = ["read", "check", "explain", "fix"] as const;

export type Stage = (typeof STAGES)[number];

/** Progress of a review: the file and its stage, or the end. */
export type Progress = { readonly file: number; readonly stage: Stage } | "done";

type Entry = { readonly content: string; readonly status: "pending" | "in_progress" | "completed" };

/** Returns the current plan: the stages of a single file, or one entry per file. */
export function planEntries(names: readonly string[], progress: Progress): Entry[] {
  const [only] = names;
  if (names.length === 1 && only !== undefined) {
    const current = progress === "done" ? STAGES.length : STAGES.indexOf(progress.stage);
    const steps = [`Read ${only}`, "Check it with oxlint", "Explain the findings", "Propose a fix where there is one"];
    return steps.map((content, index) => ({ content, status: statusOf(index, current) }));
  }
  const current = progress === "done" ? names.length : progress.file;
  return names.map((name, index) => ({ content: `Review ${name}`, status: statusOf(index, current) }));
}

function statusOf(index: number, current: number): Entry["status"] {
  return index < current ? "completed" : index === current ? "in_progress" : "pending";
}
