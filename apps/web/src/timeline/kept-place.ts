import type { Entry, Session } from "@turnkit/client";
import { type RefObject, useLayoutEffect, useRef } from "react";
import type { VirtualizerHandle } from "virtua";

type Timeline = Session["state"]["timeline"];

type PlaceProps = {
  readonly timeline: Timeline;
  readonly list: RefObject<VirtualizerHandle | null>;
  readonly view: RefObject<HTMLElement | null>;
  /** `true` while the end is kept in view. Then no row is kept. */
  readonly atEnd: RefObject<boolean>;
  /** Space above the first entry in pixels. */
  readonly margin: number;
};

/** Row in view: the key of its entry, and the number of its pixels above the view. */
type Place = { readonly key: string; readonly above: number };

/**
 * Keeps a row in its place in the view when rows above it are added, removed or measured. `kept` is the index of this row, or
 * -1. The row needs an element. Call `keep` after rows were measured.
 */
export function useKeptPlace({ timeline, list, view, atEnd, margin }: PlaceProps) {
  const place = useRef<Place | undefined>(undefined);
  const drawn = useRef(timeline);
  const keep = () => {
    const [{ current: rows }, { current: frame }, { current: kept }] = [list, view, place];
    const index = kept === undefined || atEnd.current ? -1 : drawn.current.indexOf(kept.key);
    if (rows === null || frame === null || kept === undefined || index < 0) return;
    const top = margin + rows.getItemOffset(index) + kept.above;
    if (Math.abs(top - frame.scrollTop) < 1) return;
    frame.scrollTop = top;
    // The list draws the rows that are in view now. The browser's own event would come one frame later.
    frame.dispatchEvent(new Event("scroll"));
  };
  useLayoutEffect(() => {
    drawn.current = timeline;
    keep();
  }, [timeline]);
  useLayoutEffect(() => {
    const { current: frame } = view;
    const notePlace = ({ isTrusted }: Event) => {
      const { current: rows } = list;
      if (isTrusted && frame !== null && rows !== null) place.current = placeIn(frame, rows, drawn.current, margin);
    };
    frame?.addEventListener("scroll", notePlace, { passive: true });
    return () => frame?.removeEventListener("scroll", notePlace);
  }, [view, list, margin]);
  return { kept: place.current === undefined ? -1 : timeline.indexOf(place.current.key), keep };
}

function placeIn(frame: HTMLElement, rows: VirtualizerHandle, timeline: Timeline, margin: number): Place | undefined {
  const { scrollTop, clientHeight } = frame;
  const above = (index: number) => scrollTop - margin - rows.getItemOffset(index);
  const first = Math.min(rows.findItemIndex(scrollTop), timeline.length - 1);
  let index = first;
  while (index < timeline.length && above(index) > -clientHeight && !hasId(timeline.at(index))) index++;
  // The keys of other entries are numbers, which change when earlier entries are loaded.
  const found = hasId(timeline.at(index)) ? index : first;
  const entry = timeline.at(found);
  return entry && { key: entry.key, above: above(found) };
}

const hasId = (entry: Entry | undefined): boolean =>
  entry?.type === "tool_call" || (entry?.type === "message" && entry.messageId !== undefined);
