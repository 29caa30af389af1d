import { type SessionState, selectModels, selectModes } from "@turnkit/session";
import { type Line, lineWidth, type Span, widthOf } from "../text/line.js";
import { clip } from "../text/wrap.js";

/** What the last line of the screen says. */
export type StatusFacts = {
  readonly agent: string;
  readonly state: SessionState;
  readonly width: number;
  /** What can be done now, the most useful first: as many as have room are shown. */
  readonly keys: readonly string[];
};

const METER = 8;

/** Who is talked to and what it costs on the left, what can be done on the right as far as there is room. */
export function statusLine({ agent, state, width, keys }: StatusFacts): Line {
  const facts: Span[][] = [[["bold", agent]]];
  const mode = selectModes(state);
  const model = selectModels(state);
  if (mode !== undefined) facts.push([["magenta", mode.current?.name ?? mode.option.currentValue]]);
  if (model !== undefined) facts.push([model.current?.name ?? model.option.currentValue]);
  if (state.usage !== undefined && state.usage.size > 0) facts.push(usageSpans(state.usage));
  const cost = state.usage?.cost;
  if (cost !== undefined) facts.push([["dim", `${cost.amount.toFixed(2)} ${cost.currency}`]]);
  const left = facts.flatMap((spans, index): readonly Span[] => (index === 0 ? spans : [["dim", " · "], ...spans]));
  const room = width - lineWidth(left);
  const shown = keys.map((_, index) => keys.slice(0, keys.length - index).join("  "));
  const right = shown.find((text) => widthOf(text) + 2 <= room);
  return right === undefined ? clip(left, width) : [...left, " ".repeat(room - widthOf(right)), ["dim", right]];
}

function usageSpans({ used, size }: NonNullable<SessionState["usage"]>): Span[] {
  const share = Math.max(0, Math.min(1, used / size));
  const full = Math.round(share * METER);
  const style = share > 0.9 ? "red" : share > 0.7 ? "yellow" : "green";
  return [[style, "█".repeat(full)], ["dim", "░".repeat(METER - full)], ` ${Math.round(share * 100)} %`];
}
