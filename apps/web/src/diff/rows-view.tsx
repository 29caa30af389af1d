import { useState, useSyncExternalStore } from "react";
import { type DiffRow, pairRows } from "./diff-rows.js";

/** Number of lines that are drawn as a table. A click shows the others. */
const SHOWN = 400;

const signs = { same: " ", added: "+", removed: "-", mark: "" } as const;
const names = { same: "", added: "added", removed: "removed", mark: "" } as const;

type RowsProps = {
  readonly rows: readonly DiffRow[];
  /** `true` shows all lines without a click. After the table they are a text, which is fast at any length. */
  readonly isWhole: boolean;
};

/** Draws the lines of a diff: one below the other, and on wide screens side by side. */
export function RowsView({ rows, isWhole }: RowsProps) {
  const [isOpen, setOpen] = useState(false);
  const isWide = useWideScreen();
  const shown = isOpen ? rows : rows.slice(0, SHOWN);
  const others = rows.slice(shown.length);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <div className="rows" tabIndex={0}>
      {/* biome-ignore lint/a11y/noRedundantRoles: the style of the table takes its role from it in some browsers. */}
      <table role="table">
        <tbody>{isWide ? <SideBySide rows={shown} /> : <Unified rows={shown} />}</tbody>
      </table>
      {isWhole && others.length > 0 ? (
        <pre>{others.map(({ kind, text }) => `${signs[kind]}${text}`).join("\n")}</pre>
      ) : null}
      {isWhole || others.length === 0 ? null : (
        <button type="button" onClick={() => setOpen(true)}>
          Show {others.length} more lines
        </button>
      )}
    </div>
  );
}

function Unified({ rows }: { readonly rows: readonly DiffRow[] }) {
  return rows.map((row, index) => (
    <tr key={index} data-kind={row.kind}>
      <td className="number">{row.before}</td>
      <td className="number">{row.after}</td>
      <Line row={row} />
    </tr>
  ));
}

function SideBySide({ rows }: { readonly rows: readonly DiffRow[] }) {
  return pairRows(rows).map(({ before, after }, index) =>
    before?.kind === "mark" ? (
      <tr key={index} data-kind="mark">
        <td className="number" />
        <td colSpan={3}>{before.text}</td>
      </tr>
    ) : (
      <tr key={index}>
        <td className="number">{before?.before}</td>
        <Line row={before} />
        <td className="number">{after?.after}</td>
        <Line row={after} />
      </tr>
    ),
  );
}

function Line({ row }: { readonly row: DiffRow | undefined }) {
  if (row === undefined) return <td className="line" />;
  const { kind, text } = row;
  return (
    <td className="line" data-kind={kind}>
      {names[kind] === "" ? null : <span className="unseen">{names[kind]} </span>}
      <span aria-hidden="true">{signs[kind]}</span>
      {text}
    </td>
  );
}

const WIDE = "(min-width: 100rem)";
const subscribe = (changed: () => void) => {
  const query = globalThis.matchMedia?.(WIDE);
  query?.addEventListener("change", changed);
  return () => query?.removeEventListener("change", changed);
};
const read = () => globalThis.matchMedia?.(WIDE).matches ?? false;

function useWideScreen(): boolean {
  return useSyncExternalStore(subscribe, read);
}
