import { createContext, type ReactNode, useContext, useState } from "react";

type Scope = {
  /** Folds that the person has opened or closed, by name. */
  readonly chosen: Map<string, boolean>;
  /** Key of the entry. */
  readonly entry: string;
};

const FoldScope = createContext<Scope | undefined>(undefined);

/** Stores the state of the folds inside of an entry, because scrolling removes the entry's elements from the page. */
export const FoldMemory = FoldScope.Provider;

type FoldProps = {
  /** Name of the fold, once in its entry. */
  readonly name: string;
  readonly className: string;
  readonly status?: string;
  /** `true` if it is open until the person closes it. */
  readonly isOpen?: boolean;
  readonly summary: ReactNode;
  readonly children: ReactNode;
};

/** Draws a fold. A fold that the person has opened stays open, even after it was scrolled out of view. */
export function Fold({ name, className, status, isOpen = false, summary, children }: FoldProps) {
  const scope = useContext(FoldScope);
  const [own] = useState(() => new Map<string, boolean>());
  const chosen = scope?.chosen ?? own;
  const key = `${scope?.entry} ${name}`;
  const [, drawAgain] = useState(0);
  const open = chosen.get(key) ?? isOpen;
  return (
    <details
      className={className}
      data-status={status}
      open={open}
      onToggle={({ currentTarget, target }) => {
        // The browser also sends this event for changes by this component, and for folds inside of it.
        if (target !== currentTarget || currentTarget.open === open) return;
        chosen.set(key, currentTarget.open);
        drawAgain((count) => count + 1);
      }}
    >
      <summary>{summary}</summary>
      {open ? children : null}
    </details>
  );
}
