export type { FormContent, FormIssue } from "./form-answer.js";
export { checkFormAnswer, formDefaults } from "./form-answer.js";
