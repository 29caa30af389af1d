import { type Infer, lenient, nullable, object, openEnum, type Schema, sifted, string } from "../vocabulary.js";
import { contentBlock } from "./content.js";

const compactionCapabilities_ = object({});
/** Marker: the client shows compactions. It counts when present and not null. */
export interface CompactionCapabilities extends Infer<typeof compactionCapabilities_> {}
/** Validates {@link CompactionCapabilities}. */
export const compactionCapabilities: Schema<CompactionCapabilities> = compactionCapabilities_;

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
  /** Complete new summary. Null clears it, absent leaves it. */
  summary: lenient(nullable(sifted(contentBlock))),
  /** Reason of the failure, for people. Null clears it, absent leaves it. */
  error: lenient(nullable(string())),
});
// V1-UPD-36, V1-UPD-38
/** Compaction of the agent's context. Only for clients with `session.compaction`. */
export interface CompactionUpdate extends Infer<typeof compactionUpdate_> {}
/** Validates a {@link CompactionUpdate}. */
export const compactionUpdate: Schema<CompactionUpdate> = compactionUpdate_;

const compactionSummaryChunk_ = object({
  /** The compaction; an unseen one begins with this chunk. */
  compactionId,
  /** Content to append to the summary. */
  content: contentBlock,
});
// V1-UPD-39
/** More of a compaction's summary. */
export interface CompactionSummaryChunk extends Infer<typeof compactionSummaryChunk_> {}
/** Validates a {@link CompactionSummaryChunk}. */
export const compactionSummaryChunk: Schema<CompactionSummaryChunk> = compactionSummaryChunk_;
