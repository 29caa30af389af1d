import { type KeyboardEvent, type ReactNode, useId, useState } from "react";

/** Row of the list above the field. */
export type Offer = { readonly name: string; readonly notes?: ReactNode; readonly isWhole: boolean };

/**
 * Completion of what is typed: the list above the field, the attributes of the field, and its keys. `press` returns true for a
 * key that the list takes: the arrows, Enter, Tab and Escape. Enter does not choose an offer that is whole already.
 *
 * @param label name of the list
 * @param typed text that the offers complete; after Escape, the list is closed until this text changes
 */
export function useChoice<O extends Offer>(
  label: string,
  typed: string,
  offers: readonly O[],
  choose: (offer: O) => void,
) {
  const id = useId();
  const [at, setAt] = useState(0);
  const [closed, setClosed] = useState<string | undefined>();
  const fitting = closed === typed ? [] : offers;
  const marked = Math.min(at, fitting.length - 1);
  const take = (offer: O) => {
    choose(offer);
    setAt(0);
  };
  const press = ({ key, shiftKey }: KeyboardEvent): boolean => {
    const offer = fitting[marked];
    if (offer === undefined || shiftKey) return false;
    if (key === "ArrowDown") setAt((marked + 1) % fitting.length);
    else if (key === "ArrowUp") setAt((marked + fitting.length - 1) % fitting.length);
    else if (key === "Escape") setClosed(typed);
    else if (key === "Tab" || (key === "Enter" && !offer.isWhole)) take(offer);
    else return false;
    return true;
  };
  const isOpen = fitting.length > 0;
  const list = isOpen ? (
    <div className="commands" role="listbox" id={id} aria-label={label}>
      {fitting.map((offer, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys are those of the field.
        <div
          key={offer.name}
          role="option"
          id={`${id}-${index}`}
          aria-selected={index === marked}
          ref={(row) => {
            if (index === marked) row?.scrollIntoView?.({ block: "nearest" });
          }}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(offer)}
        >
          <code>{offer.name}</code> {offer.notes}
        </div>
      ))}
    </div>
  ) : null;
  const attributes = {
    // A field of several lines cannot be a combobox.
    "aria-autocomplete": "list",
    "aria-controls": isOpen ? id : undefined,
    "aria-activedescendant": isOpen ? `${id}-${marked}` : undefined,
  } as const;
  return { list, attributes, press };
}
