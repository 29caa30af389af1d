import type { ToolCallContent, Turn } from "@turnkit/agent";
import { asSentence } from "@turnkit/transport";
import { messageOf } from "../errors.js";
import { code } from "../markdown.js";
import type { ConversationItem } from "../model.js";
import { plainLine } from "../plain-line.js";
import { titleOf } from "../session-options.js";
import type { Checkpoints, ShownChange, Undone } from "./checkpoints.js";

type CommandTurn = Pick<Turn, "say" | "toolCall">;

/** Name of the tool call of an undo. By this name, a restore finds the prompts that were taken back. */
export const UNDO = "undo";

/** Largest number of files in one line of an answer. */
const MAX_NAMES = 20;
const MAX_NAME = 1_000;

/**
 * Takes back the last prompt: restores the files that its turn changed, and removes the turn from the conversation. A
 * file that a person changed after the turn is kept and named.
 */
export async function undoLastPrompt(
  turn: CommandTurn,
  { checkpoints, conversation }: { readonly checkpoints: Checkpoints; readonly conversation: ConversationItem[] },
): Promise<void> {
  const start = conversation.findLastIndex((item) => item.role === "user" && item.promptId !== undefined);
  const prompt = conversation[start];
  if (prompt?.role !== "user" || prompt.promptId === undefined) {
    await turn.say("There is nothing to undo: the conversation has no prompt, or is a summary.");
    return;
  }
  const { promptId } = prompt;
  const call = turn.toolCall({ name: UNDO, title: "Undo the last prompt", kind: "edit" });
  try {
    const changes = await checkpoints.changes(promptId);
    const undone = await checkpoints.undo(promptId);
    conversation.length = start;
    const content = toDiff(changes.filter(({ name }) => undone.restored.includes(name)).map(reversed));
    await call.finish({ content, rawOutput: { promptId, ...undone } });
    await turn.say(describe(undone, titleOf(prompt.content)));
  } catch (error) {
    await call.fail(messageOf(error));
    await turn.say(asSentence(`Nothing was undone: ${messageOf(error)}`));
  }
}

/**
 * Shows the file changes of the last prompt. With `all`, shows all file changes since the first checkpoint of the
 * session.
 */
export async function showChanges(
  turn: CommandTurn,
  options: {
    readonly checkpoints: Checkpoints;
    readonly conversation: readonly ConversationItem[];
    readonly all: boolean;
  },
): Promise<void> {
  const { checkpoints, conversation, all } = options;
  const prompt = conversation.findLast((item) => item.role === "user" && item.promptId !== undefined);
  const promptId = prompt?.role === "user" ? prompt.promptId : undefined;
  const since = all ? "since the first change of this session" : "with the last prompt";
  try {
    const changes = all || promptId !== undefined ? await checkpoints.changes(all ? undefined : promptId) : [];
    if (changes.length === 0) {
      await turn.say(`No files were changed ${since}.`);
      return;
    }
    const call = turn.toolCall({ name: "diff", title: "Show the changed files", kind: "read" });
    await call.finish({ content: toDiff(changes) });
    await turn.say(`Files that changed ${since}: ${names(changes.map(({ name }) => name))}.`);
  } catch (error) {
    await turn.say(asSentence(`The changes are not known: ${messageOf(error)}`));
  }
}

function describe({ restored, kept, missed, isUnfinished }: Undone, title: string | undefined): string {
  const lines = [
    ...(restored.length > 0 ? [`- Restored: ${names(restored)}.`] : []),
    ...(kept.length > 0 ? [`- **Kept as they are**, because they changed after my turn: ${names(kept)}.`] : []),
    ...(missed.length > 0
      ? [`- Not restored, because no checkpoint has ignored, large or secret files: ${names(missed)}.`]
      : []),
    ...(isUnfinished ? ["- Not restored: files of that turn, because I was ended in the middle of it."] : []),
  ];
  const what = `I took back ${title === undefined ? "the last prompt" : `the prompt “${title}”`} and my answer to it.`;
  return [what, lines.length > 0 ? lines.join("\n") : "It had changed no files."].join("\n\n");
}

const names = (all: readonly string[]): string => {
  const shown = all.slice(0, MAX_NAMES).map((name) => code(plainLine(name, MAX_NAME)));
  return `${shown.join(", ")}${all.length > MAX_NAMES ? ` and ${all.length - MAX_NAMES} more` : ""}`;
};

const reversed = (change: ShownChange): ShownChange => ({
  ...change,
  operation: change.operation === "add" ? "delete" : change.operation === "delete" ? "add" : "modify",
  before: change.after,
  after: change.before,
});

function toDiff(changes: readonly ShownChange[]): readonly ToolCallContent[] {
  if (changes.length === 0) return [];
  const shown = changes.map(({ operation, path, before: oldText, after: newText }) => {
    return { operation, path, oldText, newText };
  });
  return [{ type: "diff", changes: shown }];
}
