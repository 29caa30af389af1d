import type { Session } from "@turnkit/client";
import { type TurnControl, useSelector } from "@turnkit/react";
import { type KeyboardEvent, type SubmitEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { PageServer } from "../link/page-server.js";
import { useChoice } from "./choice.js";
import { keepDraft, readDraft } from "./drafts.js";
import { forgetLost } from "./kept-prompts.js";
import { linksTo, useMentionedFiles } from "./mentioned-files.js";
import { commandOffers, fileOffers, type TextOffer } from "./offers.js";
import { heldImages, MOST_BYTES, type PastedImage, picturesOf, readImage } from "./pasted-images.js";
import { PictureButton } from "./picture-button.js";
import { lostPrompts, sendKept, type Written } from "./sent-prompts.js";

type PromptProps = {
  readonly session: Session;
  readonly turn: TurnControl;
  /** `true` if the agent reads pictures. */
  readonly takesImages: boolean;
  /** Lists the files that a mention can name. */
  readonly listFiles: PageServer["files"];
  /**
   * `true` if the field takes the focus when it appears, and when a question that had the focus is answered. On a touch
   * screen it never does, because a keyboard would open.
   */
  readonly isFocused: boolean;
  /** `false` while the page has no connection. The person can still write. */
  readonly isConnected: boolean;
  /** Called after each prompt that was sent. */
  readonly onSend: () => void;
};

const NOT_SENT = "The connection was lost. What you sent last may not have arrived, and is in the field again.";

/** Returns true on a screen that people touch. Its keyboard has no Shift+Enter. */
const isTouched = () => globalThis.matchMedia?.("(pointer: coarse)").matches ?? false;

/**
 * Field for prompts. Enter sends, Shift+Enter makes a new line; on a touch screen, Enter makes one too. Escape stops the
 * work; the conversation handles it. A slash opens the list of commands, `@` that of files, and pictures can be pasted.
 */
export function PromptBox({ session, turn, takesImages, listFiles, isFocused, isConnected, onSend }: PromptProps) {
  const [lost, setLost] = useState(() => lostPrompts(session));
  const [text, setText] = useState(() => [...lost.map((one) => one.text), readDraft(session.id)].join("\n\n").trim());
  const [images, setImages] = useHeldImages(session.id);
  const [error, setError] = useState(lost.length === 0 ? undefined : NOT_SENT);
  const [cursor, setCursor] = useState(text.length);
  const field = useRef<HTMLTextAreaElement>(null);
  const placed = useRef<number | undefined>(undefined);
  const { status, send, cancel } = turn;
  const isBusy = status !== "ready" && status !== "closed";
  const isEmpty = text.trim() === "" && images.length === 0;
  const type = (next: string) => {
    setText(next);
    keepDraft(session.id, next);
  };
  const unsent = useUnsent(session, send);
  const files = useMentionedFiles(text, session.cwd, listFiles);
  const choice = usePromptChoice(session, { text, cursor, files }, ({ text: next, cursor: at }) => {
    type(next);
    setCursor(at);
    placed.current = at;
  });
  useLayoutEffect(() => {
    // React puts the cursor to the end of a text that it changes.
    if (placed.current !== undefined) field.current?.setSelectionRange(placed.current, placed.current);
    placed.current = undefined;
  });
  const submit = () => {
    if (isEmpty || status === "closed") return;
    const words = text.trim() === "" ? [] : [{ type: "text", text } as const];
    const blocks = [...images.map(({ block }) => block), ...linksTo(text, session.cwd, files)];
    const content = blocks.length === 0 ? text : [...words, ...blocks];
    if (!sendKept(session, { text, content }, { lost, send, unsent })) return;
    // The same words, sent later, are a prompt of their own.
    setLost([]);
    type("");
    setImages([]);
    setError(undefined);
    onSend();
  };
  useEffect(() => {
    keepDraft(session.id, text);
    forgetLost(session.id);
    if (isFocused && !isTouched()) field.current?.focus();
  }, []);
  useEffect(() => {
    // The focus of an answered question would be lost with its elements.
    if (isFocused && !isTouched() && document.activeElement === document.body) field.current?.focus();
  }, [isFocused]);
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const isTaken = choice.press(event);
    if (!isTaken && (event.key !== "Enter" || event.shiftKey || isTouched())) return;
    event.preventDefault();
    if (!isTaken) submit();
  };
  const fail = ({ message }: Error) => setError(message);
  const add = async (pictures: readonly File[]) => {
    if (!takesImages) return setError("This agent reads no pictures.");
    const added = await Promise.all(pictures.map(readImage));
    const sum = [...images, ...added].reduce((bytes, one) => bytes + one.bytes, 0);
    if (sum > MOST_BYTES) return setError(`The pictures have more than ${MOST_BYTES / 2 ** 20} MiB together.`);
    setError(undefined);
    setImages([...images, ...added]);
  };
  const take = (event: { readonly preventDefault: () => void }, data: DataTransfer) => {
    const pictures = picturesOf(data);
    if (pictures.length === 0) return;
    event.preventDefault();
    void add(pictures).catch(fail);
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    submit();
  };
  return (
    <form
      className="prompt"
      onSubmit={onSubmit}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => take(event, event.dataTransfer)}
    >
      {choice.list}
      {images.length === 0 ? null : (
        <ul className="pasted" aria-label="Pasted pictures">
          {images.map((image, index) => (
            <li key={index}>
              {image.name}, {Math.ceil(image.bytes / 1024)} KiB{" "}
              <button type="button" onClick={() => setImages(images.filter((one) => one !== image))}>
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
      {error === undefined ? null : (
        <p role="alert" className="failure">
          {error}
        </p>
      )}
      <textarea
        ref={field}
        aria-label="Prompt"
        dir="auto"
        placeholder={isBusy ? "Next prompt" : "Write to the agent"}
        rows={1}
        value={text}
        onChange={({ target }) => {
          type(target.value);
          setCursor(target.selectionStart);
        }}
        onSelect={({ currentTarget }) => setCursor(currentTarget.selectionStart)}
        onKeyDown={press}
        onPaste={(event) => take(event, event.clipboardData)}
        disabled={status === "closed" && isConnected}
        {...choice.attributes}
      />
      {takesImages ? <PictureButton add={(pictures) => void add(pictures).catch(fail)} /> : null}
      <button type="submit" disabled={isEmpty || status === "closed"}>
        Send
      </button>
      {isBusy ? (
        <button type="button" onClick={cancel} title="Escape" disabled={status === "cancelling"}>
          Stop
        </button>
      ) : null}
    </form>
  );
}

/**
 * Sends prompts that an earlier object of the session never sent, as soon as another object takes its place. Returns the
 * function that takes such a prompt.
 */
function useUnsent(session: Session, send: TurnControl["send"]): (written: Written) => void {
  const [waiting, setWaiting] = useState<readonly Written[]>([]);
  const unsent = (written: Written) => setWaiting((others) => [...others, written]);
  useEffect(() => {
    if (waiting.length === 0 || session.state.closed) return;
    setWaiting([]);
    for (const written of waiting) sendKept(session, written, { lost: [], send, unsent });
  }, [waiting, session, send]);
  return unsent;
}

/** Pictures for the next prompt of a session. They outlive a lost connection, but not a reload. */
function useHeldImages(sessionId: string) {
  const [images, setImages] = useState<readonly PastedImage[]>(() => heldImages.get(sessionId) ?? []);
  const set = (next: readonly PastedImage[]) => {
    heldImages.set(sessionId, next);
    setImages(next);
  };
  return [images, set] as const;
}

type Typed = { readonly text: string; readonly cursor: number; readonly files: readonly string[] };

/** Completion of a command at the start, or of the mention before the cursor. */
function usePromptChoice(session: Session, { text, cursor, files }: Typed, choose: (offer: TextOffer) => void) {
  const commands = useSelector(session, (state) => state.availableCommands);
  const offers = useMemo(() => {
    const fitting = commandOffers(text, commands ?? []);
    return fitting.length > 0 ? fitting : fileOffers(text, cursor, files);
  }, [text, cursor, files, commands]);
  const label = offers[0]?.name.startsWith("@") ? "Files" : "Commands";
  return useChoice(label, text, offers, choose);
}
