export { isLoopbackHost } from "../wire/loopback.js";
