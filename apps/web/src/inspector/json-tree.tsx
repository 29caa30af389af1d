import { useState } from "react";
import { visibleText } from "../visible.js";

/** Members of a value that are shown. */
const MOST = 500;
/** Characters of a text that are shown. */
const LONGEST = 20_000;

/** Draws a value of JSON as a tree. Objects and lists are folded below the level `open`. */
export function JsonTree({
  name,
  value,
  open = 5,
}: {
  readonly name?: string;
  readonly value: unknown;
  readonly open?: number;
}) {
  const [isOpen, setOpen] = useState(open > 0);
  const label = name === undefined ? null : <span className="json-name">{visibleText(name)}: </span>;
  if (typeof value !== "object" || value === null) {
    return (
      <div>
        {label}
        <span className={`json-${typeof value}`}>{leafText(value)}</span>
      </div>
    );
  }
  const members = Object.entries(value);
  const [left, right] = Array.isArray(value) ? "[]" : "{}";
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span className="quiet">
          {left}
          {isOpen ? "" : `… ${members.length}`}
          {right}
        </span>
      </summary>
      {isOpen
        ? members
            .slice(0, MOST)
            .map(([key, member]) => <JsonTree key={key} name={key} value={member} open={open - 1} />)
        : null}
      {isOpen && members.length > MOST ? <p className="quiet">{members.length - MOST} more</p> : null}
    </details>
  );
}

function leafText(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return visibleText(text.length > LONGEST ? `${text.slice(0, LONGEST)}… ${text.length - LONGEST} more` : text);
}
