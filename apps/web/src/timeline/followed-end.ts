import { useEffect, useLayoutEffect, useRef, useState } from "react";

/** Distance from the end in pixels within which the view follows new text. */
const NEAR = 80;
/** Distance from the start in pixels within which earlier entries are of interest. */
const NEAR_START = 600;

/**
 * Keeps the end of a growing list in view, until the person scrolls up. It follows the end again when `sent` changes.
 * Returns refs of the view and its content. The ref `atEnd` is true while the end is kept in view. `isAway` is true while the
 * end is out of view, and `toEnd` shows it. `isNearStart` is true when the start is near, after a person has scrolled up or if everything is in view.
 */
export function useFollowedEnd(sent: number) {
  const view = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const [isAway, setAway] = useState(false);
  const [isNearStart, setNearStart] = useState(false);
  const toEnd = () => {
    atEnd.current = true;
    setAway(false);
    view.current?.scrollTo({ top: view.current.scrollHeight });
  };
  useEffect(() => {
    if (sent > 0) toEnd();
  }, [sent]);
  useLayoutEffect(() => {
    const { current: frame } = view;
    const { current: growing } = content;
    if (frame === null || growing === null || typeof ResizeObserver === "undefined") return undefined;
    let last = { top: 0, height: 0, client: frame.clientHeight };
    const lookForStart = () => {
      // On a small screen, the list of sessions may be shown in place of the conversation.
      if (frame.clientHeight === 0) return;
      const isWhole = frame.scrollHeight <= frame.clientHeight;
      setNearStart(frame.scrollTop < NEAR_START && (!atEnd.current || isWhole));
    };
    const look = () => {
      const { scrollTop: top, scrollHeight: height, clientHeight: client } = frame;
      // A smaller position means that a person scrolled up. Two other causes are excluded: measured entries make the
      // content shorter, and an answered question makes the view higher.
      if (top < last.top && height >= last.height && client <= last.client) atEnd.current = false;
      else if (height - top - client < NEAR) atEnd.current = true;
      setAway(!atEnd.current);
      lookForStart();
      last = { top, height, client };
    };
    const follow = () => {
      if (atEnd.current) frame.scrollTop = frame.scrollHeight;
      // Entries that all fit into the view cause no scroll event.
      lookForStart();
    };
    const observer = new ResizeObserver(follow);
    observer.observe(growing);
    observer.observe(frame);
    frame.addEventListener("scroll", look, { passive: true });
    follow();
    return () => {
      observer.disconnect();
      frame.removeEventListener("scroll", look);
    };
  }, []);
  return { view, content, atEnd, isAway, isNearStart, toEnd };
}
