import { type Infer, lenient, nullable, object, openEnum, type Schema, sifted, string } from "../vocabulary.js";
import { contentBlock } from "./content.js";

/** Identifier of a compaction; unique within its session. */
export type CompactionId = string;
/** Validates a {@link CompactionId}. */
export const compactionId: Schema<CompactionId> = string();

const compactionStatus_ = openEnum("in_progress", "completed", "failed", "cancelled");
/** Status of a compaction. An unknown status has no meaning. */
export type CompactionStatus = Infer<typeof compactionStatus_> | never;
/** Validates a {@link CompactionStatus}; unknown ones are kept. */
export const compactionStatus: Schema<CompactionStatus> = compactionStatus_;

const compactionUpdate_ = object({
  /** The compaction. */
  compactionId,
  /** Current status. */
  status: compactionStatus,
  /** Complete new summary. Null clears it, absent or malformed leaves it. */
  summary: lenient(nullable(sifted(contentBlock))),
  /** Reason of the failure, for people. Null clears it, absent or malformed leaves it. */
  error: lenient(nullable(string())),
});
// V2-UPD-04, V2-UPD-24
/** Compaction of the agent's context. `_meta` is merged key by key. */
export interface CompactionUpdate extends Infer<typeof compactionUpdate_> {}
/** Validates a {@link CompactionUpdate}. */
export const compactionUpdate: Schema<CompactionUpdate> = compactionUpdate_;

const compactionSummaryChunk_ = object({
  /** The compaction; an unseen one begins with this chunk, `in_progress`. */
  compactionId,
  /** Content to append to the summary. */
  content: contentBlock,
});
// V2-UPD-24
/** More of a compaction's summary. */
export interface CompactionSummaryChunk extends Infer<typeof compactionSummaryChunk_> {}
/** Validates a {@link CompactionSummaryChunk}. */
export const compactionSummaryChunk: Schema<CompactionSummaryChunk> = compactionSummaryChunk_;
