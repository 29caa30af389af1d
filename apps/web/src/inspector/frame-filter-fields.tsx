import { useMemo } from "react";
import type { FrameFilter, FrameRow } from "./frame-rows.js";

type FieldsProps = {
  readonly rows: readonly FrameRow[];
  readonly filter: FrameFilter;
  readonly set: (filter: FrameFilter) => void;
};

/** Fields that choose which frames are shown. */
export function FrameFilterFields({ rows, filter, set }: FieldsProps) {
  const methods = useMemo(() => [...new Set(rows.map(({ method }) => method))].sort(), [rows]);
  return (
    <form className="frame-filter" onSubmit={(event) => event.preventDefault()}>
      <label>
        Text{" "}
        <input
          type="search"
          value={filter.text}
          onChange={({ target }) => set({ ...filter, text: target.value })}
          spellCheck={false}
        />
      </label>
      <label>
        Direction{" "}
        <select
          value={filter.direction}
          onChange={({ target }) => set({ ...filter, direction: target.value as FrameFilter["direction"] })}
        >
          <option value="all">all</option>
          <option value="sent">sent</option>
          <option value="received">received</option>
        </select>
      </label>
      <label>
        Method{" "}
        <select value={filter.method} onChange={({ target }) => set({ ...filter, method: target.value })}>
          <option value="">all</option>
          {methods.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </select>
      </label>
      <label>
        <input
          type="checkbox"
          checked={filter.onlyHints}
          onChange={({ target }) => set({ ...filter, onlyHints: target.checked })}
        />{" "}
        Only with hints
      </label>
    </form>
  );
}
