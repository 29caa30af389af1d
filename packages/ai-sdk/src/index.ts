export type {
  AcpChunk,
  AcpData,
  AcpMetadata,
  AcpPermission,
  AcpTerminal,
  AcpToolOutput,
  AcpUIMessage,
} from "./acp-message.js";
export { approvalsAnswered } from "./approvals.js";
export type { ChatSession, ChatTransportOptions } from "./chat-transport.js";
export { createChatTransport } from "./chat-transport.js";
export { selectMessages } from "./select-messages.js";
