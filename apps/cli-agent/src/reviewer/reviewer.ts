import { basename } from "node:path";
import type { ContentBlock } from "@turnkit/agent";
import { code, fence } from "../markdown.js";
import type { ConversationItem, Model, ModelPart, ToolOutput } from "../model.js";
import type { EditReport } from "../tools/file-change.js";
import type { LintReport } from "../tools/lint-file.js";
import {
  cannotListChanges,
  cannotReview,
  countFindings,
  explainFindings,
  HELP,
  hasSyntaxError,
  LIMITS,
  NO_FILE,
  nothingToReview,
  notWritten,
  type Progress,
  planEntries,
  plural,
  type ReviewStage,
  unsupported,
} from "./answers.js";
import { MAX_FILES, type Mention, readChanges, readRequest } from "./request.js";

/**
 * Offline model. It follows a script and calls the same tools as a language model.
 *
 * The model has no state between requests. Each request runs the script again from its start, with the tool outputs of
 * the conversation. Only new steps produce output.
 */
export const reviewer: Model = {
  id: "reviewer",
  name: "Offline reviewer (oxlint)",
  async *respond({ conversation, signal }): AsyncGenerator<ModelPart> {
    const { prompt, steps } = currentTurn(conversation);
    const script = review(prompt);
    let news: ModelPart[] = [];
    for (let step = script.next(); ; ) {
      signal.throwIfAborted();
      if (step.done) {
        yield* news;
        yield { type: "finish", finishReason: step.value ? "stop" : "content-filter" };
        return;
      }
      if (step.value.type !== "call") {
        news.push({ type: step.value.type === "say" ? "text-delta" : "reasoning-delta", text: step.value.text });
        step = script.next([]);
        continue;
      }
      const outputs = steps.shift();
      if (outputs === undefined) {
        yield* news;
        const first = conversation.length;
        for (const [index, call] of step.value.calls.entries()) {
          yield { type: "tool-call", toolCallId: `reviewer-${first}-${index}`, ...call };
        }
        yield { type: "finish", finishReason: "tool-calls" };
        return;
      }
      news = [];
      step = script.next(outputs);
    }
  },
};

/** Returns the last prompt, and for each step after the prompt the outputs of its tools. */
function currentTurn(conversation: readonly ConversationItem[]): {
  prompt: readonly ContentBlock[];
  steps: (readonly ToolOutput[])[];
} {
  const start = conversation.findLastIndex(({ role }) => role === "user");
  const item = conversation[start];
  return {
    prompt: item?.role === "user" ? item.content : [],
    steps: conversation
      .slice(start + 1)
      .flatMap((next) => (next.role === "tool" ? [next.content.map(({ output }) => output)] : [])),
  };
}

type Call = { readonly toolName: string; readonly input: object };

/**
 * Step of a script. After the step `call`, the script continues with the outputs of the calls, in the order of the
 * calls.
 */
type Step =
  | { readonly type: "say" | "think"; readonly text: string }
  | { readonly type: "call"; readonly calls: readonly Call[] };

type Script<T = void> = Generator<Step, T, readonly ToolOutput[]>;

/**
 * Text to review. `file` is the path for tools. It is absent if the prompt contains the text and no such file exists
 * here.
 */
type Source = { readonly name: string; readonly text: string; readonly file?: string };
type ShowPlan = (stage: ReviewStage) => Call;

/**
 * Script that answers one prompt. The same prompt and outputs always give the same steps. The result is `false` if the
 * answer only says why nothing was reviewed. The turn is then refused, so that a script without a terminal sees it.
 */
function* review(prompt: readonly ContentBlock[]): Script<boolean> {
  const request = readRequest(prompt);
  if (request === "help") {
    yield* say(HELP);
    return true;
  }
  if (request === "changes") return yield* reviewChanges();
  const { files, omitted } = request;
  if (files.length === 0) {
    yield* say(NO_FILE);
    return false;
  }
  yield {
    type: "think",
    text: `The prompt names ${plural(files.length + omitted, "file")}: ${namesOf(files).join(", ")}.`,
  };
  return yield* reviewFiles(files, omitted);
}

/** Reviews the files that are changed and not committed. The tool `git_diff` leaves out files that may hold secrets. */
function* reviewChanges(): Script<boolean> {
  const [output] = yield* call({ toolName: "git_diff", input: { names: true } });
  if (output?.type === "error") yield* say(cannotListChanges(output));
  if (output?.type !== "text") return false;
  const { files, omitted, others } = readChanges(output.value);
  if (files.length === 0) {
    yield* say(nothingToReview(others));
    return others === 0;
  }
  yield* say(
    `${plural(files.length + omitted, "changed file")} to review: ${namesOf(files).map(code).join(", ")}.\n\n`,
  );
  if (others > 0) yield* say(`I have no rules for ${plural(others, "other changed file")}.\n\n`);
  return yield* reviewFiles(files, omitted);
}

const namesOf = (files: readonly Mention[]): readonly string[] => files.map(({ path }) => basename(path) || path);

/** Reviews files. Returns `false` if none of them could be reviewed. */
function* reviewFiles(files: readonly Mention[], omitted: number): Script<boolean> {
  const names = namesOf(files);
  const plan = (progress: Progress): Call => {
    return { toolName: "update_plan", input: { entries: planEntries(names, progress) } };
  };
  let checked = 0;
  for (const [index, file] of files.entries()) {
    if (yield* reviewFile(file, (stage) => plan({ file: index, stage }))) checked += 1;
  }
  if (checked > 0) yield* say(LIMITS);
  yield* call(plan("done"));
  if (omitted > 0)
    yield* say(`I review ${MAX_FILES} files at a time; ${omitted} more will have to wait for your next message.\n\n`);
  return checked > 0;
}

/** Reviews a file. Returns `true` if its rules were checked. */
function* reviewFile(mention: Mention, plan: ShowPlan): Script<boolean> {
  const source = yield* readSource(mention, plan);
  if (source === undefined) return false;
  const refusal = unsupported(source.name);
  if (refusal !== undefined) {
    yield* say(refusal);
    return false;
  }
  const report = yield* lint(source, plan("check"));
  if (report === undefined) return false;
  const name = code(report.path);
  if (report.findings.length === 0) {
    const lines = plural(source.text.replace(/\n$/, "").split("\n").length, "line");
    yield* say(`${name} is clean as far as my rules go: nothing to report in its ${lines}.${noteOf(report)}\n\n`);
    return true;
  }
  yield* call(plan("explain"));
  yield* say(
    hasSyntaxError(report)
      ? `${name} does not parse, so no rule could look at it. This comes first:\n\n`
      : `I found ${countFindings(report)} in ${name}.${noteOf(report)}\n\n`,
  );
  for (const paragraph of explainFindings(report, source.text)) yield* say(paragraph);
  if (!hasSyntaxError(report)) yield* fix(source, report, plan("fix"));
  return true;
}

/** Reads a text to review. The file's current content is preferred; otherwise the text of the prompt is used. */
function* readSource(mention: Mention, plan: ShowPlan): Script<Source | undefined> {
  const { path, text: attached } = mention;
  const name = basename(path) || path;
  if (isForeign(path)) {
    yield* call(plan("read"));
    if (attached !== undefined) return { name, text: attached };
    yield* say(`${code(path)} is not a file that I can read. Please name a file, or attach its text.\n\n`);
    return undefined;
  }
  const [, output] = yield* call(plan("read"), { toolName: "read_file", input: { path, whole: true, numbers: false } });
  if (output?.type === "text") {
    if (attached !== undefined && attached !== output.value) {
      yield* say(`${code(name)} has changed since it was attached; I review what it holds now.\n\n`);
    }
    return { name, text: output.value, file: path };
  }
  if (attached !== undefined) return { name, text: attached };
  if (output?.type === "error") yield* say(cannotReview(output));
  return undefined;
}

/**
 * Returns `true` for a URI that is not a file, such as `https://…` or `untitled:1`. A single letter before the colon is
 * a Windows drive.
 */
function isForeign(path: string): boolean {
  return /^[a-z][a-z\d+.-]+:/i.test(path);
}

function* lint({ name, text, file }: Source, plan?: Call): Script<LintReport | undefined> {
  const check = { toolName: "lint_file", input: file === undefined ? { path: name, text } : { path: file } };
  const outputs = yield* plan === undefined ? call(check) : call(plan, check);
  const output = outputs.at(-1);
  if (output?.type === "json") return reportOf(output.value);
  if (output?.type === "error") yield* say(cannotReview(output));
  return undefined;
}

/**
 * Returns the report in an output. Hooks, and project rules of inner folders, may add text before or after the report.
 */
function reportOf(value: unknown): LintReport {
  const wrapped = value as { readonly result?: unknown; readonly more?: unknown };
  return wrapped.result !== undefined && wrapped.more !== undefined ? reportOf(wrapped.result) : (value as LintReport);
}

/** Returns a sentence about the project's own rules, with a space before it; `""` if there are none. */
function noteOf({ projectRules, note }: LintReport): string {
  if (projectRules !== undefined) return ` The rules of ${code(projectRules)} are used too.`;
  return note === undefined ? "" : ` ${note}`;
}

function* fix(source: Source, report: LintReport, plan: Call): Script {
  const fixable = report.findings.filter((finding) => finding.fixable).length;
  if (report.fix === undefined) return yield* say("None of this can be fixed automatically.\n\n");
  const proposal = fixable > 0 ? `one edit, for ${fixable} of them` : "one edit";
  if (source.file === undefined) {
    yield* say(`I would propose ${proposal}, but the text is not a file that I can write. This is the edit:\n\n`);
    return yield* say(`${fence(report.fix.patch.trimEnd(), "diff")}\n\n`);
  }
  yield* say(`I propose ${proposal}.\n\n`);
  const edit = { toolName: "edit_file", input: { path: source.file, edits: report.fix.edits } };
  const [, output] = yield* call(plan, edit);
  if (output?.type === "error") return yield* say(notWritten(source.name, output));
  if (output?.type !== "json") return;
  if (!(output.value as EditReport).written) {
    return yield* say("This session is in `review` mode, so the edit is shown and not written.\n\n");
  }
  const after = yield* lint(source);
  if (after === undefined) return;
  const left = after.findings.length === 0 ? "nothing is left" : `${countFindings(after)} left for you`;
  yield* say(`The edit is written. I checked ${code(report.path)} again: ${left}.\n\n`);
}

function* say(text: string): Script {
  yield { type: "say", text };
}

function* call(...calls: readonly Call[]): Script<readonly ToolOutput[]> {
  return yield { type: "call", calls };
}
