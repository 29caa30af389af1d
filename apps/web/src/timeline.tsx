import type { Session } from "@turnkit/client";
import { useSelector } from "@turnkit/react";
import { useEffect, useRef, useState } from "react";
import { EntryView } from "./entry/entry-view.js";
import { FaultBoundary } from "./fault-boundary.js";

/** Number of entries that are drawn at first, and that a click adds. */
const PAGE = 200;
/** Distance from the end in pixels within which the view follows new text. */
const NEAR = 80;

/** Conversation of a session. It shows the newest entries, and follows new text while the person is at its end. */
export function Timeline({ session }: { readonly session: Session }) {
  const timeline = useSelector(session, (state) => state.timeline);
  const [count, setCount] = useState(PAGE);
  const first = Math.max(0, timeline.length - count);
  const [view, content] = useFollowedEnd();
  const entries = Array.from({ length: timeline.length - first }, (_, index) => timeline.at(first + index));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className="timeline" aria-label="Conversation" ref={view} tabIndex={0}>
      <div ref={content}>
        {first === 0 ? null : (
          <button type="button" className="earlier" onClick={() => setCount(count + PAGE)}>
            Show {Math.min(first, PAGE)} earlier entries of {first}
          </button>
        )}
        {entries.map(
          (entry) =>
            entry && (
              <FaultBoundary key={entry.key}>
                <EntryView entry={entry} session={session} />
              </FaultBoundary>
            ),
        )}
      </div>
    </section>
  );
}

/** Keeps the end of a growing content in view, until the person scrolls up. */
function useFollowedEnd() {
  const view = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current: frame } = view;
    const { current: growing } = content;
    if (frame === null || growing === null || typeof ResizeObserver === "undefined") return undefined;
    let isAtEnd = true;
    const look = () => {
      isAtEnd = frame.scrollHeight - frame.scrollTop - frame.clientHeight < NEAR;
    };
    const follow = () => {
      if (isAtEnd) frame.scrollTop = frame.scrollHeight;
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
  return [view, content] as const;
}
