import { Fold } from "../timeline/folds.js";

const LONGEST = 20_000;

/** Input or output of a tool: its command as it would be typed, and the rest as text. */
export type ToolValue = { readonly command: string; readonly rest: string };

/** Reads the input or output of a tool. Both parts together have everything; without a command, it is an empty text. */
export function readValue(value: unknown): ToolValue {
  if (typeof value === "string") return { command: "", rest: value };
  const { command, ...others } = (value ?? {}) as { readonly command?: unknown };
  const isList =
    Array.isArray(command) && command.every((one) => typeof one === "string" && /^[\w@%+=:,./-]+$/.test(one));
  const line = isList ? command.join(" ") : command;
  if (typeof line === "string" && !Array.isArray(value)) return { command: line, rest: jsonText(others) };
  return { command: "", rest: jsonText(value) };
}

function jsonText(value: unknown): string {
  const text = value == null ? "" : JSON.stringify(value, null, 2);
  return text === "{}" ? "" : text;
}

/** Draws the input or output of a tool, folded. */
export function ToolInput({ label, value }: { readonly label: string; readonly value: unknown }) {
  const { command, rest } = readValue(value);
  const text = [command, rest].filter(Boolean).join("\n");
  if (text === "") return null;
  return (
    <Fold name={label} className="raw" summary={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>
        {text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} more` : text}
      </pre>
    </Fold>
  );
}
