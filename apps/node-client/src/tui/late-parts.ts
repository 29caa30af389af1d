/**
 * Parts of the screen that need the runtime of a client, or a list of files. They are loaded together, after the first
 * frame. Separate imports would double the number of files that are loaded before the first frame.
 */
export { listCandidateFiles } from "../prompt/candidate-files.js";
export { findSession } from "../sessions/find-session.js";
export { resumeCommand } from "../sessions/resume-command.js";
export { exitCodeOfError } from "../setup/exit-code-of-error.js";
export { openSession } from "../setup/visit.js";
export { connectAgent } from "./connect-agent.js";
export { runShellCommand } from "./shell-command.js";
