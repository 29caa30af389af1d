import { useEffect, useMemo, useRef, useState } from "react";
import { type KeptFrames, MOST_BYTES, MOST_FRAMES } from "../link/kept-frames.js";
import { FrameFilterFields } from "./frame-filter-fields.js";
import { type FrameFilter, filterRows } from "./frame-rows.js";
import { FrameTable } from "./frame-table.js";
import { JsonTree } from "./json-tree.js";
import { readFrames, type ShownFrames, useLiveFrames } from "./use-frames.js";

const ALL: FrameFilter = { text: "", direction: "all", method: "", onlyHints: false };

/** Trace file that the person chose. */
type OpenedTrace = ShownFrames & { readonly name: string };

type InspectorProps = { readonly kept: KeptFrames; readonly onClose: () => void };

/** Window with every frame of the page's connection, or of a trace file, and what is wrong with each. */
export function Inspector({ kept, onClose }: InspectorProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const live = useLiveFrames(kept);
  const [file, setFile] = useState<OpenedTrace | undefined>();
  const [error, setError] = useState<string | undefined>();
  const [filter, setFilter] = useState(ALL);
  const [chosen, setChosen] = useState<number | undefined>();
  const { rows, text } = file ?? live;
  const shown = useMemo(() => filterRows(rows, filter), [rows, filter]);
  const row = chosen === undefined ? undefined : rows[chosen];
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  const show = (next: OpenedTrace | undefined) => {
    setFile(next);
    setChosen(undefined);
    setError(undefined);
  };
  const open = async (chosenFile: File | undefined) => {
    if (chosenFile === undefined) return;
    try {
      show({ name: chosenFile.name, ...readFrames(await chosenFile.text()) });
    } catch (thrown) {
      setError((thrown as Error).message);
    }
  };
  return (
    <dialog
      className="inspector"
      ref={dialog}
      aria-labelledby="inspector-title"
      onClose={onClose}
      // Escape closes this window. Elsewhere, it stops the work of the agent.
      onKeyDown={(event) => event.key === "Escape" && event.stopPropagation()}
    >
      <header>
        <h2 id="inspector-title">{file === undefined ? "Frames of this connection" : `Frames of ${file.name}`}</h2>
        <button type="button" onClick={() => save(text)} disabled={file !== undefined}>
          Export a trace file
        </button>
        <label className="button">
          Open a trace file
          <input
            type="file"
            className="unseen"
            accept=".jsonl,.json,.ndjson,.log,.txt"
            onChange={({ target }) => {
              void open(target.files?.[0]);
              target.value = "";
            }}
          />
        </label>
        {file === undefined ? null : (
          <button type="button" onClick={() => show(undefined)}>
            Show this connection
          </button>
        )}
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <p className="quiet">
        {file === undefined
          ? `The page keeps the newest ${MOST_FRAMES.toLocaleString("en")} frames, and ${MOST_BYTES / 2 ** 20} MiB of them at most. ${kept.forgotten} older ones were forgotten. `
          : ""}
        Secrets are left out, as in files of turnkit --trace. {shown.length} of {rows.length} frames are shown.
      </p>
      {error === undefined ? null : (
        <p role="alert" className="failure">
          {error}
        </p>
      )}
      <FrameFilterFields rows={rows} filter={filter} set={setFilter} />
      <div className="frames-and-payload">
        <FrameTable rows={shown} chosen={chosen} choose={setChosen} />
        {row === undefined ? null : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
          <section className="payload" tabIndex={0} aria-label="Payload">
            {row.hints.map((hint) => (
              <p key={hint} className="failure">
                {hint}
              </p>
            ))}
            <JsonTree key={row.number} value={row.payload} />
          </section>
        )}
      </div>
    </dialog>
  );
}

function save(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = "turnkit-wire.jsonl";
  link.click();
  URL.revokeObjectURL(address);
}
