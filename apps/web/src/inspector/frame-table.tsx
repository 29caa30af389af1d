import { memo, useState } from "react";
import type { FrameRow } from "./frame-rows.js";

/** Rows that are drawn at first, and that a click adds. */
const PAGE = 300;

type TableProps = {
  readonly rows: readonly FrameRow[];
  readonly chosen: number | undefined;
  readonly choose: (number: number) => void;
};

/** Table of frames, the newest last. Only the newest rows are drawn. */
export function FrameTable({ rows, chosen, choose }: TableProps) {
  const [count, setCount] = useState(PAGE);
  const first = Math.max(0, rows.length - count);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <section className="frames" tabIndex={0} aria-label="Frames">
      {first === 0 ? null : (
        <button type="button" onClick={() => setCount(count + PAGE)}>
          Show {Math.min(first, PAGE)} earlier frames of {first}
        </button>
      )}
      <table>
        <thead>
          <tr>
            {["Time, s", "Direction", "Method", "Kind", "Size", "Latency, ms", "Hints"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(first).map((row) => (
            <Row key={row.number} row={row} isChosen={row.number === chosen} choose={choose} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

type RowProps = { readonly row: FrameRow; readonly isChosen: boolean; readonly choose: (number: number) => void };

const words = { sent: "→ sent", received: "← received", none: "" } as const;

const Row = memo(
  ({ row, isChosen, choose }: RowProps) => (
    <tr data-chosen={isChosen || undefined} data-hints={row.hints.length > 0 || undefined}>
      <td className="figure">{(row.ms / 1_000).toFixed(3)}</td>
      <td>{words[row.direction]}</td>
      <td>
        <button type="button" aria-pressed={isChosen} onClick={() => choose(row.number)}>
          {row.method}
        </button>
      </td>
      <td>{row.kind}</td>
      <td className="figure">{row.size}</td>
      <td className="figure">{row.latency}</td>
      <td>{row.hints.length === 0 ? "" : row.hints.length}</td>
    </tr>
  ),
  // Each reading makes new rows of the same frames.
  (before, now) =>
    before.isChosen === now.isChosen &&
    before.choose === now.choose &&
    before.row.number === now.row.number &&
    before.row.ms === now.row.ms &&
    before.row.method === now.row.method &&
    before.row.latency === now.row.latency &&
    before.row.size === now.row.size &&
    before.row.hints.length === now.row.hints.length,
);
