import { evaluatePackages, evaluatePlanted, offlineReason } from "./evaluation.js";

console.log(await evaluatePlanted());
const reason = await offlineReason();
console.log(reason === undefined ? `\n${await evaluatePackages()}` : `\nPackages are not reviewed: ${reason}.`);
