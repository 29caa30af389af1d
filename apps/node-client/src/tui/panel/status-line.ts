import { basename } from "node:path";
import { type SessionState, selectModels, selectModes } from "@turnkit/session";
import { costText } from "../../render/cost.js";
import { cut, type Line, type Span } from "../../render/line.js";
import { clip, lineWidth, widthOf } from "../../render/wrap.js";

export type StatusFacts = {
  readonly agent: string;
  readonly state: SessionState;
  readonly directory: string;
  /** Branch of the repository that contains the directory. */
  readonly branch?: string | undefined;
  readonly size: { readonly columns: number };
  /** `true` until the first session is open. */
  readonly isStarting?: boolean;
};

const METER = 8;
const MAX_NAME = 30;
/** Maximum number of characters of a fact that the agent sends. */
const MAX_FACT = 200;
/** Minimum width of a window whose status line has the folder. */
const ROOMY = 60;

/**
 * Returns the status line. The agent, mode, model, context, cost, folder and branch are on the left. The keys are on the
 * right, the most useful first. In a narrow window, the meter, the folder and the keys are left out, in this order.
 */
export function statusLine(facts: StatusFacts, keys: readonly string[]): Line {
  const width = facts.size.columns;
  const needed = keys[0] === undefined ? 0 : widthOf(keys[0]) + 2;
  // The first form usually fits. The other forms are made only if they are needed, because every frame has this line.
  const whole = leftOf(facts, { meter: METER, short: width < ROOMY });
  const left = lineWidth(whole) + needed <= width ? whole : shorterOf(facts, whole, needed);
  const room = width - lineWidth(left);
  const shown = keys.map((_, index) => keys.slice(0, keys.length - index).join("  "));
  const right = shown.find((text) => widthOf(text) + 2 <= room);
  return right === undefined ? clip(left, width) : [...left, " ".repeat(room - widthOf(right)), ["dim", right]];
}

/**
 * Returns the first form that leaves room for the keys, or else the first form that fits. `whole` is the longest form.
 */
function shorterOf(facts: StatusFacts, whole: Line, needed: number): Line {
  const width = facts.size.columns;
  const short = leftOf(facts, { meter: 0, short: true });
  const forms = [whole, leftOf(facts, { meter: 0, short: width < ROOMY }), short];
  return (
    forms.find((form) => lineWidth(form) + needed <= width) ?? forms.find((form) => lineWidth(form) <= width) ?? short
  );
}

function leftOf(
  { agent, state, directory, branch, isStarting }: StatusFacts,
  { meter, short = false }: { readonly meter: number; readonly short?: boolean },
): Line {
  const mode = selectModes(state);
  const model = selectModels(state);
  const { usage } = state;
  const folder: Span[] = [["dim", `${basename(directory) || directory}${branch === undefined ? "" : `:${branch}`}`]];
  const facts: readonly (readonly Span[])[] = [
    isStarting
      ? [
          ["bold", agent],
          ["dim", " is starting"],
        ]
      : [["bold", agent]],
    ...(mode === undefined
      ? []
      : [[["magenta", cut(mode.current?.name ?? mode.option.currentValue, MAX_FACT)] as const]]),
    ...(model === undefined ? [] : [[cut(model.current?.name ?? model.option.currentValue, MAX_FACT)]]),
    ...(usage !== undefined && usage.size > 0 ? [usageSpans(usage, meter)] : []),
    ...(usage?.cost === undefined ? [] : [[["dim", cut(costText(usage.cost), MAX_FACT)] as const]]),
    ...(short ? [] : [clip(folder, MAX_NAME)]),
  ];
  return facts.flatMap((spans, index): readonly Span[] => (index === 0 ? spans : [["dim", " · "], ...spans]));
}

function usageSpans({ used, size }: NonNullable<SessionState["usage"]>, meter: number): readonly Span[] {
  const share = Math.max(0, Math.min(1, used / size));
  const full = Math.round(share * meter);
  const style = share > 0.9 ? "red" : share > 0.7 ? "yellow" : "green";
  const percent = `${Math.round(share * 100)} %`;
  if (meter === 0) return [[style, percent]];
  return [[style, "█".repeat(full)], ["dim", "░".repeat(meter - full)], ` ${percent}`];
}
