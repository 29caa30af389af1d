import { readWireLog } from "@turnkit/transport/trace";
import { useEffect, useMemo, useState } from "react";
import type { FrameNote, KeptFrame, KeptFrames } from "../link/kept-frames.js";
import { createFrameLog } from "./frame-log.js";
import { createFrameReader, type FrameRow } from "./frame-rows.js";

/** Time between two readings of new frames in ms. */
const BEAT = 250;

/** Frames that are shown, as the lines of a trace file and as rows. */
export type ShownFrames = { readonly text: string; readonly rows: readonly FrameRow[] };

/** Returns the frames of the connection so far. They are read again a few times in a second while frames arrive. */
export function useLiveFrames(kept: KeptFrames): ShownFrames {
  const read = useMemo(() => createReader(kept), [kept]);
  const [shown, setShown] = useState(read);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setShown(read());
      }, BEAT);
    };
    later();
    const stop = kept.subscribe(later);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [kept, read]);
  return shown;
}

/** Creates a function that reads what is kept. The line of each frame is made once. */
function createReader(kept: KeptFrames): () => ShownFrames {
  const log = createFrameLog(kept.frames[0]?.at ?? Date.now());
  const lines = new WeakMap<KeptFrame, string>();
  return () => {
    const all = kept.frames.map((frame) => {
      const line = lines.get(frame) ?? log.lineOf(frame);
      lines.set(frame, line);
      return line;
    });
    const notes = kept.frames.map((frame) => kept.notesOf(frame));
    return readFrames([log.head, ...all, ""].join("\n"), kept.forgotten === 0, notes);
  };
}

/**
 * Reads a trace file.
 *
 * @throws AcpError `wire_log` for a text that is no such file
 */
export function readFrames(text: string, isWhole = true, notes: readonly (readonly FrameNote[])[] = []): ShownFrames {
  const reader = createFrameReader(isWhole);
  const rows: FrameRow[] = [];
  const [, ...lines] = text.split("\n");
  for (const [index, entry] of readWireLog(text).entries()) {
    const added = { entry, size: lines[index]?.length ?? 0, notes: notes[index] };
    for (const row of reader.add(added)) rows[row.number] = row;
  }
  return { text, rows };
}
