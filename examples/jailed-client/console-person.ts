import { createInterface } from "node:readline/promises";
import type { PermissionPolicy } from "@turnkit/client";

/** Text without control and invisible characters: an agent cannot move the cursor or hide a part of a command. */
export const printable = (text: string): string =>
  text.replace(/[^\P{C}\n]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** Asks the person at the console. An empty line, the end of the input or a cancel of the agent allows nothing. */
export function askOnConsole(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): PermissionPolicy {
  return async ({ title, subject, options }, signal) => {
    const lines = [`\nThe agent asks: ${title}`];
    if (subject?.type === "tool_call") {
      const { title: call, rawInput, content } = subject.toolCall;
      lines.push(`  tool call: ${call}`);
      // The whole input is shown: the person approves all of it.
      if (rawInput !== undefined) lines.push(JSON.stringify(rawInput, null, 2));
      if (content && content.length > 0) lines.push(JSON.stringify(content, null, 2));
    }
    for (const [index, { name, kind }] of options.entries()) lines.push(`  ${index + 1}  ${name} (${kind})`);
    output.write(`${printable(lines.join("\n"))}\n`);
    const lineReader = createInterface({ input, output });
    const ended = new AbortController();
    lineReader.once("close", () => ended.abort());
    try {
      const line = await lineReader.question("Number: ", { signal: AbortSignal.any([signal, ended.signal]) });
      const chosen = /^\d+$/.test(line.trim()) ? options[Number(line) - 1] : undefined;
      return chosen ? { outcome: "selected", optionId: chosen.optionId } : { outcome: "cancelled" };
    } catch {
      return { outcome: "cancelled" };
    } finally {
      lineReader.close();
    }
  };
}
