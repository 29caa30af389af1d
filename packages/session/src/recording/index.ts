export type { Recorder, RecordingReader } from "./recording.js";
export { createRecorder, createRecordingReader } from "./recording.js";
