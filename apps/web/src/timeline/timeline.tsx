import type { Entry, Session } from "@turnkit/client";
import { useSelector } from "@turnkit/react";
import { type FocusEvent, type KeyboardEvent, memo, useEffect, useMemo, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { EntryView } from "../entry/entry-view.js";
import { FaultBoundary } from "../fault-boundary.js";
import type { EarlierEntries } from "../sessions/newest-first.js";
import { drawnState } from "./drawn-state.js";
import { EarlierNotice } from "./earlier-notice.js";
import { FoldMemory } from "./folds.js";
import { useFollowedEnd } from "./followed-end.js";
import { useKeptPlace } from "./kept-place.js";

/** Space above the first entry in pixels, as in the style. */
const TOP = 16;

type TimelineProps = {
  readonly session: Session;
  readonly earlier: EarlierEntries | undefined;
  /** `true` while a question of the session is open. */
  readonly isAsked: boolean;
  /** Number of prompts that the person has sent in this page. After each of them, the end is shown. */
  readonly sent: number;
};

/**
 * Conversation of a session. Only entries near the view have elements. It opens at its end. While the end is in view,
 * it follows new text. Near the start, it loads earlier entries.
 */
export function Timeline({ session, earlier, isAsked, sent }: TimelineProps) {
  const timeline = useSelector(drawnState(session), (state) => state.timeline);
  const list = useRef<VirtualizerHandle>(null);
  const { view, content, atEnd, isAway, isNearStart, toEnd } = useFollowedEnd(sent);
  const { kept, keep: keepPlace } = useKeptPlace({ timeline, list, view, atEnd, margin: TOP });
  const [focusedKey, setFocused] = useState<string | undefined>();
  const focused = focusedKey === undefined ? -1 : timeline.indexOf(focusedKey);
  const hasGrownAbove = useGrowthAbove(timeline);
  const chosen = useMemo(() => new Map<string, boolean>(), []);
  const keep = (event: FocusEvent) => {
    const row = (event.target as Element).closest<HTMLElement>("[data-row]")?.dataset.row;
    setFocused(row === undefined ? undefined : timeline.at(Number(row))?.key);
  };
  useEffect(() => {
    // While they are loaded, an open question disappears and comes again. So only the button loads them then.
    if (isNearStart && !isAsked && earlier?.status === "absent") earlier.load();
  }, [isNearStart, isAsked, earlier]);
  // The browser would scroll to the old position of the first or last entry, which changes when the entries between are
  // measured.
  const jump = (event: KeyboardEvent) => {
    const { key, target, currentTarget, ctrlKey, shiftKey, altKey, metaKey } = event;
    if ((key !== "Home" && key !== "End") || target !== currentTarget) return;
    if (ctrlKey || shiftKey || altKey || metaKey) return;
    event.preventDefault();
    if (key === "Home") list.current?.scrollTo(0);
    else list.current?.scrollToIndex(timeline.length - 1, { align: "end" });
  };
  return (
    <div className="timeline-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className="timeline" aria-label="Conversation" ref={view} tabIndex={0} onFocus={keep} onKeyDown={jump}>
        <div ref={content}>
          <Virtualizer
            ref={list}
            scrollRef={view}
            startMargin={TOP}
            shift={hasGrownAbove}
            data={{ length: timeline.length }}
            // An element with the focus stays, because otherwise the keyboard focus would be lost.
            keepMounted={[focused, kept].filter((index) => index >= 0)}
            onResize={keepPlace}
          >
            {(_: unknown, index: number) => {
              const entry = timeline.at(index) as Entry;
              return <Row key={entry.key} index={index} entry={entry} session={session} chosen={chosen} />;
            }}
          </Virtualizer>
        </div>
      </section>
      {isNearStart && earlier !== undefined ? (
        <EarlierNotice earlier={earlier} giveFocus={() => view.current?.focus({ preventScroll: true })} />
      ) : null}
      {isAway ? (
        <button type="button" className="to-end" onClick={toEnd}>
          ↓ <span className="unseen">Newest text</span>
        </button>
      ) : null}
    </div>
  );
}

/** Returns true in the drawing in which entries were added before the first one. Then the list keeps what is in view. */
function useGrowthAbove(timeline: Session["state"]["timeline"]): boolean {
  const first = timeline.at(0)?.key;
  const known = useRef(first);
  const had = known.current;
  useEffect(() => {
    known.current = first;
  });
  return had !== undefined && had !== first && timeline.has(had);
}

type RowProps = {
  readonly index: number;
  readonly entry: Entry;
  readonly session: Session;
  readonly chosen: Map<string, boolean>;
};

const Row = memo(({ index, entry, session, chosen }: RowProps) => {
  const { key } = entry;
  const scope = useMemo(() => ({ chosen, entry: key }), [chosen, key]);
  return (
    <div data-row={index}>
      <FaultBoundary>
        <FoldMemory value={scope}>
          <EntryView entry={entry} session={session} />
        </FoldMemory>
      </FaultBoundary>
    </div>
  );
});
