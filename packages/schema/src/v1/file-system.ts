import { sessionId } from "../both/identifiers.js";
import {
  boolean,
  type Infer,
  integer,
  lenient,
  nullable,
  object,
  optional,
  type Schema,
  string,
} from "../vocabulary.js";

const fileSystemCapabilities_ = object({
  /** True if the client answers `fs/read_text_file`. */
  readTextFile: lenient(boolean()),
  /** True if the client answers `fs/write_text_file`. */
  writeTextFile: lenient(boolean()),
});
// V1-FS-01
/** File methods that the client answers; only `true` counts. */
export interface FileSystemCapabilities extends Infer<typeof fileSystemCapabilities_> {}
/** Validates {@link FileSystemCapabilities}. */
export const fileSystemCapabilities: Schema<FileSystemCapabilities> = fileSystemCapabilities_;

const readTextFileRequest_ = object({
  /** The session. */
  sessionId,
  /** The file, as an absolute path. */
  path: string(),
  /** The first line to read, counted from 1. */
  line: optional(nullable(integer(0, 0xffff_ffff))),
  /** Maximum number of lines to read. */
  limit: optional(nullable(integer(0, 0xffff_ffff))),
});
// V1-FS-02
/** Params of `fs/read_text_file`: the text as the client sees it, unsaved changes included. */
export interface ReadTextFileRequest extends Infer<typeof readTextFileRequest_> {}
/** Validates a {@link ReadTextFileRequest}. */
export const readTextFileRequest: Schema<ReadTextFileRequest> = readTextFileRequest_;

const readTextFileResponse_ = object({
  /** Requested lines, with their line ends. */
  content: string(),
});
/** Result of `fs/read_text_file`. */
export interface ReadTextFileResponse extends Infer<typeof readTextFileResponse_> {}
/** Validates a {@link ReadTextFileResponse}. */
export const readTextFileResponse: Schema<ReadTextFileResponse> = readTextFileResponse_;

const writeTextFileRequest_ = object({
  /** The session. */
  sessionId,
  /** Absolute path of the file, which is created if missing. */
  path: string(),
  /** The whole new text. */
  content: string(),
});
// V1-FS-05
/** Params of `fs/write_text_file`. */
export interface WriteTextFileRequest extends Infer<typeof writeTextFileRequest_> {}
/** Validates a {@link WriteTextFileRequest}. */
export const writeTextFileRequest: Schema<WriteTextFileRequest> = writeTextFileRequest_;

const writeTextFileResponse_ = object({});
/** Result of `fs/write_text_file`: the file is written. */
export interface WriteTextFileResponse extends Infer<typeof writeTextFileResponse_> {}
/** Validates a {@link WriteTextFileResponse}. */
export const writeTextFileResponse: Schema<WriteTextFileResponse> = writeTextFileResponse_;
