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
  /** `true` if the client answers `fs/read_text_file`. */
  readTextFile: lenient(boolean()),
  /** `true` if the client answers `fs/write_text_file`. */
  writeTextFile: lenient(boolean()),
});
// V1-FS-01
/** File methods that the client answers. Only `true` counts. */
export interface FileSystemCapabilities extends Infer<typeof fileSystemCapabilities_> {}
/** Validates {@link FileSystemCapabilities}. */
export const fileSystemCapabilities: Schema<FileSystemCapabilities> = fileSystemCapabilities_;

const readTextFileRequest_ = object({
  /** Id of the session. */
  sessionId,
  /** Absolute path of the file. */
  path: string(),
  /** Number of the first line to read. The first line of a file is 1. */
  line: optional(nullable(integer(0, 0xffff_ffff))),
  /** Maximum number of lines to read. */
  limit: optional(nullable(integer(0, 0xffff_ffff))),
});
// V1-FS-02
/** Params of `fs/read_text_file`. The client returns its current text, with unsaved changes. */
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
  /** Id of the session. */
  sessionId,
  /** Absolute path of the file. If the file does not exist, it is created. */
  path: string(),
  /** Whole new text. */
  content: string(),
});
// V1-FS-05
/** Params of `fs/write_text_file`. */
export interface WriteTextFileRequest extends Infer<typeof writeTextFileRequest_> {}
/** Validates a {@link WriteTextFileRequest}. */
export const writeTextFileRequest: Schema<WriteTextFileRequest> = writeTextFileRequest_;

const writeTextFileResponse_ = object({});
/** Result of `fs/write_text_file`. The file is now written. */
export interface WriteTextFileResponse extends Infer<typeof writeTextFileResponse_> {}
/** Validates a {@link WriteTextFileResponse}. */
export const writeTextFileResponse: Schema<WriteTextFileResponse> = writeTextFileResponse_;
