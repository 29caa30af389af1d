import type { ContentBlock } from "@turnkit/session";
import { type Attachment, checkAttachments, findAttachment } from "../prompt/attachment.js";
import { type PromptReader, promptBlocks, refusalOf } from "../prompt/prompt-blocks.js";
import { readDraft } from "../prompt/prompt-draft.js";
import { oneLine } from "../sanitise.js";
import type { AgentLink } from "./agent-link.js";
import { droppedImage } from "./dropped-image.js";
import { type Fold, type Folds, foldsIn, withPastes } from "./model/folds.js";
import type { PastedImage } from "./model/ui.js";

export type TypedPrompt = {
  readonly text: string;
  readonly folds: Folds;
  /** Reasons of refusals, which precede the text. */
  readonly reasons: readonly string[];
  /** Directory of the session. Mentioned paths are relative to it. */
  readonly directory: string;
};

/** Maximum number of characters of a command's output that the agent gets. Of a longer output, the end is sent. */
const MAX_OUTPUT = 64 * 1024;

/**
 * Returns the content of a prompt: the text with pastes in full, the output of each attached command, and a block for
 * each file. Only typed mentions attach files. Mentions in pasted text attach nothing.
 *
 * @throws UsageError for a mentioned file or a picture that cannot be sent
 */
export async function promptContent(
  { text, folds, reasons, directory }: TypedPrompt,
  reader: PromptReader,
): Promise<string | readonly ContentBlock[]> {
  const draft = await readDraft(text, directory);
  const attachments = new Map(draft.attachments.map((one) => [one.path, one] as const));
  const used = foldsIn(text, folds);
  for (const fold of used) {
    if (fold.type === "image") attachments.set(fold.path, await findAttachment(fold.path));
  }
  const files: readonly Attachment[] = [...attachments.values()];
  checkAttachments(files);
  const outputs = used.flatMap((fold) => (fold.type === "output" ? outputText(fold) : []));
  const typed = withPastes(draft.text, folds);
  const whole = [...reasons, ...(typed === "" ? [] : [typed]), ...outputs].join("\n\n");
  return files.length === 0 ? whole : promptBlocks({ text: whole, attachments: files }, reader);
}

function outputText({ command, text, exit }: Extract<Fold, { readonly type: "output" }>): string {
  const cut = text.slice(-MAX_OUTPUT).replace(/^[\udc00-\udfff]/, "");
  const which = cut.length < text.length ? `the last ${cut.length} characters of its output` : "its output";
  const fence = fenceFor(`${command}${cut}`);
  return [
    ...[`I ran this command, and ${which} follows:`, ""],
    ...[`${fence}sh`, command, fence, "", fence, cut.trimEnd(), fence],
    ...(exit === undefined ? [] : ["", endText(exit)]),
  ].join("\n");
}

/** Returns a sentence about the end of a command. The output alone does not always show that a command failed. */
function endText({ exitCode, signal }: { readonly exitCode?: number | null; readonly signal?: string | null }): string {
  if (signal != null) return `It ended by ${oneLine(signal)}.`;
  return exitCode == null ? "It has ended." : `It ended with exit code ${exitCode}.`;
}

/** Returns a fence of Markdown that the text does not contain. */
function fenceFor(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  return "`".repeat(longest + 1);
}

type PromptReaderOptions = {
  /**
   * Agent that gets the prompt. Its capabilities limit the content of a prompt, and its folder on this machine contains
   * the files.
   */
  readonly link: Pick<AgentLink, "here" | "reader">;
  readonly env: NodeJS.ProcessEnv;
  readonly tell: (message: string) => void;
};

/**
 * Creates the functions that read files and images for a prompt. They use the folder that the agent has when they are
 * called.
 */
export function createPromptReaders({ link, env, tell }: PromptReaderOptions) {
  return {
    async files(): Promise<readonly string[]> {
      const { listCandidateFiles } = await import("./late-parts.js");
      return listCandidateFiles(link.here, env);
    },
    imageIn: (pasted: string): PastedImage | undefined => {
      const fold = droppedImage(pasted, link.here);
      return fold && { fold, notice: refusalOf("image", fold.name, link.reader) };
    },
    content: (prompt: Omit<TypedPrompt, "directory">) =>
      promptContent({ ...prompt, directory: link.here }, { ...link.reader, note: tell }),
  };
}
